#include "pulsecast/calibrate/gain_choice.h"

#include <algorithm>
#include <array>

#include "pulsecast/calibrate/online_correction.h"

namespace pulsecast::calibrate {
namespace {

// Slower ones keep coverage within two points of the promise no more.
constexpr std::array kGains = {0.5, 1.0};
constexpr std::array kTried = {0.1, 0.9};  // quantiles

double quantile_loss(double probability, double quantile, double score) {
  return score > quantile ? probability * (score - quantile)
                          : (1.0 - probability) * (quantile - score);
}

// (sets) losses of ranges that follow the windows of the sheet, in units of scores.
std::vector<double> losses_of(const Calibration& calibration, const ErrorSheet& sheet) {
  const std::size_t H = sheet.horizon;
  const RangeRequest request({}, kTried);
  OnlineCorrection correction(calibration, request);
  std::vector<double> losses(sheet.channels, 0.0);
  std::vector<float> scores(H);
  std::vector<float> scales(H);
  for (std::size_t w = 0; w < sheet.windows; ++w) {
    correction.begin(w * sheet.stride);
    for (std::size_t c = 0; c < sheet.channels; ++c) {
      if (!sheet.has(c, w)) continue;
      calibration.sets()[c].scale.of(sheet.looks[c * sheet.windows + w], sheet.phases_of(w),
                                     scales);
      for (std::size_t h = 0; h < H; ++h) {
        scores[h] = sheet.errors_of(c, w)[h] / scales[h];
        for (std::size_t p = 0; p < request.size(); ++p) {
          losses[c] +=
              quantile_loss(request.probabilities()[p], correction.score(c, h, p), scores[h]);
        }
      }
      correction.add(c, scores);
    }
  }
  return losses;
}

}  // namespace

void choose_gains(const ErrorSheet& older, const ErrorSheet& newer, std::size_t period,
                  Calibration& calibration, ThreadPool& pool) {
  std::array<std::vector<double>, kGains.size()> losses;
  const Calibration before = calibrate(older, older, period, false, pool);
  if (before.all_scores() == 0 || newer.windows == 0) return;
  pool.run(kGains.size(), [&](std::size_t g, std::size_t) {
    Calibration tried = before;
    for (std::size_t c = 0; c < newer.channels; ++c) tried.set_gain(c, kGains[g]);
    losses[g] = losses_of(tried, newer);
  });
  for (std::size_t c = 0; c < newer.channels; ++c) {
    std::size_t best = 0;
    for (std::size_t g = 1; g < kGains.size(); ++g) {
      if (losses[g][c] < losses[best][c]) best = g;
    }
    calibration.set_gain(c, kGains[best]);
  }
}

}  // namespace pulsecast::calibrate
