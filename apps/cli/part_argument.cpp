#include "apps/cli/part_argument.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast::cli {

Part part_of(const std::string& text) {
  if (const std::optional<Part> part = part_named(text)) return *part;
  throw_error(ErrorKind::kUsage, "--part", "expected {}; got '{}'", kPartNames, text);
}

}  // namespace pulsecast::cli
