// How far to forecast where nobody says.
#pragma once

#include <cstddef>
#include <string>

#include "pulsecast/calendar/step.h"

namespace pulsecast {

struct UsualHorizon {
  std::size_t steps = 0;
  std::string why;
};

// A year of months or quarters (four steps of years), else 96 steps; never more than a quarter of
// the rows, so that look-back, future and validation find room in them.
UsualHorizon usual_horizon(const Step& step, std::size_t rows);

}  // namespace pulsecast
