#include "pulsecast/data/series/usual_horizon.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/base/counted.h"
#include "pulsecast/data/windows/window_steps.h"

namespace pulsecast {

UsualHorizon usual_horizon(const Step& step, std::size_t rows) {
  constexpr std::size_t kYearMonths = 12;
  constexpr std::size_t kFewestOfYear = 4;
  UsualHorizon usual{static_cast<std::size_t>(kUsualHorizon), "the default"};
  if (step.is_in_months()) {
    const std::size_t year = kYearMonths / static_cast<std::size_t>(step.count());
    usual = {std::max(kFewestOfYear, year), year >= kFewestOfYear ? "a year" : "the default"};
  }
  const std::size_t most = std::max<std::size_t>(1, rows / 4);
  if (usual.steps > most) usual = {most, fmt::format("a quarter of {}", counted(rows, "row"))};
  return usual;
}

}  // namespace pulsecast
