#include "apps/cli/part_argument.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast::cli {
namespace {

struct PartName {
  const char* name;
  Part part;
};
constexpr PartName kParts[] = {{"held-out", Part::kHeldOut},
                               {"validation", Part::kValidation},
                               {"training", Part::kTraining},
                               {"all", Part::kAll}};

}  // namespace

Part part_of(const std::string& text) {
  for (const PartName& part : kParts) {
    if (text == part.name) return part.part;
  }
  throw_error(ErrorKind::kUsage, "--part",
              "expected held-out, validation, training or all; got '{}'", text);
}

}  // namespace pulsecast::cli
