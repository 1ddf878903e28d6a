#include "pulsecast/calibrate/window_ranges.h"

#include <algorithm>

namespace pulsecast::calibrate {

WindowRanges::WindowRanges(const Calibration& calibration, const RangeRequest& request,
                           const OnlineCorrection* correction)
    : calibration_(calibration),
      request_(request),
      correction_(correction),
      horizon_(calibration.horizon()),
      scales_(horizon_),
      distances_(request.size() * horizon_) {}

void WindowRanges::make(std::size_t set, const LookBack& look,
                        std::span<const std::int32_t> phases) {
  calibration_.sets()[set].scale.of(look, phases, scales_);
  const std::size_t P = request_.size();
  if (correction_ == nullptr) {
    for (std::size_t p = 0; p < P; ++p) {
      const GridPlace place = request_.place(p);
      for (std::size_t h = 0; h < horizon_; ++h) {
        distances_[p * horizon_ + h] = scales_[h] * calibration_.score(set, h, place);
      }
    }
    return;
  }
  std::vector<float> step(P);
  for (std::size_t h = 0; h < horizon_; ++h) {
    for (std::size_t p = 0; p < P; ++p) step[p] = correction_->score(set, h, p);
    // Each is corrected by itself; sorted they are at least as good (Chernozhukov et al., 2010).
    std::ranges::sort(step);
    for (std::size_t p = 0; p < P; ++p) distances_[p * horizon_ + h] = scales_[h] * step[p];
  }
}

}  // namespace pulsecast::calibrate
