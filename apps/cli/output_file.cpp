#include "apps/cli/output_file.h"

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::cli {
namespace {

namespace fs = std::filesystem;

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code neither_exists;
  const bool is_same = fs::equivalent(a, b, neither_exists);
  if (!neither_exists) return is_same;
  return fs::absolute(a).lexically_normal() == fs::absolute(b).lexically_normal();
}

}  // namespace

void require_writable(const fs::path& path, const char* flag,
                      std::initializer_list<fs::path> others) {
  for (const fs::path& other : others) {
    if (other == "-" || !is_same_file(path, other)) continue;
    throw_error(ErrorKind::kUsage, flag,
                "{} is read or written by this command already; name another file", path.string());
  }
  std::error_code unknown;
  if (fs::is_directory(path, unknown)) {
    throw_error(ErrorKind::kInputOutput, flag, "{} is a folder; name a file", path.string());
  }
  const AtomicFile probe(path);
}

}  // namespace pulsecast::cli
