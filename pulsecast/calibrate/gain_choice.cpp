#include "pulsecast/calibrate/gain_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/calibrate/online_correction.h"
#include "pulsecast/calibrate/window_ranges.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::array kGains = {0.0, 0.25, 0.5, 1.0};
constexpr std::array kTried = {0.025, 0.1, 0.9, 0.975};  // quantiles: the bounds of two ranges
// Losses this near are alike, and then the larger gain holds nearer to what is promised.
constexpr double kHair = 0.01;

double quantile_loss(double probability, double quantile, double score) {
  if (std::isnan(quantile)) return 0.0;  // too few scores, whatever the gain
  return score > quantile ? probability * (score - quantile)
                          : (1.0 - probability) * (quantile - score);
}

// (channels) losses of ranges that follow the windows of the sheet, on scaled data.
std::vector<double> losses_of(const Calibration& calibration, const ErrorSheet& sheet) {
  const std::size_t H = sheet.horizon;
  const RangeRequest request({}, kTried);
  OnlineCorrection correction(calibration, request);
  WindowRanges made(calibration, request, nullptr);
  std::vector<double> losses(sheet.channels, 0.0);
  std::vector<float> scores(H);
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    correction.begin(w * sheet.stride);
    for (std::size_t c = 0; c < sheet.channels; ++c) {
      if (!sheet.has(c, w)) continue;
      made.look(c, sheet.outlook_of(c, w));
      const auto shifts = made.shifts();
      for (std::size_t h = 0; h < H; ++h) {
        const float scale = made.scales()[h];
        scores[h] = sheet.errors_of(c, w)[h] / scale;
        for (std::size_t p = 0; p < request.size(); ++p) {
          const float shift = shifts.empty() ? 0.0f : shifts[p * H + h];
          losses[c] += double{scale} * quantile_loss(request.probabilities()[p],
                                                     correction.score(c, h, p) + shift, scores[h]);
        }
      }
      correction.add(c, scores, shifts);
    }
  }
  return losses;
}

}  // namespace

void choose_gains(const ErrorSheet& older, const ErrorSheet& newer, std::size_t period,
                  Calibration& calibration, ThreadPool& pool) {
  std::array<std::vector<double>, kGains.size()> losses;
  Calibration before = calibrate(older, older, period, false, pool);
  if (before.all_scores() == 0 || newer.windows == 0) return;
  if (calibration.head() != nullptr) {
    add_head(calibration.shared_head(), calibration.units(), older, false, before, pool);
  }
  pool.run(kGains.size(), [&](std::size_t g, std::size_t) {
    Calibration tried = before;
    for (std::size_t c = 0; c < newer.channels; ++c) tried.set_gain(c, kGains[g]);
    losses[g] = losses_of(tried, newer);
  });
  for (std::size_t c = 0; c < newer.channels; ++c) {
    double least = losses[0][c];
    for (const std::vector<double>& of_gain : losses) least = std::min(least, of_gain[c]);
    std::size_t chosen = kGains.size() - 1;
    while (losses[chosen][c] > (1.0 + kHair) * least) --chosen;
    calibration.set_gain(c, kGains[chosen]);
  }
}

}  // namespace pulsecast::calibrate
