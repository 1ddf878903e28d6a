#include "pulsecast/calibrate/online_correction.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace pulsecast::calibrate {
namespace {

// Measured on ETTh1 and ETTh2 at 96 steps: twice as much follows quicker and costs sharpness.
constexpr double kGain = 0.0067;

// How far one miss moves a quantile: more in the tails, where they are rare and scores lie apart.
double unit_of(double spread, double probability, std::size_t step) {
  const double outside = std::min(probability, 1.0 - probability);
  const double unit = kGain * spread / std::pow(2.0 * outside, 0.75);
  return std::isfinite(unit) ? unit / std::sqrt(static_cast<double>(step + 1)) : 0.0;
}

constexpr std::size_t kBits = 8;

void mark(std::uint8_t* marks, std::size_t bit) {
  marks[bit / kBits] = static_cast<std::uint8_t>(marks[bit / kBits] | (1U << (bit % kBits)));
}

bool is_marked(const std::uint8_t* marks, std::size_t bit) {
  return ((marks[bit / kBits] >> (bit % kBits)) & 1U) != 0;
}

}  // namespace

OnlineCorrection::OnlineCorrection(const Calibration& calibration, const RangeRequest& request)
    : calibration_(calibration),
      request_(request),
      marks_(request.size() / kBits + 1),
      next_(calibration.horizon(), 0) {
  const std::size_t S = calibration.sets().size();
  const std::size_t H = calibration.horizon();
  const GridPlace low = grid_place(0.1);
  const GridPlace high = grid_place(0.9);
  offsets_.assign(S * H * request.size(), 0.0f);
  for (std::size_t s = 0; s < S; ++s) {
    for (std::size_t h = 0; h < H; ++h) {
      const double spread = 0.5 * calibration.sets()[s].gain *
                            double{calibration.score(s, h, high) - calibration.score(s, h, low)};
      for (const double probability : request.probabilities()) {
        units_.push_back(static_cast<float>(unit_of(spread, probability, h)));
      }
    }
  }
}

void OnlineCorrection::learn(const Window& window, std::size_t step) {
  const std::size_t S = calibration_.sets().size();
  const std::size_t P = request_.size();
  for (std::size_t s = 0; s < S; ++s) {
    const std::uint8_t* const marks = window.marks.data() + (step * S + s) * marks_;
    if (!is_marked(marks, P)) continue;
    const std::size_t at = (s * calibration_.horizon() + step) * P;
    for (std::size_t p = 0; p < P; ++p) {
      const double move = request_.probabilities()[p] - (is_marked(marks, p) ? 0.0 : 1.0);
      offsets_[at + p] += units_[at + p] * static_cast<float>(move);
    }
  }
}

void OnlineCorrection::advance(std::size_t row) {
  for (std::size_t h = 0; h < next_.size(); ++h) {
    while (next_[h] - dropped_ < windows_.size()) {
      const Window& window = windows_[next_[h] - dropped_];
      if (window.row + h >= row) break;
      learn(window, h);
      ++next_[h];
    }
  }
  matured_ = *std::ranges::max_element(next_);
  while (dropped_ < *std::ranges::min_element(next_)) {
    windows_.pop_front();
    ++dropped_;
  }
}

void OnlineCorrection::begin(std::size_t row) {
  assert(windows_.empty() || windows_.back().row < row);
  advance(row);
  windows_.push_back({row, std::vector<std::uint8_t>(calibration_.horizon() *
                                                     calibration_.sets().size() * marks_)});
}

void OnlineCorrection::add(std::size_t set, std::span<const float> scores,
                           std::span<const float> shifts) {
  const std::size_t S = calibration_.sets().size();
  const std::size_t P = request_.size();
  Window& window = windows_.back();
  for (std::size_t h = 0; h < scores.size(); ++h) {
    if (std::isnan(scores[h])) continue;
    std::uint8_t* const marks = window.marks.data() + (h * S + set) * marks_;
    mark(marks, P);
    for (std::size_t p = 0; p < P; ++p) {
      const float shift = shifts.empty() ? 0.0f : shifts[p * scores.size() + h];
      if (scores[h] > score(set, h, p) + shift) mark(marks, p);
    }
  }
}

}  // namespace pulsecast::calibrate
