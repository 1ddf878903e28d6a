// What a session does for ranges: forecasts from past rows again, and learns from their misses.
#include <algorithm>
#include <cmath>
#include <limits>

#include "pulsecast/forecast/session.h"

namespace pulsecast {
namespace {

// Older misses have long been followed by newer ones. A replay begins at a multiple of so many rows
// after calibration, so that a forecast does not depend on which were made before it.
constexpr std::size_t kRowsOfAReplay = 4096;

std::size_t replay_from(std::size_t first, std::size_t end) {
  const std::size_t whole = (end - first) / kRowsOfAReplay;
  return first + (whole > 1 ? whole - 1 : 0) * kRowsOfAReplay;
}

}  // namespace

void ForecastSession::correct(const AlignedSeries& rows, std::size_t end, ForecastRanges& ranges) {
  const Series& series = rows.series();
  const artifact::StampRange& seen =
      model_.origin.validated.rows > 0 ? model_.origin.validated : model_.origin.trained;
  const auto after = std::ranges::upper_bound(series.stamps, seen.last);
  const std::size_t first =
      std::max(static_cast<std::size_t>(after - series.stamps.begin()), shape_.lookback);
  if (first >= end) {
    ranges.replay.reset();
    return;
  }
  const std::size_t from = replay_from(first, end);
  if (!ranges.replay || ranges.replay->first != from || ranges.replay->next > end) {
    ranges.replay.emplace(ForecastRanges::Replay{{*model_.ranges, ranges.request()}, from, from});
  }
  ForecastRanges::Replay& replay = *ranges.replay;
  std::vector<RowRange> histories;
  while (replay.next < end) {
    const std::size_t count = std::min(at_once_, end - replay.next);
    histories.clear();
    for (std::size_t i = 0; i < count; ++i) {
      histories.push_back({replay.next + i - shape_.lookback, replay.next + i});
    }
    run(rows, histories);
    for (std::size_t sample = 0; sample < count; ++sample) {
      learn_from(rows, sample, replay.next + sample, ranges);
    }
    replay.next += count;
  }
  replay.correction.advance(end);
}

void ForecastSession::learn_from(const AlignedSeries& rows, std::size_t sample, std::size_t row,
                                 ForecastRanges& ranges) const {
  constexpr float kNone = std::numeric_limits<float>::quiet_NaN();
  const std::size_t C = shape_.channels;
  const std::size_t H = shape_.horizon;
  calibrate::OnlineCorrection& correction = ranges.replay->correction;
  calibrate::WindowRanges made = ranges.ranges();
  std::vector<float> scores(H);
  correction.begin(row);
  for (std::size_t c = 0; c < C; ++c) {
    const std::size_t at = sample * C + c;
    if (gaps_[at] > 0) continue;
    made.look(c, calibrate::outlook(batch_, forecast_, sample, c, ranges.recent_steps()));
    // Also steps that are still to come for this forecast: a later one may go on from here. What
    // counts when is the correction's to know.
    std::ranges::fill(scores, kNone);
    for (std::size_t h = 0; h < H && row + h < rows.target_rows(); ++h) {
      const double came = model_.scaler.scaled(c, rows.channel(c).at(row + h));
      const double effect = model_.effects ? effects_[at * H + h] : 0.0;
      scores[h] = static_cast<float>((came - effect - double{forecast_.values[at * H + h]}) /
                                     double{made.scales()[h]});
    }
    correction.add(c, scores, made.shifts());
  }
}

}  // namespace pulsecast
