#include "pulsecast/data/repair/repair_remedies.h"

namespace pulsecast {

std::vector<Remedy> fill_remedies() {
  return {remedy::set("fill", "previous", "repeats the value before"),
          remedy::set("fill", "linear", "draws a straight line"),
          remedy::set("fill", "seasonal", "takes the value one period earlier"),
          remedy::set("fill", "none", "leaves gaps, which no window crosses")};
}

std::vector<Remedy> duplicate_remedies() {
  return {remedy::set("duplicates", "first", "keeps the first of such rows"),
          remedy::set("duplicates", "mean", "keeps their mean")};
}

}  // namespace pulsecast
