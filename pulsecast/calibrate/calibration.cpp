#include "pulsecast/calibrate/calibration.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calibrate/pooling.h"
#include "pulsecast/calibrate/rank.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::size_t kGroups = 3;    // of a panel's windows
constexpr std::size_t kEnough = 199;  // scores of a group: those that a range of 99 percent takes
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

struct WindowOfSet {
  std::size_t channel;
  std::size_t window;
};

// What each set holds of the sheet.
struct Grouping {
  std::vector<double> until;
  std::vector<std::vector<WindowOfSet>> windows;
};

Grouping by_channel(const ErrorSheet& sheet) {
  Grouping sets{std::vector<double>(sheet.channels, std::numeric_limits<double>::infinity()),
                std::vector<std::vector<WindowOfSet>>(sheet.channels)};
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      if (sheet.has(c, w)) sets.windows[c].push_back({c, w});
    }
  }
  return sets;
}

// As many windows in each; one group where there are few.
Grouping by_deviation(const ErrorSheet& sheet) {
  std::vector<float> deviations;
  for (const LookBack& look : sheet.looks) deviations.push_back(look.deviation);
  std::ranges::sort(deviations);
  Grouping sets;
  const std::size_t groups = sheet.windows >= kGroups * kEnough ? kGroups : 1;
  for (std::size_t g = 1; g < groups; ++g) {
    const double until = deviations[g * sheet.windows / groups];
    if (sets.until.empty() || until > sets.until.back()) sets.until.push_back(until);
  }
  sets.until.push_back(std::numeric_limits<double>::infinity());
  sets.windows.resize(sets.until.size());
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    const auto set = std::ranges::upper_bound(sets.until, double{sheet.looks[w].deviation});
    sets.windows[static_cast<std::size_t>(set - sets.until.begin())].push_back({0, w});
  }
  return sets;
}

SortedScores scores_of(const ErrorSheet& sheet, std::span<const WindowOfSet> windows,
                       const LocalScale& scale) {
  const std::size_t H = sheet.horizon;
  const std::size_t n = windows.size();
  std::vector<float> scores(n * H);
  std::vector<float> scales(H);
  for (std::size_t i = 0; i < n; ++i) {
    const auto [channel, window] = windows[i];
    const auto errors = sheet.errors_of(channel, window);
    scale.of(sheet.looks[channel * sheet.windows + window], sheet.phases_of(window), scales);
    for (std::size_t h = 0; h < H; ++h) scores[h * n + i] = errors[h] / scales[h];
  }
  return sorted_scores(std::move(scores), H);
}

// out (kGrid) of step h: by the set's own scores where they have the rank, else by the pooled ones.
void fill_quantiles(std::span<const SortedScores> sets, std::size_t own, std::size_t h,
                    std::span<float> out) {
  const std::span<const float> scores = sets[own].step(h);
  std::vector<float> pooled;
  for (std::size_t q = 0; q < kGrid; ++q) {
    const double probability = kProbabilities[q];
    if (const auto rank = rank_of(scores.size(), probability)) {
      out[q] = scores[*rank - 1];
      continue;
    }
    if (pooled.empty()) pooled = pooled_scores(sets, own, h, kEnough);
    const auto rank = rank_of(pooled.size(), probability);
    out[q] = rank ? pooled[*rank - 1] : kNone;
  }
  // What is pooled may lie inside what is not: outwards from the middle nothing comes back.
  constexpr std::size_t kMiddle = kGrid / 2;
  for (std::size_t q = kMiddle; q-- > 0;)
    out[q] = std::isnan(out[q]) ? kNone : std::min(out[q], out[q + 1]);
  for (std::size_t q = kMiddle + 1; q < kGrid; ++q)
    out[q] = std::isnan(out[q]) ? kNone : std::max(out[q], out[q - 1]);
}

}  // namespace

Calibration::Calibration(std::size_t horizon, std::vector<ScoreSet> sets,
                         const std::vector<float>& quantiles)
    : horizon_(horizon), sets_(std::move(sets)), scores_(quantiles.size()) {
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (std::size_t h = 0; h < horizon_; ++h) {
      set_quantiles(s, h, std::span(quantiles).subspan((s * horizon_ + h) * kGrid, kGrid));
    }
  }
}

void Calibration::set_quantiles(std::size_t set, std::size_t step,
                                std::span<const float> quantiles) {
  for (std::size_t q = 0; q < kGrid; ++q) {
    scores_[(set * kGrid + q) * horizon_ + step] = quantiles[q];
  }
}

std::vector<float> Calibration::quantiles() const {
  std::vector<float> all(scores_.size());
  for (std::size_t s = 0; s < sets_.size(); ++s) {
    for (std::size_t h = 0; h < horizon_; ++h) {
      for (std::size_t q = 0; q < kGrid; ++q) {
        all[(s * horizon_ + h) * kGrid + q] = scores_of(s, q)[h];
      }
    }
  }
  return all;
}

void Calibration::scores(std::size_t set, const GridPlace& place, std::span<const float> factors,
                         std::span<float> out) const {
  const float* const here = scores_of(set, place.first);
  const std::size_t H = out.size();
  if (place.share == 0.0) {
    for (std::size_t h = 0; h < H; ++h) out[h] = factors[h] * here[h];
    return;
  }
  for (std::size_t h = 0; h < H; ++h) out[h] = factors[h] * score(set, h, place);
}

std::size_t Calibration::all_scores() const {
  std::size_t all = 0;
  for (const ScoreSet& set : sets_) all += set.scores;
  return all;
}

std::size_t Calibration::set_of(std::size_t channel, bool is_panel, const LookBack& look) const {
  if (!is_panel) return channel;
  std::size_t set = 0;
  while (set + 1 < sets_.size() && !(double{look.deviation} < sets_[set].until)) ++set;
  return set;
}

void Calibration::require(std::span<const double> probabilities, const std::string& where) const {
  for (const double probability : probabilities) {
    const GridPlace place = grid_place(probability);
    // The one on the outer side, which takes most scores.
    const std::size_t q = place.share > 0.0 && probability > 0.5 ? place.first + 1 : place.first;
    const std::size_t needed = scores_needed(kProbabilities[q]);
    if (all_scores() >= needed) continue;
    throw make_error(ErrorKind::kData, where,
                     "the quantile at {:g} takes {} of past forecasts, and the model was trained "
                     "with {}; validation rows for {} more would do",
                     probability, counted(needed, "score"), all_scores(),
                     counted(needed - all_scores(), "window"))
        .with(remedy::advice("train with more rows, or ask for a narrower range"));
  }
}

void Calibration::set_head(std::shared_ptr<const QuantileHead> head, std::vector<float> units) {
  assert(units.size() == sets_.size() * horizon_);
  head_ = std::move(head);
  units_ = std::move(units);
}

void Calibration::rescale(std::size_t set, double ratio) {
  LocalScale& scale = sets_[set].scale;
  const double power = 1.0 - scale.deviation_power - scale.recent_power;
  const auto factor = static_cast<float>(std::pow(ratio, power));
  scale.least_deviation *= ratio;
  scale.least_recent *= ratio;
  for (float& value : std::span(scores_).subspan(set * horizon_ * kGrid, horizon_ * kGrid)) {
    value *= factor;
  }
  if (!head_) return;
  for (float& value : std::span(units_).subspan(set * horizon_, horizon_)) value *= factor;
}

Calibration calibrate(const ErrorSheet& learnt, const ErrorSheet& ranked, std::size_t period,
                      bool is_panel, ThreadPool& pool) {
  const std::size_t H = ranked.horizon;
  std::vector<LocalScale> scales(ranked.channels);
  if (learnt.windows > 0) scales = learn_scales(learnt, period, pool);
  const Grouping groups = is_panel ? by_deviation(ranked) : by_channel(ranked);
  const std::size_t S = groups.windows.size();
  std::vector<ScoreSet> sets(S);
  std::vector<SortedScores> scores(S);
  pool.run(S, [&](std::size_t s, std::size_t) {
    sets[s] = {scales[is_panel ? 0 : s], groups.windows[s].size(), groups.until[s]};
    scores[s] = scores_of(ranked, groups.windows[s], sets[s].scale);
  });
  std::vector<float> quantiles(S * H * kGrid);
  pool.run(S, [&](std::size_t s, std::size_t) {
    for (std::size_t h = 0; h < H; ++h) {
      fill_quantiles(scores, s, h, std::span(quantiles).subspan((s * H + h) * kGrid, kGrid));
    }
  });
  return {H, std::move(sets), quantiles};
}

}  // namespace pulsecast::calibrate
