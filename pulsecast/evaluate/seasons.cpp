#include "pulsecast/evaluate/seasons.h"
#include "pulsecast/calendar/civil.h"

#include <cstdint>

namespace pulsecast {
namespace {

void add(const char* name, std::int64_t length, std::int64_t step, std::vector<Season>& seasons) {
  if (length % step != 0 || length / step < 2) return;
  seasons.push_back({name, static_cast<std::size_t>(length / step)});
}

}  // namespace

std::vector<Season> seasons_of(const Step& step) {
  std::vector<Season> seasons;
  switch (step.unit()) {
    case Step::Unit::kMillisecond:
      add("day", kDayMilliseconds, step.count(), seasons);
      add("week", 7 * kDayMilliseconds, step.count(), seasons);
      break;
    case Step::Unit::kDay:
      add("week", 7, step.count(), seasons);
      break;
    case Step::Unit::kBusinessDay:
      add("week", 5, step.count(), seasons);
      break;
    case Step::Unit::kMonth:
    case Step::Unit::kMonthEnd:
      add("year", 12, step.count(), seasons);
      break;
  }
  return seasons;
}

}  // namespace pulsecast
