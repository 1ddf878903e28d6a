#include "pulsecast/train/interval_choice.h"

#include <array>

#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/calibrate/window_ranges.h"
#include "pulsecast/metrics/interval_scores.h"

namespace pulsecast::train {
namespace {

constexpr std::array kLevels = {80.0, 95.0};

double score_of(const calibrate::Calibration& ranges, const calibrate::ErrorSheet& sheet,
                bool is_panel, ThreadPool& pool) {
  const calibrate::RangeRequest request(kLevels, {});
  std::vector<std::vector<IntervalSums>> sums(kLevels.size());
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    sums[i].assign(sheet.channels, IntervalSums(sheet.horizon, kLevels[i]));
  }
  pool.run(sheet.channels, [&](std::size_t c, std::size_t) {
    calibrate::WindowRanges made(ranges, request, nullptr);
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      if (!sheet.has(c, w)) continue;
      const calibrate::Outlook window = sheet.outlook_of(c, w);
      made.make(ranges.set_of(c, is_panel, window.look), window);
      const auto errors = sheet.errors_of(c, w);
      for (std::size_t i = 0; i < kLevels.size(); ++i) {
        const auto& level = request.levels()[i];
        for (std::size_t h = 0; h < sheet.horizon; ++h) {
          sums[i][c].add_step(h, double{made.distance(level.lower, h)},
                              double{made.distance(level.upper, h)}, double{errors[h]});
        }
      }
    }
  });
  double score = 0.0;
  for (const auto& channels : sums) {
    score += interval_table(channels).overall.score / static_cast<double>(kLevels.size());
  }
  return score;
}

}  // namespace

MethodScores compare_methods(const calibrate::ErrorSheet& learnt, std::size_t period, bool is_panel,
                             const std::shared_ptr<const calibrate::QuantileHead>& head,
                             ThreadPool& pool) {
  const calibrate::ErrorSheet older = learnt.part(0, learnt.windows / 2);
  const calibrate::ErrorSheet newer = learnt.part(learnt.windows / 2, learnt.windows);
  calibrate::Calibration ranges = calibrate::calibrate(learnt, older, period, is_panel, pool);
  MethodScores scores;
  scores.residual = score_of(ranges, newer, is_panel, pool);
  const std::vector<float> units = calibrate::usual_scores(older, ranges, pool);
  calibrate::add_head(head, units, older, is_panel, ranges, pool);
  scores.quantile = score_of(ranges, newer, is_panel, pool);
  return scores;
}

}  // namespace pulsecast::train
