#include "pulsecast/base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {

FileLock::FileLock(const std::filesystem::path& path, const char* message)
    : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
  if (descriptor_ < 0) {
    throw_error(ErrorKind::kInputOutput, path.string(), "cannot open the file: {}",
                std::strerror(errno));
  }
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
  const int reason = errno;
  ::close(descriptor_);
  // Some network filesystems know no locks. Who works there alone is not kept from it.
  if (reason == EWOULDBLOCK) throw_error(ErrorKind::kInputOutput, path.string(), "{}", message);
  descriptor_ = -1;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace pulsecast
