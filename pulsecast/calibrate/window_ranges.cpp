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
      step_(request.size()),
      distances_(request.size() * horizon_) {
  if (calibration.head() == nullptr) return;
  reader_.emplace(*calibration.head(), request);
  shifts_.resize(request.size() * horizon_);
}

void WindowRanges::look(std::size_t set, const Outlook& window) {
  calibration_.sets()[set].scale.of(window.look, window.phases, scales_);
  if (!reader_) return;
  const auto said = reader_->shifts(calibration_.head_channel(set), calibration_.sets()[set].scale,
                                    window, 0, horizon_);
  const std::size_t P = request_.size();
  for (std::size_t h = 0; h < horizon_; ++h) {
    const float unit = calibration_.unit(set, h);
    for (std::size_t p = 0; p < P; ++p) shifts_[h * P + p] = unit * said[h * P + p];
  }
}

void WindowRanges::make(std::size_t set, const Outlook& window) {
  look(set, window);
  const std::size_t P = request_.size();
  if (correction_ == nullptr && !reader_) {
    for (std::size_t p = 0; p < P; ++p) {
      calibration_.scores(set, request_.place(p), scales_,
                          std::span(distances_).subspan(p * horizon_, horizon_));
    }
    return;
  }
  for (std::size_t h = 0; h < horizon_; ++h) {
    for (std::size_t p = 0; p < P; ++p) {
      step_[p] = correction_ != nullptr ? correction_->score(set, h, p)
                                        : calibration_.score(set, h, request_.place(p));
      if (reader_) step_[p] += shifts_[h * P + p];
    }
    // Each is moved by itself; sorted they are at least as good (Chernozhukov et al., 2010).
    std::ranges::sort(step_);
    for (std::size_t p = 0; p < P; ++p) distances_[p * horizon_ + h] = scales_[h] * step_[p];
  }
}

}  // namespace pulsecast::calibrate
