// One process at a time: a lock on a file, which the system lets go when its process ends, however
// it ends. The file goes with the lock; one that a kill left behind keeps nobody out.
#pragma once

#include <filesystem>

namespace pulsecast {

class FileLock {
 public:
  // Makes the file where it is missing. Throws Error(kInputOutput) with `message` where another
  // process, or another lock of this one, has it.
  FileLock(const std::filesystem::path& path, const char* message);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
};

}  // namespace pulsecast
