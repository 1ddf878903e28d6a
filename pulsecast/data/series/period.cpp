#include "pulsecast/data/series/period.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/data/series/autocorrelation.h"

namespace pulsecast {
namespace {

constexpr std::size_t kMostRows = std::size_t{1} << 18;
constexpr std::size_t kFewestRows = 16;
constexpr std::size_t kHarmonics = 6;
constexpr std::size_t kMostCandidates = 8;
constexpr double kWeakest = 0.1;  // strength that is worth a name
constexpr double kFaintestContrast = 0.03;
constexpr double kNeighbourhood = 0.1;  // a candidate is the best of its lag +- 10 %
constexpr double kTie = 0.03;           // strengths within 3 % are equal
constexpr double kSnap = 0.03;          // so are lags and multiples of the calendar

double interpolated(std::span<const double> r, double lag) {
  const auto below = static_cast<std::size_t>(lag);
  const double part = lag - static_cast<double>(below);
  if (part == 0.0) return r[below];
  return r[below] * (1.0 - part) + r[below + 1] * part;
}

struct Contrast {
  double mean = 0.0;
  double least = 0.0;
  std::size_t harmonics = 0;
};

Contrast contrast_at(std::span<const double> r, std::size_t lag) {
  const auto k = static_cast<double>(lag);
  const double last = static_cast<double>(r.size() - 1);
  Contrast result;
  double sum = 0.0;
  for (std::size_t j = 1; j <= kHarmonics; ++j) {
    const auto harmonic = static_cast<double>(j);
    if ((harmonic + 0.5) * k > last) break;
    const double troughs =
        interpolated(r, (harmonic - 0.5) * k) + interpolated(r, (harmonic + 0.5) * k);
    const double contrast = r[j * lag] - 0.5 * troughs;
    result.least = j == 1 ? contrast : std::min(result.least, contrast);
    sum += contrast;
    result.harmonics = j;
  }
  if (result.harmonics > 0) result.mean = sum / static_cast<double>(result.harmonics);
  return result;
}

// What chance alone gives. The spread of an autocorrelation estimate grows with the persistence of
// the series (Bartlett), read off the lags before its first trough.
struct NoiseFloor {
  double strength;  // below it a crest means nothing
  double spread;    // standard error of r for a series of this persistence
  double white;     // and for one without any
};

NoiseFloor noise_floor(std::span<const double> r, std::size_t rows, std::size_t most_lag) {
  std::size_t trough = 1;
  double squares = 0.0;
  while (trough + 1 < r.size() && r[trough + 1] < r[trough] && r[trough] > 0.0) {
    squares += r[trough] * r[trough];
    ++trough;
  }
  const auto count = static_cast<double>(rows);
  const double white = 1.0 / std::sqrt(count);
  const double spread = std::sqrt((1.0 + 2.0 * squares) / count);
  // The largest of m normal draws is about sqrt(2 log m); lags closer than the first trough are
  // not separate draws.
  const auto lags = static_cast<double>(most_lag);
  const double separate = std::max(2.0, lags / static_cast<double>(trough));
  const double of_white = (std::sqrt(2.0 * std::log(lags)) + 1.0) * white;
  // A strong slow cycle looks like persistence to this estimate: it must not raise the bar for
  // itself without end.
  constexpr double kMostSpread = 0.1;
  const double of_coloured =
      (std::sqrt(2.0 * std::log(separate)) + 0.5) * std::min(spread, kMostSpread);
  return {std::max({kWeakest, of_white, of_coloured}), spread, white};
}

bool stands_out(const Contrast& contrast, double strength, const NoiseFloor& noise) {
  // A contrast is of three estimates: one whole and two halves, so its variance is 1.5 of one.
  const double error = noise.spread * std::sqrt(1.5 / static_cast<double>(contrast.harmonics));
  return strength >= noise.strength && contrast.least > 0.0 &&
         contrast.mean >= std::max(kFaintestContrast, 2.0 * error);
}

// Multiples of the calendar that a lag may be meant to be, in milliseconds.
std::vector<double> calendar_lengths() {
  constexpr double kMinute = 60.0 * 1000.0;
  constexpr double kHour = 60.0 * kMinute;
  constexpr double kDay = static_cast<double>(kDayMilliseconds);
  constexpr double kYear = 365.2425 * kDay;
  std::vector<double> lengths;
  for (const double minutes : {1.0, 5.0, 10.0, 15.0, 30.0}) lengths.push_back(minutes * kMinute);
  for (const double hours : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0}) lengths.push_back(hours * kHour);
  for (const double days : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) lengths.push_back(days * kDay);
  for (const double weeks : {1.0, 2.0, 3.0, 4.0}) lengths.push_back(weeks * 7.0 * kDay);
  for (const double parts : {1.0 / 12.0, 0.25, 0.5, 1.0}) lengths.push_back(parts * kYear);
  return lengths;
}

std::size_t snapped(std::size_t lag, const Step& step) {
  const auto measured = static_cast<double>(lag);
  double nearest = measured;
  double distance = kSnap * measured;
  for (const double length : calendar_lengths()) {
    const double steps = std::round(length / step.mean_milliseconds());
    if (steps >= 2.0 && std::abs(steps - measured) <= distance) {
      nearest = steps;
      distance = std::abs(steps - measured);
    }
  }
  return static_cast<std::size_t>(nearest);
}

// In order of lag.
std::vector<PeriodCandidate> find_candidates(std::span<const double> r, std::size_t most_lag,
                                             const NoiseFloor& noise) {
  std::vector<Contrast> contrasts(most_lag + 1);
  for (std::size_t lag = 2; lag <= most_lag; ++lag) contrasts[lag] = contrast_at(r, lag);
  std::vector<PeriodCandidate> candidates;
  for (std::size_t lag = 2; lag <= most_lag; ++lag) {
    if (!stands_out(contrasts[lag], r[lag], noise)) continue;
    const auto reach = std::max<std::size_t>(
        1, static_cast<std::size_t>(kNeighbourhood * static_cast<double>(lag)));
    const std::size_t from = std::max<std::size_t>(2, lag - std::min(lag, reach));
    const std::size_t to = std::min(most_lag, lag + reach);
    const bool is_best =
        std::all_of(contrasts.begin() + static_cast<std::ptrdiff_t>(from),
                    contrasts.begin() + static_cast<std::ptrdiff_t>(to + 1),
                    [&](const Contrast& c) { return c.mean <= contrasts[lag].mean; });
    if (is_best) candidates.push_back({lag, r[lag], contrasts[lag].mean});
  }
  return candidates;
}

}  // namespace

PeriodFinding find_period(std::span<const std::span<const double>> channels, const Step& step) {
  if (channels.empty() || channels.front().size() < kFewestRows) return {};
  const std::size_t rows = std::min(channels.front().size(), kMostRows);
  std::vector<std::span<const double>> recent;
  for (const auto& channel : channels) recent.push_back(channel.last(rows));
  const std::vector<double> r = mean_autocorrelation(recent, rows / 4 * 3);
  if (r.empty()) return {};

  const std::size_t most_lag = rows / 4;
  const NoiseFloor noise = noise_floor(r, rows, most_lag);
  PeriodFinding finding;
  finding.candidates = find_candidates(r, most_lag, noise);
  if (finding.candidates.empty()) return finding;

  const double strongest =
      std::ranges::max(finding.candidates, {}, &PeriodCandidate::strength).strength;
  const double enough = strongest - std::max(kTie * strongest, 3.0 * noise.white);
  finding.period = *std::ranges::find_if(
      finding.candidates, [&](const PeriodCandidate& c) { return c.strength >= enough; });
  finding.period->lag = snapped(finding.period->lag, step);

  std::ranges::stable_sort(finding.candidates, std::greater{}, &PeriodCandidate::strength);
  if (finding.candidates.size() > kMostCandidates) finding.candidates.resize(kMostCandidates);
  return finding;
}

namespace {

// Newest rows to look at: all of them, or of a panel as many as three quarters of the series have,
// so that short ones do not count for nothing.
std::size_t usual_length(const std::vector<const Channel*>& channels, RowRange rows) {
  std::vector<std::size_t> lengths;
  for (const Channel* channel : channels) {
    const RowRange own = channel->rows();
    const std::size_t begin = std::max(own.begin, rows.begin);
    lengths.push_back(std::max(begin, std::min(own.end, rows.end)) - begin);
  }
  if (lengths.empty()) return 0;
  const auto quarter = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() / 4);
  std::ranges::nth_element(lengths, quarter);
  return *quarter;
}

}  // namespace

PeriodFinding find_period(const Series& series) { return find_period(series, {0, series.rows()}); }

PeriodFinding find_period(const Series& series, RowRange rows) {
  std::vector<std::span<const double>> targets;
  std::vector<std::vector<double>> aligned;
  const std::vector<const Channel*> asked = some_targets(series);
  const std::size_t newest = usual_length(asked, rows);
  for (const Channel* channel : asked) {
    const RowRange own = channel->rows();
    if (own.begin <= rows.begin && own.end >= rows.end) {
      targets.push_back(
          std::span(channel->values).subspan(rows.begin - own.begin, rows.size()).last(newest));
      continue;
    }
    // A series of a panel: its newest rows, ending with the others'.
    const std::size_t end = std::min(own.end, rows.end);
    std::vector<double>& values = aligned.emplace_back(newest, kMissing);
    for (std::size_t i = 0; i < newest && end > i; ++i) {
      values[newest - 1 - i] = channel->at(end - 1 - i);
    }
  }
  for (const std::vector<double>& values : aligned) targets.emplace_back(values);
  return find_period(targets, series.step);
}

}  // namespace pulsecast
