#include "pulsecast/data/oddities/odd_values.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "pulsecast/data/oddities/stuck_runs.h"

namespace pulsecast {
namespace {

// Too few values say nothing about what is usual.
constexpr std::size_t kFewestValues = 24;
constexpr std::size_t kFewestDistinct = 10;

constexpr std::array kCodes = {-1.0,       -9.0,    -99.0,         -99.9,       -99.99,   -999.0,
                               -999.9,     -999.99, -9999.0,       -9999.9,     -99999.0, -999999.0,
                               -9999999.0, 99.0,    99.9,          99.99,       999.0,    999.9,
                               999.99,     9999.0,  9999.9,        99999.0,     999999.0, 9999999.0,
                               -32768.0,   32767.0, 65535.0,       -6999.0,     -7777.0,  -8888.0,
                               8888.0,     88888.0, -2147483648.0, 2147483647.0};

bool is_code(double value) { return std::ranges::find(kCodes, value) != kCodes.end(); }

// The values of a channel by size, from which the ends are peeled.
class Peeler {
 public:
  explicit Peeler(std::span<const double> values) : values_(values) {
    for (const double value : values) {
      if (!std::isnan(value)) sorted_.push_back(value);
    }
    std::ranges::sort(sorted_);
    end_ = sorted_.size();
  }

  bool is_enough() const {
    if (sorted_.size() < kFewestValues) return false;
    std::size_t distinct = 1;
    for (std::size_t i = 1; i < sorted_.size(); ++i) distinct += sorted_[i] != sorted_[i - 1];
    return distinct >= kFewestDistinct;
  }

  // Codes are taken off the ends first, for they may be many; what is then left says how far
  // single values lie.
  void peel() {
    while (peel_code()) {
    }
    peel_far();
  }

  double low() const { return sorted_[begin_]; }
  double high() const { return sorted_[end_ - 1]; }
  const std::set<double>& codes() const { return codes_; }
  const std::set<double>& far() const { return far_; }

 private:
  double median() const { return sorted_[begin_ + (end_ - begin_) / 2]; }

  bool peel_code() {
    const std::size_t above = static_cast<std::size_t>(
        std::lower_bound(sorted_.begin(), sorted_.end(), high()) - sorted_.begin());
    if (is_code(high()) && is_rare(end_ - above) && is_apart(high(), sorted_[above - 1])) {
      codes_.insert(high());
      end_ = above;
      return true;
    }
    const std::size_t below = static_cast<std::size_t>(
        std::upper_bound(sorted_.begin(), sorted_.end(), low()) - sorted_.begin());
    if (!is_code(low()) || !is_rare(below - begin_)) return false;
    const double next = sorted_[below];
    const bool is_only_negative = low() < 0 && next >= 0;
    if (!is_apart(low(), next) && !(is_only_negative && is_abrupt(low()))) return false;
    codes_.insert(low());
    begin_ = below;
    return true;
  }

  // Less than half of what is left.
  bool is_rare(std::size_t count) const { return 2 * count < end_ - begin_; }

  // Farther from the nearest other value than that is from the middle, several times over.
  bool is_apart(double value, double next) const {
    constexpr double kTimes = 3;
    return std::abs(value - next) > kTimes * std::abs(next - median());
  }

  // Whether the channel jumps to this value and back, rather than drifting there.
  bool is_abrupt(double code) const {
    std::vector<double> changes, jumps;
    double before = std::nan("");
    bool was_code = false;
    for (const double value : values_) {
      if (std::isnan(value)) continue;
      if (value == code) {
        was_code = true;
        if (!std::isnan(before)) jumps.push_back(before - code);
        continue;
      }
      if (was_code) jumps.push_back(value - code);
      if (!was_code && !std::isnan(before)) changes.push_back(std::abs(value - before));
      was_code = false;
      before = value;
    }
    constexpr double kTimes = 8;
    constexpr double kNearlyAll = 0.9;
    if (changes.empty() || jumps.empty()) return false;
    const auto middle = changes.begin() + static_cast<std::ptrdiff_t>(changes.size() / 2);
    std::ranges::nth_element(changes, middle);
    const auto abrupt =
        std::ranges::count_if(jumps, [&](double jump) { return jump > kTimes * *middle; });
    return *middle > 0 && static_cast<double>(abrupt) >= kNearlyAll * double(jumps.size());
  }

  // Where one value makes up much of the channel (no rain, nothing sold) any peak is far from it.
  bool has_usual_value() const {
    constexpr double kMuch = 0.3;
    std::size_t run = 0, longest = 0;
    for (std::size_t i = begin_; i < end_; ++i) {
      run = i > begin_ && sorted_[i] == sorted_[i - 1] ? run + 1 : 1;
      longest = std::max(longest, run);
    }
    return static_cast<double>(longest) > kMuch * static_cast<double>(end_ - begin_);
  }

  // Single values beyond a wide gap, at most one in five hundred.
  void peel_far() {
    if (has_usual_value()) return;
    const std::size_t most = std::clamp<std::size_t>((end_ - begin_) / 500, 1, 20);
    for (std::size_t count = most; count > 0; --count) {
      const double value = sorted_[end_ - count];
      const double next = sorted_[end_ - count - 1];
      if (!is_far(value, next) || (low() >= 0 && value < kTimesAsHigh * next)) continue;
      far_.insert(sorted_.begin() + static_cast<std::ptrdiff_t>(end_ - count),
                  sorted_.begin() + static_cast<std::ptrdiff_t>(end_));
      end_ -= count;
      break;
    }
    for (std::size_t count = most; count > 0; --count) {
      const double value = sorted_[begin_ + count - 1];
      const double next = sorted_[begin_ + count];
      // Nothing at all is a measurement: a shop was closed, a line was down.
      if (value == 0 || !is_far(value, next)) continue;
      if (value > 0 && kTimesAsHigh * value > next) continue;
      far_.insert(sorted_.begin() + static_cast<std::ptrdiff_t>(begin_),
                  sorted_.begin() + static_cast<std::ptrdiff_t>(begin_ + count));
      begin_ += count;
      break;
    }
  }

  bool is_far(double value, double next) const {
    constexpr double kTimes = 40;
    return std::abs(value - next) > kTimes * std::abs(next - median());
  }

  static constexpr double kTimesAsHigh = 20;

  std::span<const double> values_;
  std::vector<double> sorted_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::set<double> codes_;
  std::set<double> far_;
};

// Rows that follow one another and are odd in the same way; missing values do not part them.
void add_runs(std::span<const double> values, const std::set<double>& wanted, OddRun::Kind kind,
              std::vector<OddRun>& runs) {
  if (wanted.empty()) return;
  const std::size_t first = runs.size();
  bool is_open = false;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    const bool is_odd = wanted.contains(values[i]);
    const bool goes_on = is_odd && is_open && runs.size() > first &&
                         (kind == OddRun::Kind::kFar || runs.back().value == values[i]);
    if (goes_on) {
      runs.back().end = i + 1;
      ++runs.back().count;
      if (std::abs(values[i]) > std::abs(runs.back().value)) runs.back().value = values[i];
    } else if (is_odd) {
      runs.push_back({kind, i, i + 1, 1, values[i]});
    }
    is_open = is_odd;
  }
}

}  // namespace

OddValues find_odd_values(std::span<const double> values) {
  Peeler peeler(values);
  OddValues odd;
  if (!peeler.is_enough()) return odd;
  peeler.peel();
  odd.low = peeler.low();
  odd.high = peeler.high();
  add_runs(values, peeler.codes(), OddRun::Kind::kCode, odd.runs);
  add_runs(values, peeler.far(), OddRun::Kind::kFar, odd.runs);
  for (const OddRun& run : stuck_runs(values, odd.low, odd.high)) odd.runs.push_back(run);
  std::ranges::sort(odd.runs, {}, &OddRun::begin);
  return odd;
}

}  // namespace pulsecast
