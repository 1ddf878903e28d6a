#include "pulsecast/forecast/part.h"

namespace pulsecast {
namespace {

struct PartName {
  std::string_view name;
  Part part;
};
constexpr PartName kParts[] = {{"held-out", Part::kHeldOut},
                               {"validation", Part::kValidation},
                               {"training", Part::kTraining},
                               {"all", Part::kAll}};

}  // namespace

std::optional<Part> part_named(std::string_view name) {
  for (const PartName& part : kParts) {
    if (name == part.name) return part.part;
  }
  return std::nullopt;
}

}  // namespace pulsecast
