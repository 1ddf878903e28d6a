#include "pulsecast/metrics/interval_scores.h"

#include <cassert>
#include <limits>

namespace pulsecast {

double interval_score(double lower, double upper, double truth, double level) {
  const double outside = 2.0 / (1.0 - level / 100.0);
  double score = upper - lower;
  if (truth < lower) score += outside * (lower - truth);
  if (truth > upper) score += outside * (truth - upper);
  return score;
}

IntervalSums::IntervalSums(std::size_t horizon, double level) : level_(level), steps_(horizon) {
  assert(level > 0.0 && level < 100.0);
}

void IntervalSums::add_step(std::size_t step, double lower, double upper, double truth) {
  Sums& sums = steps_[step];
  ++sums.values;
  if (truth < lower) ++sums.below;
  if (truth > upper) ++sums.above;
  sums.width += upper - lower;
  sums.score += interval_score(lower, upper, truth, level_);
}

void IntervalSums::add(std::span<const double> lower, std::span<const double> upper,
                       std::span<const double> truth) {
  assert(lower.size() == horizon() && upper.size() == horizon() && truth.size() == horizon());
  for (std::size_t h = 0; h < horizon(); ++h) add_step(h, lower[h], upper[h], truth[h]);
}

IntervalSums::Sums& IntervalSums::Sums::operator+=(const Sums& other) {
  values += other.values;
  below += other.below;
  above += other.above;
  width += other.width;
  score += other.score;
  return *this;
}

IntervalErrors IntervalSums::Sums::means(double scale) const {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  if (values == 0) return {kNone, kNone, kNone, kNone, kNone};
  const auto count = static_cast<double>(values);
  return {.coverage = static_cast<double>(values - below - above) / count,
          .below = static_cast<double>(below) / count,
          .above = static_cast<double>(above) / count,
          .width = scale * width / count,
          .score = scale * score / count};
}

IntervalErrors IntervalSums::step(std::size_t step) const { return steps_[step].means(); }

IntervalErrors IntervalSums::overall() const {
  Sums all;
  for (const Sums& step : steps_) all += step;
  return all.means();
}

IntervalTable interval_table(std::span<const IntervalSums> channels,
                             std::span<const double> scales) {
  assert(!channels.empty() && (scales.empty() || scales.size() == channels.size()));
  IntervalTable table;
  table.level = channels.front().level();
  const std::size_t H = channels.front().horizon();
  std::vector<IntervalSums::Sums> steps(H);
  IntervalSums::Sums all;
  for (std::size_t c = 0; c < channels.size(); ++c) {
    assert(channels[c].horizon() == H && channels[c].level() == table.level);
    const double scale = scales.empty() ? 1.0 : scales[c];
    IntervalSums::Sums own;
    for (std::size_t h = 0; h < H; ++h) {
      IntervalSums::Sums sums = channels[c].sums(h);
      sums.width *= scale;
      sums.score *= scale;
      steps[h] += sums;
      own += sums;
    }
    table.per_channel.push_back(own.means());
    all += own;
  }
  for (const IntervalSums::Sums& step : steps) table.per_step.push_back(step.means());
  table.overall = all.means();
  return table;
}

double msis(double interval_score, double lag_difference) {
  if (!(lag_difference > 0.0)) return std::numeric_limits<double>::quiet_NaN();
  return interval_score / lag_difference;
}

}  // namespace pulsecast
