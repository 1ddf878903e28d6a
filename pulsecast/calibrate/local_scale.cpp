#include "pulsecast/calibrate/local_scale.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pulsecast::calibrate {
namespace {

constexpr std::array kPowers = {0.0, 0.25, 0.5, 0.75, 1.0};
constexpr std::array kPhasePowers = {0.0, 0.5, 1.0};
constexpr double kLeastOfMean = 0.03;  // of the mean error, which none of a phase is below
constexpr std::size_t kMostPeriod = 4096;
constexpr std::size_t kMostWindows = 256;  // that a power is judged by
constexpr std::size_t kPriorCycles = 2;    // by which the error of a phase is drawn to the mean

constexpr double kNever = std::numeric_limits<double>::max();

struct Candidate {
  double deviation;  // powers
  double recent;
  double phases;
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> all;
  for (const double phases : kPhasePowers) {
    for (const double deviation : kPowers) {
      for (const double recent : kPowers) {
        if (deviation + recent <= 1.0) all.push_back({deviation, recent, phases});
      }
    }
  }
  return all;
}

// Some windows of a sheet.
struct Stretch {
  std::size_t begin;
  std::size_t end;
};

double median_of(std::vector<float> values) {
  if (values.empty()) return 0.0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// The powers that are learnt are quarters, which are roots: this is done for every forecast.
double to_the_power(double value, double power) {
  const double root = std::sqrt(value);
  if (power == 0.25) return std::sqrt(root);
  if (power == 0.5) return root;
  if (power == 0.75) return root * std::sqrt(root);
  return power == 1.0 ? value : std::pow(value, power);
}

class ScaleLearner {
 public:
  ScaleLearner(const ErrorSheet& sheet, std::size_t channel, std::size_t period)
      : sheet_(sheet), channel_(channel), period_(period <= kMostPeriod ? period : 1) {}

  // How unlikely each candidate makes the errors of the newer half.
  std::vector<double> costs() {
    learn_least();
    const Stretch newer{sheet_.windows / 2, sheet_.windows};
    const std::vector<float> profile = phase_errors({0, newer.begin});
    std::vector<double> costs;
    for (const Candidate& candidate : candidates()) {
      LocalScale tried = least_;
      tried.deviation_power = candidate.deviation;
      tried.recent_power = candidate.recent;
      tried.phases = raise(profile, candidate.phases);
      const bool can_be = (can_look_ || candidate.deviation + candidate.recent == 0.0) &&
                          (!profile.empty() || candidate.phases == 0.0);
      costs.push_back(can_be ? unlikelihood(tried, newer) : kNever);
    }
    return costs;
  }

  LocalScale learn(const Candidate& candidate) const {
    LocalScale scale = least_;
    scale.deviation_power = candidate.deviation;
    scale.recent_power = candidate.recent;
    scale.phases = raise(phase_errors({0, sheet_.windows}), candidate.phases);
    return scale;
  }

 private:
  void learn_least() {
    std::vector<float> deviations;
    std::vector<float> recents;
    for_each({0, sheet_.windows}, 1, [&](std::size_t w) {
      deviations.push_back(look(w).deviation);
      recents.push_back(look(w).recent);
    });
    least_.least_deviation = LocalScale::kLeastOfMedian * median_of(std::move(deviations));
    least_.least_recent = LocalScale::kLeastOfMedian * median_of(std::move(recents));
    // A look-back that never moves says nothing.
    can_look_ = least_.least_deviation > 0.0 && least_.least_recent > 0.0;
  }

  const LookBack& look(std::size_t window) const {
    return sheet_.looks[channel_ * sheet_.windows + window];
  }

  static std::vector<float> raise(const std::vector<float>& profile, double power) {
    if (power == 0.0) return {};
    std::vector<float> raised;
    raised.reserve(profile.size());
    for (const float value : profile) {
      raised.push_back(static_cast<float>(std::pow(static_cast<double>(value), power)));
    }
    return raised;
  }

  // (W) mean absolute error of each phase over that of the step, drawn to 1 where it has few.
  std::vector<float> phase_errors(Stretch windows) const {
    const std::size_t H = sheet_.horizon;
    if (period_ < 2) return {};
    std::vector<double> of_step(H, 0.0);
    std::size_t count = 0;
    for_each(windows, 1, [&](std::size_t w) {
      const auto errors = sheet_.errors_of(channel_, w);
      for (std::size_t h = 0; h < H; ++h) of_step[h] += std::abs(errors[h]);
      ++count;
    });
    if (count == 0) return {};
    for (double& mean : of_step) mean /= static_cast<double>(count);
    std::vector<double> sums(period_, 0.0);
    std::vector<double> counts(period_, 0.0);
    for_each(windows, 1, [&](std::size_t w) {
      const auto errors = sheet_.errors_of(channel_, w);
      const auto phases = sheet_.phases_of(w);
      for (std::size_t h = 0; h < H; ++h) {
        if (!(of_step[h] > 0.0)) continue;
        sums[static_cast<std::size_t>(phases[h])] += std::abs(errors[h]) / of_step[h];
        counts[static_cast<std::size_t>(phases[h])] += 1.0;
      }
    });
    const auto prior = static_cast<double>(kPriorCycles * H);
    std::vector<float> profile(period_);
    for (std::size_t p = 0; p < period_; ++p) {
      profile[p] =
          static_cast<float>(std::max(kLeastOfMean, (sums[p] + prior) / (counts[p] + prior)));
    }
    return profile;
  }

  // Of errors under a Laplace law whose spread is the scale times one number a step, per error.
  double unlikelihood(const LocalScale& scale, Stretch windows) const {
    const std::size_t H = sheet_.horizon;
    std::vector<double> phase_logs;
    for (const float phase : scale.phases) phase_logs.push_back(std::log(phase));
    std::vector<double> ratios(H, 0.0);
    std::vector<float> scales(H);
    double logs = 0.0;
    std::size_t count = 0;
    const std::size_t stride = (windows.end - windows.begin + kMostWindows - 1) / kMostWindows;
    for_each(windows, std::max<std::size_t>(1, stride), [&](std::size_t w) {
      const auto phases = sheet_.phases_of(w);
      const auto errors = sheet_.errors_of(channel_, w);
      scale.of(look(w), phases, scales);
      for (std::size_t h = 0; h < H; ++h) ratios[h] += std::abs(errors[h]) / scales[h];
      logs += static_cast<double>(H) * std::log(scale.level(look(w)));
      ++count;
      if (phase_logs.empty()) return;
      for (const std::int32_t phase : phases) logs += phase_logs[static_cast<std::size_t>(phase)];
    });
    if (count == 0) return 0.0;
    const auto each = static_cast<double>(count);
    double cost = logs / each;
    for (const double ratio : ratios) {
      cost += std::log(std::max(ratio / each, std::numeric_limits<double>::min()));
    }
    return cost;
  }

  template <typename Visit>
  void for_each(Stretch windows, std::size_t stride, Visit&& visit) const {
    for (std::size_t w = windows.begin; w < windows.end; w += stride) {
      if (sheet_.has(channel_, w)) visit(w);
    }
  }

  const ErrorSheet& sheet_;
  std::size_t channel_;
  std::size_t period_;
  LocalScale least_;
  bool can_look_ = false;
};

}  // namespace

double LocalScale::level(const LookBack& look) const {
  double level = 1.0;
  if (deviation_power > 0.0) {
    level *= to_the_power(std::max<double>(look.deviation, least_deviation), deviation_power);
  }
  if (recent_power > 0.0) {
    level *= to_the_power(std::max<double>(look.recent, least_recent), recent_power);
  }
  return level;
}

void LocalScale::of(const LookBack& look, std::span<const std::int32_t> phases_ahead,
                    std::span<float> out) const {
  const auto level = static_cast<float>(this->level(look));
  if (phases.empty()) {
    std::ranges::fill(out, level);
    return;
  }
  for (std::size_t h = 0; h < out.size(); ++h) {
    out[h] = level * phases[static_cast<std::size_t>(phases_ahead[h])];
  }
}

std::vector<LocalScale> learn_scales(const ErrorSheet& sheet, std::size_t period,
                                     ThreadPool& pool) {
  std::vector<ScaleLearner> learners;
  for (std::size_t c = 0; c < sheet.channels; ++c) learners.emplace_back(sheet, c, period);
  std::vector<std::vector<double>> costs(sheet.channels);
  pool.run(sheet.channels, [&](std::size_t c, std::size_t) { costs[c] = learners[c].costs(); });
  const std::vector<Candidate> all = candidates();
  std::vector<LocalScale> scales(sheet.channels);
  pool.run(sheet.channels, [&](std::size_t c, std::size_t) {
    const auto least = std::ranges::min_element(costs[c]);
    scales[c] = learners[c].learn(all[static_cast<std::size_t>(least - costs[c].begin())]);
  });
  return scales;
}

}  // namespace pulsecast::calibrate
