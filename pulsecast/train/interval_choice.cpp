#include "pulsecast/train/interval_choice.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/calibrate/rank.h"

namespace pulsecast::train {
namespace {

using calibrate::ErrorSheet;
using calibrate::SetWindow;

constexpr std::array kShares = {0.0, 0.25, 0.5, 0.75, 1.0};
// The bounds of the 80 percent range inside those of the 95.
constexpr std::array kBounds = {0.025, 0.1, 0.9, 0.975};
constexpr double kMiss80 = 2.0 / 0.2;
constexpr double kMiss95 = 2.0 / 0.05;
constexpr std::size_t kLeastBlocks = 4;
constexpr std::size_t kMostShifts = std::size_t{1} << 22;  // in memory at once, of a thread

using Bounds = std::array<float, kBounds.size()>;
// Of each window the sum of its scores, by share, and how many there are.
struct WindowSums {
  explicit WindowSums(std::size_t windows) : counts(windows, 0.0) {
    sums.fill(std::vector<double>(windows, 0.0));
  }
  std::array<std::vector<double>, kShares.size()> sums;
  std::vector<double> counts;
};

double interval_score(double low, double high, double value, double miss) {
  return high - low + miss * (std::max(0.0, low - value) + std::max(0.0, value - high));
}

// Scores of some steps of windows of one set, and what the head says of them.
class SetPart {
 public:
  SetPart(const ErrorSheet& sheet, const calibrate::LocalScale& scale,
          calibrate::HeadReader& reader, std::span<const SetWindow> windows, std::size_t first,
          std::size_t steps)
      : sheet_(sheet), windows_(windows), steps_(steps) {
    scores_.reserve(windows.size() * steps);
    std::vector<float> scales(sheet.horizon);
    for (const auto& [channel, window] : windows) {
      const calibrate::Outlook seen = sheet.outlook_of(channel, window);
      const auto errors = sheet.errors_of(channel, window);
      scale.of(seen.look, seen.phases, scales);
      const auto said = reader.shifts(channel, scale, seen, first, steps);
      said_.insert(said_.end(), said.begin(), said.end());
      for (std::size_t h = first; h < first + steps; ++h) {
        scores_.push_back(errors[h] / scales[h]);
        scales_.push_back(scales[h]);
      }
    }
  }

  // The ranks of a step after the head's word, times `unit`, was taken off.
  Bounds ranked(std::size_t step, float unit) const {
    const std::size_t n = windows_.size();
    std::vector<float> left(n);
    Bounds bounds{};
    for (std::size_t q = 0; q < kBounds.size(); ++q) {
      for (std::size_t i = 0; i < n; ++i) left[i] = score(i, step) - unit * said(i, q, step);
      const auto rank = calibrate::rank_of(n, kBounds[q]);
      const auto at = left.begin() + static_cast<std::ptrdiff_t>(*rank - 1);
      std::nth_element(left.begin(), at, left.end());
      bounds[q] = *at;
    }
    return bounds;
  }

  // Adds what ranges of those bounds score.
  void add_scores(std::size_t step, const Bounds& ranks, float unit,
                  std::vector<double>& sums) const {
    for (std::size_t i = 0; i < windows_.size(); ++i) {
      Bounds bounds = ranks;
      for (std::size_t q = 0; q < bounds.size(); ++q) bounds[q] += unit * said(i, q, step);
      std::ranges::sort(bounds);
      const double value = score(i, step);
      sums[windows_[i].window] += 0.5 * double{scales_[i * steps_ + step]} *
                                  (interval_score(bounds[1], bounds[2], value, kMiss80) +
                                   interval_score(bounds[0], bounds[3], value, kMiss95));
    }
  }
  void add_counts(std::vector<double>& counts) const {
    for (const SetWindow& own : windows_) counts[own.window] += static_cast<double>(steps_);
  }

 private:
  float score(std::size_t i, std::size_t step) const { return scores_[i * steps_ + step]; }
  float said(std::size_t i, std::size_t q, std::size_t step) const {
    return said_[(i * kBounds.size() + q) * steps_ + step];
  }

  const ErrorSheet& sheet_;
  std::span<const SetWindow> windows_;
  std::size_t steps_;
  std::vector<float> scores_;  // (windows, steps)
  std::vector<float> scales_;  // (windows, steps)
  std::vector<float> said_;    // (windows, bounds, steps)
};

// Mean absolute scores of a step: what the head's words are in units of.
float usual_score(const std::vector<float>& usual, std::size_t set, bool is_panel,
                  std::size_t horizon, std::size_t step) {
  return usual[(is_panel ? 0 : set) * horizon + step];
}

// Means of blocks of windows, (blocks), of sums over the sets in their order.
std::vector<double> block_means(std::span<const WindowSums> sets, std::size_t share,
                                std::size_t windows, std::size_t blocks) {
  std::vector<double> means;
  for (std::size_t b = 0; b < blocks; ++b) {
    double sum = 0.0;
    double count = 0.0;
    for (std::size_t w = b * windows / blocks; w < (b + 1) * windows / blocks; ++w) {
      for (const WindowSums& set : sets) {
        sum += set.sums[share][w];
        count += set.counts[w];
      }
    }
    if (count > 0.0) means.push_back(sum / count);
  }
  return means;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

// Whether `tried` is worse than `best` by no more than one standard error of the difference.
bool is_as_good(const std::vector<double>& tried, const std::vector<double>& best) {
  std::vector<double> apart;
  for (std::size_t b = 0; b < best.size(); ++b) apart.push_back(tried[b] - best[b]);
  const double mean = mean_of(apart);
  double squares = 0.0;
  for (const double difference : apart) squares += (difference - mean) * (difference - mean);
  const auto n = static_cast<double>(apart.size());
  return n < 2.0 || mean <= std::sqrt(squares / (n * (n - 1.0)));
}

}  // namespace

std::optional<HeadTrial> try_head(const ErrorSheet& learnt, const calibrate::Calibration& ranges,
                                  bool is_panel, const calibrate::QuantileHead& head,
                                  HeadWanted wanted, ThreadPool& pool) {
  const std::size_t H = learnt.horizon;
  const std::size_t half = learnt.windows / 2;
  const calibrate::RangeRequest request({}, kBounds);
  const auto windows = calibrate::windows_of_sets(learnt, is_panel, ranges);
  const std::array usual = {
      calibrate::usual_scores(learnt.part(0, half), ranges, pool),
      calibrate::usual_scores(learnt.part(half, learnt.windows), ranges, pool)};
  std::vector<WindowSums> sums(windows.size(), WindowSums(learnt.windows));
  pool.run(windows.size(), [&](std::size_t s, std::size_t) {
    const std::span<const SetWindow> own = windows[s];
    // Of a panel windows of one channel, so that they ascend here too.
    const auto middle =
        std::ranges::partition_point(own, [&](const SetWindow& w) { return w.window < half; });
    const auto older = static_cast<std::size_t>(middle - own.begin());
    const std::array parts = {own.first(older), own.subspan(older)};
    const std::size_t least = std::min(parts[0].size(), parts[1].size());
    if (least < calibrate::scores_needed(kBounds.back())) return;
    calibrate::HeadReader reader(head, request);
    const std::size_t at_once =
        std::clamp<std::size_t>(kMostShifts / (own.size() * kBounds.size()), 1, H);
    for (std::size_t first = 0; first < H; first += at_once) {
      const std::size_t steps = std::min(at_once, H - first);
      const auto& scale = ranges.sets()[s].scale;
      const std::array sheets = {SetPart(learnt, scale, reader, parts[0], first, steps),
                                 SetPart(learnt, scale, reader, parts[1], first, steps)};
      for (std::size_t from = 0; from < 2; ++from) {
        const SetPart& scored = sheets[1 - from];
        scored.add_counts(sums[s].counts);
        for (std::size_t h = 0; h < steps; ++h) {
          const float unit = usual_score(usual[from], s, is_panel, H, first + h);
          for (std::size_t i = 0; i < kShares.size(); ++i) {
            const float of_head = static_cast<float>(kShares[i]) * unit;
            scored.add_scores(h, sheets[from].ranked(h, of_head), of_head, sums[s].sums[i]);
          }
        }
      }
    }
  });
  const std::size_t blocks = std::clamp(learnt.windows * learnt.stride / H, kLeastBlocks,
                                        std::max(kLeastBlocks, learnt.windows));
  std::array<std::vector<double>, kShares.size()> means;
  for (std::size_t i = 0; i < kShares.size(); ++i) {
    means[i] = block_means(sums, i, learnt.windows, blocks);
  }
  if (means[0].empty()) return std::nullopt;
  const std::size_t least = wanted == HeadWanted::kTold ? 1 : 0;
  std::size_t best = least;
  for (std::size_t i = least; i < kShares.size(); ++i) {
    if (mean_of(means[i]) < mean_of(means[best])) best = i;
  }
  std::size_t chosen = least;
  while (!is_as_good(means[chosen], means[best])) ++chosen;
  const std::size_t told = chosen > 0 ? chosen : std::max<std::size_t>(1, best);
  return HeadTrial{kShares[chosen], mean_of(means[0]), mean_of(means[told])};
}

}  // namespace pulsecast::train
