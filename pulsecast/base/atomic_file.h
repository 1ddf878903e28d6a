// Files that are either the old one or the new one, whole, whatever happens in between.
//
// The new content goes into a temporary file beside the target, is synced, and takes the target's
// name in one rename; then the folder is synced. A full disk, a kill or a power cut leaves the old
// file untouched (and, after a kill, a stray "NAME.tmp-PID-N" that may be deleted).
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace pulsecast {

class AtomicFile {
 public:
  // Opens the temporary file. Throws Error(kInputOutput), as do all members below.
  explicit AtomicFile(std::filesystem::path target);
  // Without commit() the temporary file is removed and the target stays as it was.
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void fail(const char* action, int error_number) const;

  std::filesystem::path target_;
  std::string temporary_;
  int descriptor_ = -1;
};

// Writes `bytes` to `target` in one go.
void write_file(const std::filesystem::path& target, std::span<const std::byte> bytes);
void write_file(const std::filesystem::path& target, std::string_view text);

}  // namespace pulsecast
