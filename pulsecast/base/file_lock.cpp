#include "pulsecast/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

// Whether the path still leads to the open file: who held the lock before may have removed it.
bool is_at(const std::filesystem::path& path, int file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::filesystem::path& path, const char* message) : path_(path) {
  while (true) {
    descriptor_ = retried([&] { return ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666); });
    if (descriptor_ < 0) {
      throw_error(ErrorKind::kInputOutput, path.string(), "cannot open the file: {}",
                  std::strerror(errno));
    }
    if (retried([&] { return ::flock(descriptor_, LOCK_EX | LOCK_NB); }) != 0) {
      const int reason = errno;
      // Some network filesystems know no locks. Who works there alone is not kept from it.
      if (reason != EWOULDBLOCK) return;
      ::close(descriptor_);
      throw_error(ErrorKind::kInputOutput, path.string(), "{}", message);
    }
    if (is_at(path, descriptor_)) return;
    ::close(descriptor_);
  }
}

FileLock::~FileLock() {
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

}  // namespace pulsecast
