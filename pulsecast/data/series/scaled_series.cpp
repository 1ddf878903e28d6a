#include "pulsecast/data/series/scaled_series.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/phase.h"

namespace pulsecast {

[[noreturn]] void refuse_far_value(const Series& series, const Channel& channel, std::size_t row,
                                   const Scaler& scaler, std::size_t c) {
  throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                   "{:.6g} at {} (row {}) is too far from the training rows' mean {:.6g} and "
                   "deviation {:.6g} to compute with",
                   channel.values[row], to_text(series.stamps[row], series.zone), row + 1,
                   scaler.means()[c], scaler.scales()[c])
      .with(remedy::advice("correct the cell"))
      .with(remedy::open("fill", "fills it once it is empty"));
}

ScaledSeries::ScaledSeries(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
                           std::size_t future)
    : rows_(series.rows()),
      target_rows_(pulsecast::target_rows(series)),
      feature_count_(plan.features.size()),
      phases_(rows_ + future) {
  assert(scaler.channels() == series.channels.size());
  assert(plan.period >= 1);
  values_.assign(series.channels.size() * calendar_rows(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const Channel& source = series.channels[c];
    assert(source.values.size() == rows_);
    targets_ += source.role == Role::kTarget ? 1 : 0;
    known_ += source.role == Role::kKnown ? 1 : 0;
    past_ += source.role == Role::kPast ? 1 : 0;
    float* out = values_.data() + c * calendar_rows();
    for (std::size_t row = 0; row < rows_; ++row) {
      if (!std::isnan(source.values[row]) && !scaler.is_within_reach(c, source.values[row])) {
        refuse_far_value(series, source, row, scaler, c);
      }
      out[row] = static_cast<float>(scaler.scaled(c, source.values[row]));
    }
  }
  add_calendar(series, plan);
}

void ScaledSeries::add_calendar(const Series& series, const CalendarPlan& plan) {
  features_.resize(calendar_rows() * feature_count_);
  calendar_numbers_.resize(calendar_rows());
  std::unordered_map<std::uint64_t, std::int32_t> numbers;
  for (std::size_t row = 0; row < calendar_rows(); ++row) {
    const Instant instant =
        row < rows_ ? series.stamps[row]
                    : series.step.add(series.stamps.back(),
                                      static_cast<std::int64_t>(row - rows_ + 1), series.zone);
    const WallTime wall = series.zone.to_wall(instant);
    phases_[row] =
        plan.phase == PhaseSource::kTimestamp
            ? phase_of(wall, series.step, plan.period)
            : static_cast<std::int32_t>((row + static_cast<std::size_t>(plan.first_phase)) %
                                        static_cast<std::size_t>(plan.period));
    feature_values(plan.features, wall, features_.data() + row * feature_count_);
    const auto next = static_cast<std::int32_t>(numbers.size());
    calendar_numbers_[row] =
        numbers.try_emplace(calendar_number(plan.features, wall), next).first->second;
  }
}

}  // namespace pulsecast
