#include "pulsecast/search/spending.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pulsecast::search {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
// Of the budget, for the blend and the last validation.
constexpr double kReserve = 0.04;
// Of the budget, for one closed form.
constexpr double kClosedFormShare = 0.15;
// However late it is: what is begun is not left without a step.
constexpr double kLeastSeconds = 0.5;

std::int64_t steps_within(double steps, std::int64_t most) {
  return std::clamp<std::int64_t>(std::llround(steps), 1, std::max<std::int64_t>(1, most));
}

}  // namespace

bool Spending::is_too_much(double seconds) const {
  return budget_.seconds && seconds > kClosedFormShare * *budget_.seconds;
}

Slice Spending::share(double share, std::size_t among, std::int64_t most) const {
  const auto n = static_cast<double>(among);
  if (budget_.steps) {
    return {kNoLimit, steps_within(share * static_cast<double>(*budget_.steps) / n, most)};
  }
  return {share * *budget_.seconds / n, steps_within(static_cast<double>(most), most)};
}

Slice Spending::rest(std::size_t among, std::int64_t most) const {
  const auto n = static_cast<double>(among);
  if (budget_.steps) {
    return {kNoLimit, steps_within(static_cast<double>(*budget_.steps - steps_) / n, most), true};
  }
  const double left = (1.0 - kReserve) * *budget_.seconds - seconds();
  return {std::max(kLeastSeconds, left / n), steps_within(static_cast<double>(most), most), true};
}

void Spending::tell(const Watch& watch, std::int64_t running) const {
  if (!watch.on_progress) return;
  if (budget_.steps) {
    watch.on_progress({"search", static_cast<std::uint64_t>(steps_ + running),
                       static_cast<std::uint64_t>(*budget_.steps)});
    return;
  }
  const double total = std::ceil(*budget_.seconds);
  watch.on_progress({"search", static_cast<std::uint64_t>(std::min(seconds(), total)),
                     static_cast<std::uint64_t>(total)});
}

}  // namespace pulsecast::search
