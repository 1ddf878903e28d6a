#include "pulsecast/data/repair/fill_channels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/repair/fill.h"
#include "pulsecast/data/repair/repair_remedies.h"
#include "pulsecast/data/series/period.h"

namespace pulsecast {
namespace {

std::size_t count_missing(std::span<const double> values) {
  return static_cast<std::size_t>(
      std::count_if(values.begin(), values.end(), [](double v) { return std::isnan(v); }));
}

// The part of a channel that should have values.
std::span<double> wanted(Series& series, std::size_t channel, RowSpan range, Instant end_of_past) {
  Channel& own = series.channels[channel];
  if (own.role != Role::kKnown) {
    while (range.end > range.begin && series.stamps[range.end - 1] > end_of_past) --range.end;
  }
  return std::span(own.values).subspan(range.begin - own.begin, range.end - range.begin);
}

std::size_t seasonal_period(const DataSettings& settings, const Series& series) {
  if (settings.period) return static_cast<std::size_t>(*settings.period);
  const PeriodFinding found = find_period(series);
  if (found.period) return found.period->lag;
  throw make_error(ErrorKind::kData, Place(series.source).about("fill"),
                   "seasonal needs a period, and none was found in the values")
      .with(remedy::example("period", "24", "is that of hours of a day"));
}

const char* description(Fill fill) {
  switch (fill) {
    case Fill::kZero:
      return "0";
    case Fill::kPrevious:
      return "the value before";
    case Fill::kLinear:
      return "a straight line";
    case Fill::kSeasonal:
      return "the value one period earlier";
    case Fill::kNone:
    case Fill::kRefuse:
      break;
  }
  return "nothing";
}

}  // namespace

void fill_channels(Series& series, const std::vector<RowSpan>& ranges, Instant end_of_past,
                   const DataSettings& settings, std::vector<std::string>& repairs) {
  std::size_t missing = 0;
  std::size_t channels = 0;
  std::string first_gap;
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const std::span<double> values = wanted(series, c, ranges[c], end_of_past);
    const std::size_t own = count_missing(values);
    if (own == 0) continue;
    if (missing == 0) {
      const auto at =
          std::find_if(values.begin(), values.end(), [](double v) { return std::isnan(v); });
      const std::size_t row = ranges[c].begin + static_cast<std::size_t>(at - values.begin());
      first_gap = fmt::format("'{}' has none at {}", series.channels[c].name,
                              to_text(series.stamps[row], series.zone));
    }
    missing += own;
    ++channels;
  }
  if (missing == 0) return;
  if (settings.fill == Fill::kRefuse) {
    throw make_error(ErrorKind::kData, series.source, "{} missing in {} of {}; {}",
                     counted(missing, "value is", "values are"), channels,
                     counted(series.channels.size(), "channel"), first_gap)
        .with(fill_remedies())
        .with(remedy::act(RemedyAction::kCheckRows, "to list every gap"));
  }
  if (settings.fill == Fill::kNone) {
    repairs.push_back(
        counted(missing, "missing value left as a gap", "missing values left as gaps"));
    return;
  }
  const std::size_t period =
      settings.fill == Fill::kSeasonal ? seasonal_period(settings, series) : 1;
  std::size_t filled = 0;
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const std::span<double> values = wanted(series, c, ranges[c], end_of_past);
    filled += settings.fill == Fill::kZero     ? fill_zero(values)
              : settings.fill == Fill::kLinear ? fill_linear(values)
                                               : fill_seasonal(values, period);
  }
  repairs.push_back(fmt::format("{} filled with {}", counted(filled, "missing value"),
                                description(settings.fill)));
  if (filled < missing) {
    repairs.push_back(counted(
        missing - filled, "missing value at the edges has nothing to fill from and stays a gap",
        "missing values at the edges have nothing to fill from and stay gaps"));
  }
}

}  // namespace pulsecast
