#include "pulsecast/data/repair/repair_remedies.h"

namespace pulsecast {

std::vector<Remedy> fill_remedies() {
  return {remedy::set("fill", "previous", "repeats the value before"),
          remedy::set("fill", "linear", "draws a straight line"),
          remedy::set("fill", "seasonal", "takes the value one period earlier"),
          remedy::set("fill", "zero", "takes 0, where no row means none"),
          remedy::set("fill", "none", "leaves gaps, which no window crosses")};
}

std::vector<Remedy> duplicate_remedies() {
  return {remedy::set("duplicates", "first", "keeps the first of such rows"),
          remedy::set("duplicates", "mean", "keeps their mean")};
}

std::vector<Remedy> layout_remedies(const LongColumns& columns) {
  constexpr std::size_t kMost = 4;
  std::vector<Remedy> remedies;
  for (const std::string& value : columns.values) {
    remedies.push_back(
        remedy::together({{"layout", "long"}, {"id-column", columns.id}, {"value-column", value}},
                         "reads a series for each '" + columns.id + "'"));
    if (remedies.size() == kMost) break;
  }
  return remedies;
}

}  // namespace pulsecast
