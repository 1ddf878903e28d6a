#include "pulsecast/data/readers/gunzip.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <vector>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

Remedy fetch_again() { return remedy::advice("copy or download the file again"); }

constexpr int kGzipOnly = 16 + MAX_WBITS;

class GunzipSource : public ByteSource {
 public:
  GunzipSource(std::unique_ptr<ByteSource> compressed, std::string name)
      : compressed_(std::move(compressed)), name_(std::move(name)), input_(std::size_t{1} << 16) {
    if (inflateInit2(&stream_, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~GunzipSource() override { inflateEnd(&stream_); }
  GunzipSource(const GunzipSource&) = delete;
  GunzipSource& operator=(const GunzipSource&) = delete;

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size() && !is_done_) filled += inflate_some(bytes.subspan(filled));
    return filled;
  }

 private:
  // Decompresses until the output is full or the input at hand is used up.
  std::size_t inflate_some(std::span<char> out) {
    if (stream_.avail_in == 0 && !refill()) {
      if (!is_between_members_) {
        throw make_error(ErrorKind::kData, name_,
                         "the gzip data end in the middle, after {} decompressed bytes: the file "
                         "was cut short",
                         total_)
            .with(fetch_again());
      }
      is_done_ = true;
      return 0;
    }
    if (is_between_members_ && !start_member()) return 0;
    const std::size_t room =
        std::min<std::size_t>(out.size(), std::numeric_limits<uInt>::max() / 2);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(room);
    const int status = inflate(&stream_, Z_NO_FLUSH);
    const std::size_t count = room - stream_.avail_out;
    total_ += count;
    if (status == Z_STREAM_END) {
      is_between_members_ = true;
    } else if (status != Z_OK && status != Z_BUF_ERROR) {
      throw make_error(ErrorKind::kData, name_,
                       "the gzip data are damaged after {} decompressed bytes ({})", total_,
                       stream_.msg == nullptr ? "wrong checksum" : stream_.msg)
          .with(fetch_again());
    }
    return count;
  }

  // After a member comes another member or the end; zero bytes are what tapes and blocks pad with.
  bool start_member() {
    if (has_member_) {
      while (stream_.avail_in > 0 && *stream_.next_in == 0) {
        ++stream_.next_in;
        --stream_.avail_in;
      }
      if (stream_.avail_in == 0) return false;
      if (*stream_.next_in != 0x1f) {
        throw make_error(
            ErrorKind::kData, name_,
            "there are bytes after the end of the gzip data (after {} decompressed bytes)", total_)
            .with(fetch_again());
      }
      if (inflateReset(&stream_) != Z_OK) throw std::bad_alloc();
    }
    has_member_ = true;
    is_between_members_ = false;
    return true;
  }

  bool refill() {
    const std::size_t count = compressed_->read(input_);
    stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
    stream_.avail_in = static_cast<uInt>(count);
    return count > 0;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::string name_;
  std::vector<char> input_;
  z_stream stream_{};
  bool has_member_ = false;
  bool is_between_members_ = true;
  bool is_done_ = false;
  std::uint64_t total_ = 0;
};

}  // namespace

bool is_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

std::unique_ptr<ByteSource> gunzip_source(std::unique_ptr<ByteSource> compressed,
                                          std::string name) {
  return std::make_unique<GunzipSource>(std::move(compressed), std::move(name));
}

}  // namespace pulsecast
