// Reading what may be anything: a file, a pipe, a device that never ends. The caller says how much
// it is ready to take; interrupted reads go on.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace pulsecast {

class InputFile {
 public:
  // `what` it is called in messages: "config file". Throws Error(kInputOutput), as read() does.
  InputFile(const std::filesystem::path& path, const char* what);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // The next `most` bytes, or fewer where the file ends. Memory is taken as they come.
  std::string read(std::size_t most);
  // Bytes in all; none where only reading tells, as of a pipe.
  std::optional<std::size_t> size() const;

 private:
  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  const char* what_;
  int descriptor_;
};

// The whole file. Throws Error(kInputOutput), also where it has more than `most` bytes.
std::string read_whole(const std::filesystem::path& path, std::size_t most, const char* what);

}  // namespace pulsecast
