#include "pulsecast/base/temporary_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "pulsecast/base/system_call.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 16;

[[noreturn]] void fail(const char* action) {
  throw std::system_error(errno, std::generic_category(), action);
}

std::string prefix_of(const fs::path& target) { return target.filename().string() + ".tmp-"; }

std::string random_digits() {
  std::uint64_t number = 0;
  if (retried([&] { return ::getrandom(&number, sizeof number, 0); }) != sizeof number) {
    fail("draw a name for");
  }
  return fmt::format("{:016x}", number);
}

bool is_temporary_of(std::string_view prefix, std::string_view name) {
  if (!name.starts_with(prefix) || name.size() != prefix.size() + kDigits) return false;
  return std::ranges::all_of(name.substr(prefix.size()), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
  });
}

// Who gets the lock of another's temporary file knows that its writer is dead, or has not locked it
// yet: the constructor below looks whether its file is still there. A file system without locks
// gives none, and nothing is removed.
void remove_if_dead(const fs::path& path) {
  const int file =
      retried([&] { return ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); });
  if (file < 0) return;
  struct stat status {};
  if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
      ::flock(file, LOCK_EX | LOCK_NB) == 0) {
    ::unlink(path.c_str());
  }
  ::close(file);
}

void remove_dead(const fs::path& target) {
  const std::string prefix = prefix_of(target);
  std::error_code unreadable;  // what cannot be cleaned stays
  const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
  for (fs::directory_iterator each(folder, unreadable), end; !unreadable && each != end;
       each.increment(unreadable)) {
    if (is_temporary_of(prefix, each->path().filename().string())) remove_if_dead(each->path());
  }
}

// Whether the file is ours alone: locked, or on a file system that knows no locks, and not removed
// by another writer in the moment before it was locked.
bool is_held(int file) {
  if (::flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
  struct stat status {};
  return ::fstat(file, &status) == 0 && status.st_nlink > 0;
}

}  // namespace

TemporaryFile::TemporaryFile(const fs::path& target, mode_t mode) : target_(target) {
  remove_dead(target);
  while (true) {
    path_ = target.string() + ".tmp-" + random_digits();
    descriptor_ = retried(
        [&] { return ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode); });
    if (descriptor_ < 0) {
      if (errno == EEXIST) continue;
      fail("create");
    }
    if (is_held(descriptor_)) return;
    ::close(descriptor_);
    ::unlink(path_.c_str());
  }
}

TemporaryFile::~TemporaryFile() {
  if (!is_renamed_) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void TemporaryFile::take_the_name() {
  // Some file systems tell of a failed write at the close. The lock must outlive the rename, so a
  // second descriptor is closed.
  const int second = ::dup(descriptor_);
  if (second < 0 || (::close(second) != 0 && errno != EINTR)) fail("close");
  if (::rename(path_.c_str(), target_.c_str()) != 0) fail("replace");
  is_renamed_ = true;
}

}  // namespace pulsecast
