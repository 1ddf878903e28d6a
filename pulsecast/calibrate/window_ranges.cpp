#include "pulsecast/calibrate/window_ranges.h"

#include <algorithm>

namespace pulsecast::calibrate {
namespace {

bool ascend(const float* low, const float* high, std::size_t count) {
  int below = 0;
  for (std::size_t i = 0; i < count; ++i) below |= static_cast<int>(high[i] < low[i]);
  return below == 0;
}

// Each column of (rows, columns) ascending. Most are: rows change places where some do not.
void sort_columns(std::size_t rows, std::size_t columns, std::span<float> all) {
  for (std::size_t end = rows; end > 1;) {
    std::size_t last = 0;  // from it on all are in their places
    for (std::size_t row = 1; row < end; ++row) {
      float* const low = all.data() + (row - 1) * columns;
      float* const high = low + columns;
      if (ascend(low, high, columns)) continue;
      for (std::size_t i = 0; i < columns; ++i) {
        const float a = low[i];
        const float b = high[i];
        low[i] = std::min(a, b);
        high[i] = std::max(a, b);
      }
      last = row;
    }
    end = last;
  }
}

}  // namespace

WindowRanges::WindowRanges(const Calibration& calibration, const RangeRequest& request,
                           const OnlineCorrection* correction)
    : calibration_(calibration),
      request_(request),
      correction_(correction),
      horizon_(calibration.horizon()),
      scales_(horizon_),
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
  const float* const units = calibration_.units().data() + set * horizon_;
  for (std::size_t p = 0; p < request_.size(); ++p) {
    const float* const own = said.data() + p * horizon_;
    float* const shifts = shifts_.data() + p * horizon_;
    for (std::size_t h = 0; h < horizon_; ++h) shifts[h] = units[h] * own[h];
  }
}

void WindowRanges::make(std::size_t set, const Outlook& window) {
  look(set, window);
  const std::size_t P = request_.size();
  for (std::size_t p = 0; p < P; ++p) {
    const auto out = std::span(distances_).subspan(p * horizon_, horizon_);
    if (correction_ == nullptr && !reader_) {
      calibration_.scores(set, request_.place(p), scales_, out);
      continue;
    }
    if (correction_ != nullptr) {
      for (std::size_t h = 0; h < horizon_; ++h) out[h] = correction_->score(set, h, p);
    } else {
      const GridPlace place = request_.place(p);
      for (std::size_t h = 0; h < horizon_; ++h) out[h] = calibration_.score(set, h, place);
    }
    if (!reader_) continue;
    const float* const shifts = shifts_.data() + p * horizon_;
    for (std::size_t h = 0; h < horizon_; ++h) out[h] += shifts[h];
  }
  if (correction_ == nullptr && !reader_) return;
  // Each is moved by itself; sorted they are at least as good (Chernozhukov et al., 2010).
  sort_columns(P, horizon_, distances_);
  for (std::size_t p = 0; p < P; ++p) {
    float* const out = distances_.data() + p * horizon_;
    for (std::size_t h = 0; h < horizon_; ++h) out[h] *= scales_[h];
  }
}

}  // namespace pulsecast::calibrate
