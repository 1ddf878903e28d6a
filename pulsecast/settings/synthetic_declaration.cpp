#include "pulsecast/settings/synthetic_declaration.h"

#include <limits>

namespace pulsecast {
namespace {

Declaration<SyntheticSettings> declare_synthetic() {
  using S = SyntheticSettings;
  constexpr std::int64_t kMostRows = 100'000'000;
  constexpr std::int64_t kMostChannels = 100'000;
  constexpr std::int64_t kMostSeed = std::numeric_limits<std::int64_t>::max();
  return Declaration<S>("make")
      .group("Shape of the file")
      .add("rows", &S::rows, {1, kMostRows}, "rows to write, duplicates not counted")
      .add("channels", &S::channels, {1, kMostChannels}, "columns beside the stamps")
      .add("start", &S::start, {"a date and time such as '2024-01-01 00:00'"},
           "stamp of the first row")
      .add("step", &S::step, {"a step such as 15min, 1h, 7d or 1mo"},
           "time from one row to the next")
      .add("time-zone", &S::time_zone, {"an IANA name such as Europe/Berlin"},
           "zone whose wall clock the daily and weekly shapes follow")
      .add("seed", &S::seed, {0, kMostSeed}, "the same seed gives the same file")
      .add("decimals", &S::decimals, {0, 9}, "digits after the decimal point")
      .add("long", &S::is_long,
           "write a row a series and stamp (unique_id, ds, y), channel after channel")
      .add("shortest", &S::shortest, {1, kMostRows},
           "rows of the shortest series of a long file; each has between this and 'rows', and one "
           "in ten ends early",
           Unset{"all series have all rows"})
      .group("What the series do, in units of a channel's level")
      .add("daily", &S::daily, {0.0, 100.0}, "size of the daily shape")
      .add("weekly", &S::weekly, {0.0, 100.0}, "size of the weekly shape")
      .add("trend", &S::trend, {-100.0, 100.0}, "change from the first row to the last")
      .add("phase-drift", &S::phase_drift, {-100.0, 100.0},
           "days by which the daily shape comes later at the last row than at the first")
      .add("regimes", &S::regimes, {0, 1000},
           "times at which level, shapes and noise of every channel change for good")
      .add("noise", &S::noise, {0.0, 100.0}, "standard deviation of the noise")
      .add("noise-swing", &S::noise_swing, {0.0, 1.0},
           "how far the noise grows and fades with the day and over weeks: 0 is even noise")
      .group("Columns known in advance, whose effects are in the same units")
      .add("price", &S::price, {-100.0, 100.0},
           "what a price of 1 does; a column 'price' from 0 to 1, new every six days. 0: no column")
      .add("holiday", &S::holiday, {-100.0, 100.0},
           "what a holiday does; a column 'holiday' of 0 and, one day in twenty-five, 1. 0: no "
           "column")
      .add("ahead", &S::ahead, {0, kMostRows},
           "rows after the last in which these columns go on alone")
      .group("Columns that say one thing of a series, of a long file")
      .add("regions", &S::regions, {0, 1000},
           "regions that series are drawn into, each with daily and weekly shapes of its own; a "
           "column 'region'. 0: no column")
      .add("kinds", &S::kinds, {0, 1000},
           "kinds that series are drawn into, which make no difference; a column 'kind'. 0: no "
           "column")
      .group("Faults")
      .add("missing", &S::missing, {0.0, 1.0}, "share of cells left empty, in runs")
      .add("duplicates", &S::duplicates, {0.0, 1.0},
           "share of stamps that come twice, with noise of their own");
}

}  // namespace

const Declaration<SyntheticSettings>& synthetic_settings() {
  static const Declaration<SyntheticSettings> declaration = declare_synthetic();
  return declaration;
}

}  // namespace pulsecast
