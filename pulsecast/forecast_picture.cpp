#include "pulsecast/forecast_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "pulsecast/base/only_errors.h"
#include "pulsecast/report/chart.h"
#include "pulsecast/report/png.h"
#include "pulsecast/report/time_ticks.h"

namespace pulsecast {
namespace {

constexpr double kWidth = 960.0;
constexpr double kHeight = 280.0;
constexpr std::size_t kHorizonsBack = 4;  // of history beside a forecast
constexpr std::size_t kTicks = 8;

double place(Instant instant) { return static_cast<double>(instant.milliseconds); }

// None of a channel that is not in the rows, or has no forecast.
report::Drawing chart_of(const Observations& rows, const SeriesForecast& forecast,
                         const ChannelForecast& channel) {
  std::size_t c = 0;
  while (c < rows.channels() && rows.name(c) != channel.channel) ++c;
  if (c == rows.channels() || channel.values.empty()) return {};
  const std::span<const double> values = rows.values(c);
  const std::span<const Instant> stamps = rows.stamps().subspan(rows.first_row(c), values.size());
  const std::vector<Instant>& ahead = channel.stamps.empty() ? forecast.stamps : channel.stamps;
  const Instant cutoff = channel.cutoff.value_or(forecast.cutoff);
  const auto end =
      static_cast<std::size_t>(std::ranges::upper_bound(stamps, cutoff) - stamps.begin());
  const std::size_t begin = end - std::min(end, kHorizonsBack * ahead.size());

  report::Chart chart{
      .title = channel.channel, .has_marks = false, .width = kWidth, .height = kHeight};
  report::ChartLine past{.name = "history", .is_quiet = true};
  for (std::size_t i = begin; i < end; ++i) past.points.push_back({place(stamps[i]), values[i]});
  report::ChartLine next{.name = "forecast", .series = 1};
  // From the last value on, so that no gap is seen where there is none.
  if (end > begin) next.points.push_back({place(stamps[end - 1]), values[end - 1]});
  for (std::size_t h = 0; h < ahead.size(); ++h) {
    next.points.push_back({place(ahead[h]), channel.values[h]});
  }
  // The widest first, so that narrower ones are seen on it.
  std::vector<const ForecastRange*> ranges;
  for (const ForecastRange& range : channel.ranges) ranges.push_back(&range);
  std::ranges::stable_sort(ranges, std::greater<>(),
                           [](const ForecastRange* r) { return r->level; });
  for (const ForecastRange* range : ranges) {
    report::ChartBand band{.name = fmt::format("{:g} %", range->level), .series = 1};
    for (std::size_t h = 0; h < ahead.size(); ++h) {
      band.places.push_back({place(ahead[h]), range->low[h], range->high[h]});
    }
    chart.bands.push_back(std::move(band));
  }
  const Instant first = end > begin ? stamps[begin] : ahead.front();
  for (const report::TimeTick& tick :
       report::time_ticks(first, ahead.back(), forecast.zone, kTicks)) {
    chart.x_ticks.push_back(place(tick.instant));
    chart.x_names.push_back(tick.text);
  }
  if (channel.status != ChannelForecast::Status::kOk) {
    chart.x_label = fmt::format("{}: {}", name(channel.status), channel.reason);
  }
  chart.lines = {std::move(past), std::move(next)};
  return draw(chart);
}

report::Drawing picture(const Observations& rows, const SeriesForecast& forecast) {
  std::vector<report::Drawing> charts;
  for (const ChannelForecast& channel : forecast.channels) {
    if (charts.size() == kMostPictured) break;
    report::Drawing chart = chart_of(rows, forecast, channel);
    if (!chart.is_empty()) charts.push_back(std::move(chart));
  }
  report::Drawing all = report::stacked(charts);
  all.title = fmt::format("Forecast of {}", rows.source());
  if (charts.size() < forecast.channels.size()) {
    constexpr double kLine = 24.0;
    all.shapes.push_back(report::Label{
        .x = 16,
        .y = all.height + 14,
        .text = fmt::format("{} of {} series", charts.size(), forecast.channels.size())});
    all.height += kLine;
    all.width = kWidth;
  }
  return all;
}

}  // namespace

std::string forecast_svg(const Observations& rows, const SeriesForecast& forecast) {
  return only_errors([&] { return to_svg_file(picture(rows, forecast)); });
}

std::string forecast_png(const Observations& rows, const SeriesForecast& forecast) {
  return only_errors([&] { return report::to_png(picture(rows, forecast)); });
}

}  // namespace pulsecast
