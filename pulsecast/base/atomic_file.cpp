#include "pulsecast/base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <utility>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

// Two threads may write the same target at once; the last rename wins, whole.
std::string temporary_name(const std::filesystem::path& target) {
  static std::atomic<unsigned> counter{0};
  return fmt::format("{}.tmp-{}-{}", target.string(), ::getpid(), counter.fetch_add(1));
}

void sync_folder(const std::filesystem::path& target) {
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  // Some file systems cannot sync a folder (EINVAL); the rename itself has happened either way.
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path target)
    : target_(std::move(target)), temporary_(temporary_name(target_)) {
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) fail("create", errno);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      fail("write", errno);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::commit() {
  if (::fsync(descriptor_) != 0) fail("sync", errno);
  const int closed = ::close(std::exchange(descriptor_, -1));
  if (closed != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error_number = errno;
    ::unlink(temporary_.c_str());
    fail(closed != 0 ? "close" : "replace", error_number);
  }
  sync_folder(target_);
}

void AtomicFile::fail(const char* action, int error_number) const {
  throw_error(ErrorKind::kInputOutput, target_.string(),
              "could not {} the file: {}. What was there before is unchanged.", action,
              std::strerror(error_number));
}

void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

void write_file(const std::filesystem::path& target, std::string_view text) {
  write_file(target, std::as_bytes(std::span(text)));
}

}  // namespace pulsecast
