#include "pulsecast/calibrate/conformal_head.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/calibrate/rank.h"

namespace pulsecast::calibrate {
namespace {

constexpr std::size_t kMostShifts = std::size_t{1} << 22;  // in memory at once, of a thread

// Ranks what is left of the scores of one set, some steps at a time.
void rank_set(const QuantileHead& head, std::span<const float> units, const ErrorSheet& sheet,
              std::span<const SetWindow> windows, std::size_t set, Calibration& calibration) {
  const std::size_t H = sheet.horizon;
  const std::size_t n = windows.size();
  const LocalScale& scale = calibration.sets()[set].scale;
  HeadReader reader(head);
  std::vector<float> scales(H);
  const std::size_t at_once = std::clamp<std::size_t>(kMostShifts / (n * kGrid), 1, H);
  std::vector<float> left(at_once * kGrid * n);
  for (std::size_t first = 0; first < H; first += at_once) {
    const std::size_t steps = std::min(at_once, H - first);
    for (std::size_t i = 0; i < n; ++i) {
      const Outlook window = sheet.outlook_of(windows[i].channel, windows[i].window);
      const auto errors = sheet.errors_of(windows[i].channel, windows[i].window);
      const auto shifts = reader.shifts(windows[i].channel, scale, window, first, steps);
      scale.of(window.look, window.phases, scales);
      for (std::size_t h = 0; h < steps; ++h) {
        const float score = errors[first + h] / scales[first + h];
        for (std::size_t q = 0; q < kGrid; ++q) {
          left[(h * kGrid + q) * n + i] = score - units[first + h] * shifts[q * steps + h];
        }
      }
    }
    for (std::size_t h = 0; h < steps; ++h) {
      std::array<float, kGrid> out{};
      for (std::size_t q = 0; q < kGrid; ++q) {
        const auto own = std::span(left).subspan((h * kGrid + q) * n, n);
        const auto at = own.begin() + static_cast<std::ptrdiff_t>(*rank_of(n, kProbabilities[q]));
        std::nth_element(own.begin(), at - 1, own.end());
        out[q] = *(at - 1);
      }
      // Each is ranked by itself; sorted they are at least as good.
      std::ranges::sort(out);
      calibration.set_quantiles(set, first + h, out);
    }
  }
}

}  // namespace

std::vector<std::vector<SetWindow>> windows_of_sets(const ErrorSheet& sheet, bool is_panel,
                                                    const Calibration& calibration) {
  std::vector<std::vector<SetWindow>> windows(calibration.sets().size());
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      if (!sheet.has(c, w)) continue;
      const LookBack& look = sheet.looks[c * sheet.windows + w];
      windows[calibration.set_of(c, is_panel, look)].push_back({c, w});
    }
  }
  return windows;
}

std::vector<float> usual_scores(const ErrorSheet& sheet, const Calibration& calibration,
                                ThreadPool& pool) {
  const std::size_t H = sheet.horizon;
  std::vector<float> usual(sheet.channels * H);
  pool.run(sheet.channels, [&](std::size_t c, std::size_t) {
    std::vector<double> sums(H, 0.0);
    std::vector<float> scales(H);
    std::size_t count = 0;
    for (std::size_t w = 0; w < sheet.windows; ++w) {
      if (!sheet.has(c, w)) continue;
      const Outlook window = sheet.outlook_of(c, w);
      calibration.sets()[c].scale.of(window.look, window.phases, scales);
      const auto errors = sheet.errors_of(c, w);
      for (std::size_t h = 0; h < H; ++h) sums[h] += std::abs(errors[h] / scales[h]);
      ++count;
    }
    for (std::size_t h = 0; h < H; ++h) {
      usual[c * H + h] =
          count > 0 ? static_cast<float>(sums[h] / static_cast<double>(count)) : 0.0f;
    }
  });
  return usual;
}

bool add_head(std::shared_ptr<const QuantileHead> head, const std::vector<float>& units,
              const ErrorSheet& ranked, bool is_panel, Calibration& calibration, ThreadPool& pool) {
  const std::size_t H = ranked.horizon;
  const auto windows = windows_of_sets(ranked, is_panel, calibration);
  std::vector<float> of_sets(windows.size() * H, 0.0f);
  std::vector<std::size_t> sets;
  for (std::size_t s = 0; s < windows.size(); ++s) {
    if (windows[s].size() < kLeastOfHead) continue;
    sets.push_back(s);
    std::copy_n(units.begin() + static_cast<std::ptrdiff_t>((is_panel ? 0 : s) * H), H,
                of_sets.begin() + static_cast<std::ptrdiff_t>(s * H));
  }
  if (sets.empty()) return false;
  pool.run(sets.size(), [&](std::size_t i, std::size_t) {
    const std::size_t s = sets[i];
    rank_set(*head, std::span(of_sets).subspan(s * H, H), ranked, windows[s], s, calibration);
  });
  calibration.set_head(std::move(head), std::move(of_sets));
  return true;
}

}  // namespace pulsecast::calibrate
