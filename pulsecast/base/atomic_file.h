// The one way that results are written: whole, or not at all.
//
// The new content goes into a temporary file beside the target, is synced, and takes the target's
// name in one rename; then the folder is synced. A full disk, a kill or a power cut leaves the old
// file untouched. The new file has the mode of the old one, and its owner where the system allows
// it. A symbolic link stays: what it leads to is replaced, in its own folder.
//
// What is no regular file cannot be replaced so: devices, pipes and this process's own descriptors
// (/dev/stdout) are opened at the first write and written as they are. A folder is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#include "pulsecast/base/temporary_file.h"

namespace pulsecast {

class AtomicFile {
 public:
  // Makes the temporary file, or looks whether a device may be written. Throws
  // Error(kInputOutput), as do all members below.
  explicit AtomicFile(std::filesystem::path target);
  // Without commit() the target stays as it was, unless it is a device.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  void make_temporary(const std::filesystem::path& end);
  int descriptor();
  [[noreturn]] void fail(const char* action, int error_number) const;

  std::filesystem::path target_;
  std::optional<TemporaryFile> temporary_;  // none: written as it is
  std::filesystem::path folder_;            // that the temporary file lies in
  int device_ = -1;
};

// Whether `path` is, or would be, a file that is replaced in one step: not a device or a pipe.
// Beside those nothing else can be kept, such as a checkpoint.
bool is_replaceable(const std::filesystem::path& path);

// Writes `bytes` to `target` in one go.
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace pulsecast
