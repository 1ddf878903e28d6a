// How far back a model is to look where nobody says: whole numbers of what the rows repeat.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "pulsecast/data/series/cycles.h"
#include "pulsecast/data/series/series.h"

namespace pulsecast::train {

struct LookbackWish {
  std::size_t unit = 1;  // steps; look-backs are whole numbers of it
  std::size_t units = 0;
  std::string why;
};

// Two weeks where the week is strong and they are not too long to be trained on, or one; with
// shorter steps, or without such a week, whole periods of 96 steps or more, of which a day is
// enough where the period is a long week: the weekday is told. Of a panel two weeks or more.
LookbackWish wished_lookback(const Series& series, std::size_t period,
                             std::span<const CycleStrength> cycles, bool is_panel);

struct LookbackChoice {
  std::size_t steps = 0;
  std::string why;
};

// The wish, or as many whole units as `most` steps hold.
LookbackChoice within(const LookbackWish& wish, std::size_t most);

}  // namespace pulsecast::train
