#include "pulsecast/base/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
InputFile::InputFile(const std::filesystem::path& path, const char* what)
    : path_(path),
      what_(what),
      descriptor_(retried([&] { return ::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC); })) {
  if (descriptor_ < 0) fail();
}

InputFile::~InputFile() { ::close(descriptor_); }

void InputFile::fail() const {
  throw_error(ErrorKind::kInputOutput, path_.string(), "cannot read the {}: {}", what_,
              std::strerror(errno));
}

std::string InputFile::read(std::size_t most) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string bytes;
  // What a regular file has is taken in one go; what others claim is not believed.
  if (const auto known = size()) bytes.reserve(std::min(most, *known));
  while (bytes.size() < most) {
    const std::size_t before = bytes.size();
    bytes.resize(before + std::min(kPiece, most - before));
    const ssize_t count =
        retried([&] { return ::read(descriptor_, bytes.data() + before, bytes.size() - before); });
    if (count < 0) fail();
    bytes.resize(before + static_cast<std::size_t>(count));
    if (count == 0) break;
  }
  return bytes;
}

std::optional<std::size_t> InputFile::size() const {
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return static_cast<std::size_t>(status.st_size);
}

std::string read_whole(const std::filesystem::path& path, std::size_t most, const char* what) {
  InputFile file(path, what);
  std::string bytes = file.read(most + 1);
  if (bytes.size() > most) {
    throw_error(ErrorKind::kInputOutput, path.string(),
                "it has more than {} bytes, which is more than a {} may have", most, what);
  }
  return bytes;
}

}  // namespace pulsecast
