#include "pulsecast/data/readers/even_stamps.h"

#include <cmath>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/calendar/step.h"

namespace pulsecast {

Remedy example_start_and_step(std::string effect) {
  constexpr auto kExample = Assignment::Value::kExample;
  return remedy::together({{"start", "2012-05-01 00:00", kExample}, {"step", "5min", kExample}},
                          std::move(effect));
}

PackedInstants even_stamps(std::size_t rows, const DataSettings& settings,
                           const std::string& source) {
  if (!settings.start || !settings.step) {
    throw make_error(ErrorKind::kUsage, source,
                     "the rows have no stamps, so a start and a step are needed")
        .with(example_start_and_step("gives them"));
  }
  const Zone zone = settings.time_zone ? Zone::named(*settings.time_zone) : Zone();
  const Step step = Step::parse(*settings.step);
  const Stamp written = read_stamp(*settings.start);
  StampRules rules{zone, std::nullopt};
  if (settings.day_order != DayOrder::kFound) {
    rules.day_first = settings.day_order == DayOrder::kDayFirst;
  }
  const StampColumn first =
      decide_stamps({&written, 1}, rules, [](std::size_t) { return Place::of_setting("start"); });
  if (!first.faults.empty()) {
    throw_error(ErrorKind::kUsage, Place::of_setting("start"), "'{}': {}", *settings.start,
                first.faults[0].cause);
  }
  const double last = static_cast<double>(first.instants[0].milliseconds) +
                      static_cast<double>(rows) * step.mean_milliseconds();
  if (last >= static_cast<double>(kLatestInstant.milliseconds)) {
    throw_error(ErrorKind::kData, source, "{} rows of {} from {} on go past the year 9999", rows,
                step.to_string(), *settings.start);
  }
  PackedInstants stamps;
  for (std::size_t row = 0; row < rows; ++row) {
    stamps.push_back(step.add(first.instants[0], static_cast<std::int64_t>(row), zone));
  }
  return stamps;
}

}  // namespace pulsecast
