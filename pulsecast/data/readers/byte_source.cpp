#include "pulsecast/data/readers/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(const std::string& path) : path_(path == "-" ? "standard input" : path) {
    if (path == "-") {
      descriptor_ = STDIN_FILENO;
      return;
    }
    descriptor_ = retried([&] { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); });
    if (descriptor_ < 0) fail();
    struct stat status {};
    if (::fstat(descriptor_, &status) == 0 && S_ISREG(status.st_mode)) {
      size_ = static_cast<std::uint64_t>(status.st_size);
    }
  }

  ~FileSource() override {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
  }
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const ssize_t count = retried(
          [&] { return ::read(descriptor_, bytes.data() + filled, bytes.size() - filled); });
      if (count < 0) fail();
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  }

  std::optional<std::uint64_t> size() const override { return size_; }

 private:
  [[noreturn]] void fail() const {
    throw_error(ErrorKind::kInputOutput, path_, "cannot be read: {}", std::strerror(errno));
  }

  std::string path_;
  int descriptor_ = -1;
  std::optional<std::uint64_t> size_;
};

class MemorySource : public ByteSource {
 public:
  explicit MemorySource(std::string_view bytes) : rest_(bytes), size_(bytes.size()) {}

  std::size_t read(std::span<char> bytes) override {
    const std::size_t count = std::min(bytes.size(), rest_.size());
    std::copy_n(rest_.data(), count, bytes.data());
    rest_.remove_prefix(count);
    return count;
  }

  std::optional<std::uint64_t> size() const override { return size_; }

 private:
  std::string_view rest_;
  std::uint64_t size_;
};

class ChainedSource : public ByteSource {
 public:
  ChainedSource(std::string head, std::unique_ptr<ByteSource> rest)
      : head_(std::move(head)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> bytes) override {
    const std::size_t count = std::min(bytes.size(), head_.size() - at_);
    std::copy_n(head_.data() + at_, count, bytes.data());
    at_ += count;
    if (at_ == head_.size() && at_ != 0) {
      head_ = {};
      at_ = 0;
    }
    return count + (count < bytes.size() ? rest_->read(bytes.subspan(count)) : 0);
  }

  std::optional<std::uint64_t> size() const override { return rest_->size(); }

 private:
  std::string head_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteSource> rest_;
};

}  // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path) {
  return std::make_unique<FileSource>(path);
}

std::unique_ptr<ByteSource> memory_source(std::string_view bytes) {
  return std::make_unique<MemorySource>(bytes);
}

std::unique_ptr<ByteSource> chained_source(std::string head, std::unique_ptr<ByteSource> rest) {
  return std::make_unique<ChainedSource>(std::move(head), std::move(rest));
}

std::string read_all(ByteSource& source, std::size_t most, const std::string& name) {
  std::string bytes;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  for (;;) {
    const std::size_t before = bytes.size();
    bytes.resize(before + kPiece);
    const std::size_t count = source.read({bytes.data() + before, kPiece});
    bytes.resize(before + count);
    if (bytes.size() > most) {
      throw_error(ErrorKind::kData, name,
                  "holds more than {} bytes, too many to keep in memory. Give the file itself, "
                  "uncompressed, rather than a pipe.",
                  most);
    }
    if (count < kPiece) return bytes;
  }
}

}  // namespace pulsecast
