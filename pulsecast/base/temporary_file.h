// The file that new content is written into before it takes its target's name.
//
// It lies beside its target as "TARGET.tmp-" and 16 random hexadecimal digits: a process id would
// collide in containers, where every program is process 1. It is locked while its writer lives, so
// one that is not locked was left by a writer that was killed; the next writer of the same target
// removes it.
#pragma once

#include <sys/types.h>

#include <filesystem>

namespace pulsecast {

class TemporaryFile {
 public:
  // Removes what dead writers left beside `target`, which need not exist, and makes a new file with
  // `mode` less the umask. Throws std::system_error.
  TemporaryFile(const std::filesystem::path& target, mode_t mode);
  // Removed, unless it took its target's name.
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  // Renames it to its target, in one step. Throws std::system_error.
  void take_the_name();

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool is_renamed_ = false;
};

}  // namespace pulsecast
