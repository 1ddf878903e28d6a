#include "pulsecast/data/series/scaled_series.h"

#include <cassert>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/effects/effect_rows.h"
#include "pulsecast/data/series/row_phases.h"

namespace pulsecast {

[[noreturn]] void refuse_far_value(const Series& series, const Channel& channel, std::size_t row,
                                   const Scaler& scaler, std::size_t c) {
  throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                   "{:.6g} at {} (row {}) is too far from the training rows' mean {:.6g} and "
                   "deviation {:.6g} to compute with",
                   channel.at(row), to_text(series.stamps[row], series.zone), row + 1,
                   scaler.means()[c], scaler.scales()[c])
      .with(remedy::advice("correct the cell"))
      .with(remedy::open("fill", "fills it once it is empty"));
}

ScaledSeries::ScaledSeries(const Series& series, const CalendarPlan& plan, std::size_t lead,
                           std::size_t future)
    : rows_(series.rows()),
      lead_(lead),
      target_rows_(pulsecast::target_rows(series)),
      feature_count_(plan.features.size()),
      phases_(lead + rows_ + future) {
  assert(plan.period >= 1);
  for (const Channel& channel : series.channels) {
    targets_ += channel.role == Role::kTarget ? 1 : 0;
    known_ += channel.role == Role::kKnown ? 1 : 0;
    past_ += channel.role == Role::kPast ? 1 : 0;
  }
  offsets_.reserve(series.channels.size() + 1);
  first_rows_.reserve(series.channels.size());
  offsets_.push_back(0);
  add_calendar(series, plan);
}

ScaledSeries::ScaledSeries(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
                           std::size_t future, const KnownUse& known)
    : ScaledSeries(series, plan, 0, future) {
  assert(scaler.channels() == series.channels.size());
  known_are_inputs_ = known.are_inputs;
  values_.assign(series.channels.size() * calendar_rows(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    add_values(series, scaler, c, values_.data() + offsets_.back() + series.channels[c].begin);
    first_rows_.push_back(0);
    offsets_.push_back(offsets_.back() + calendar_rows());
  }
  take_off(series, scaler, plan, known);
}

ScaledSeries ScaledSeries::panel(const Series& series, const Scaler& scaler,
                                 const CalendarPlan& plan, std::size_t lead, std::size_t future,
                                 const KnownUse& known) {
  ScaledSeries scaled(series, plan, lead, future);
  scaled.known_are_inputs_ = known.are_inputs;
  assert(scaler.channels() == series.channels.size());
  std::size_t values = 0;
  for (const Channel& channel : series.channels) values += channel.values.size();
  scaled.values_.resize(values);
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    scaled.add_values(series, scaler, c, scaled.values_.data() + scaled.offsets_.back());
    scaled.first_rows_.push_back(lead + series.channels[c].begin);
    scaled.offsets_.push_back(scaled.offsets_.back() + series.channels[c].values.size());
  }
  scaled.match_known(series);
  scaled.take_off(series, scaler, plan, known);
  return scaled;
}

void ScaledSeries::add_values(const Series& series, const Scaler& scaler, std::size_t c,
                              float* out) const {
  const Channel& source = series.channels[c];
  assert(source.begin + source.values.size() <= rows_);
  for (std::size_t i = 0; i < source.values.size(); ++i) {
    if (!std::isnan(source.values[i]) && !scaler.is_within_reach(c, source.values[i])) {
      refuse_far_value(series, source, source.begin + i, scaler, c);
    }
    out[i] = static_cast<float>(scaler.scaled(c, source.values[i]));
  }
}

void ScaledSeries::take_off(const Series& series, const Scaler& scaler, const CalendarPlan& plan,
                            const KnownUse& known) {
  if (!known.takes_off()) return;
  net_.assign(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(offsets_[targets_]));
  if (known.effects != nullptr) take_off_effects(series, scaler, *known.effects);
  if (known.profiles != nullptr) take_off_profiles(series, plan, *known.profiles);
}

void ScaledSeries::take_off_profiles(const Series& series, const CalendarPlan& plan,
                                     const StaticProfiles& profiles) {
  profile_phases_ =
      row_phases(series, with_period(plan, profiles.period()), lead_, calendar_rows());
  for (std::size_t c = 0; c < targets_; ++c) {
    const Channel& channel = series.channels[c];
    const std::vector<double> profile = profiles.of_series(series, channel.series);
    const std::size_t first = lead_ + channel.begin;
    float* out = net_.data() + offsets_[c] + (first - first_rows_[c]);
    for (std::size_t i = 0; i < channel.values.size(); ++i) {
      out[i] -= static_cast<float>(profile[static_cast<std::size_t>(profile_phases_[first + i])]);
    }
  }
}

void ScaledSeries::take_off_effects(const Series& series, const Scaler& scaler,
                                    const Effects& effects) {
  const KnownColumns columns(series);
  EffectRows rows(effects.design());
  for (std::size_t c = 0; c < targets_; ++c) {
    if (!effects.has(c)) continue;
    const Channel& channel = series.channels[c];
    rows.read(series, columns.of(channel), channel.rows());
    float* out = net_.data() + offsets_[c] + (lead_ + channel.begin - first_rows_[c]);
    for (std::size_t i = 0; i < channel.values.size(); ++i) {
      const std::size_t row = channel.begin + i;
      out[i] = static_cast<float>(scaler.scaled(c, channel.values[i]) -
                                  effects.of(c, rows.group(row), rows.terms(row)));
    }
  }
}

void ScaledSeries::match_known(const Series& series) {
  struct Known {
    std::size_t first = 0;
    std::size_t count = 0;
  };
  std::unordered_map<std::uint32_t, Known> known;
  for (std::size_t c = targets_; c < targets_ + known_; ++c) {
    Known& own = known.try_emplace(series.channels[c].series, Known{c, 0}).first->second;
    ++own.count;
  }
  for (std::size_t c = 0; c < targets_; ++c) {
    const auto found = known.find(series.channels[c].series);
    const Known own = found == known.end() ? Known{} : found->second;
    if (c == 0) known_of_each_ = own.count;
    if (own.count != known_of_each_) {
      throw_error(ErrorKind::kData, Place(series.source).in_column(series.channels[c].name),
                  "it has {} known in advance and '{}' has {}", counted(own.count, "column"),
                  series.channels.front().name, known_of_each_);
    }
    first_known_.push_back(own.first);
  }
}

void ScaledSeries::add_calendar(const Series& series, const CalendarPlan& plan) {
  features_.resize(calendar_rows() * feature_count_);
  calendar_numbers_.resize(calendar_rows());
  std::unordered_map<std::uint64_t, std::int32_t> numbers;
  for (std::size_t row = 0; row < calendar_rows(); ++row) {
    const auto steps = static_cast<std::int64_t>(row) - static_cast<std::int64_t>(lead_);
    const WallTime wall = series.zone.to_wall(stamp_at(series, steps));
    phases_[row] = phase_at(series, plan, steps, wall);
    feature_values(plan.features, wall, features_.data() + row * feature_count_);
    const auto next = static_cast<std::int32_t>(numbers.size());
    calendar_numbers_[row] =
        numbers.try_emplace(calendar_number(plan.features, wall), next).first->second;
  }
}

}  // namespace pulsecast
