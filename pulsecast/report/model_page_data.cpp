#include "pulsecast/report/model_page_data.h"

#include <nlohmann/json.hpp>

#include "pulsecast/report/packed.h"

namespace pulsecast::report {
namespace {

using Json = nlohmann::ordered_json;

Json packed_all(const std::vector<double>& values) { return packed(std::span(values)); }

Json bands_json(const std::vector<Band>& bands) {
  Json all = Json::array();
  for (const Band& band : bands) {
    all.push_back(
        {{"name", band.name}, {"low", packed_all(band.low)}, {"high", packed_all(band.high)}});
  }
  return all;
}

Json errors_json(const std::vector<ErrorLines>& errors) {
  Json all = Json::array();
  for (const ErrorLines& each : errors) {
    Json entry = {{"name", each.name}, {"step", packed_all(each.by_step)}};
    if (!each.by_hour.empty()) entry["hour"] = packed_all(each.by_hour);
    if (!each.by_month.empty()) entry["month"] = packed_all(each.by_month);
    all.push_back(std::move(entry));
  }
  return all;
}

Json channel_json(const ChannelReport& channel, const ChannelReport& first) {
  const bool is_first = &channel == &first;
  Json entry = {{"name", channel.name}};
  if (!channel.status.empty()) entry["status"] = channel.status;
  // Channels of one file share their stamps, and say them once.
  if (is_first || channel.history_stamps != first.history_stamps) {
    entry["x"] = packed_stamps(channel.history_stamps);
  }
  if (is_first || channel.forecast_stamps != first.forecast_stamps) {
    entry["fx"] = packed_stamps(channel.forecast_stamps);
  }
  entry["history"] = packed_all(channel.history);
  entry["forecast"] = packed_all(channel.forecast);
  if (!channel.bands.empty()) entry["bands"] = bands_json(channel.bands);
  Json past = Json::array();
  for (std::size_t i = 0; i < channel.past.size(); ++i) {
    const PastForecast& each = channel.past[i];
    Json own = {{"truth", packed_all(each.truth)}, {"forecast", packed_all(each.forecast)}};
    if (is_first || i >= first.past.size() || each.stamps != first.past[i].stamps) {
      own["x"] = packed_stamps(each.stamps);
    }
    if (!each.bands.empty()) own["bands"] = bands_json(each.bands);
    past.push_back(std::move(own));
  }
  entry["past"] = std::move(past);
  entry["errors"] = errors_json(channel.errors);
  return entry;
}

Json window_json(const WindowReport& window, const WindowReport& first) {
  Json entry = {{"name", window.name},
                {"values", packed_all(window.values)},
                {"past_anchor", packed_all(window.past_anchor)},
                {"anchor", packed_all(window.anchor)},
                {"forecast", packed_all(window.forecast)},
                {"mean", window.mean},
                {"deviation", window.deviation}};
  if (!window.routed.empty()) entry["routed"] = packed_all(window.routed);
  if (&window == &first || window.stamps != first.stamps) {
    entry["x"] = packed_stamps(window.stamps);
  }
  return entry;
}

Json maps_json(const MapsReport& report) {
  Json maps = Json::array();
  for (const MapReport& map : report.maps) {
    maps.push_back(
        {{"name", map.name}, {"x", packed(std::span(map.x))}, {"y", packed(std::span(map.y))}});
  }
  return {{"maps", std::move(maps)},
          {"groups", report.groups},
          {"group_of", report.group_of},
          {"cutoffs", packed_stamps(report.cutoffs)},
          {"grouped_by", report.grouped_by}};
}

Json spectra_json(const std::vector<SpectrumReport>& spectra) {
  Json all = Json::array();
  for (const SpectrumReport& each : spectra) {
    all.push_back({{"name", each.name},
                   {"x", packed_all(each.spectrum.frequencies)},
                   {"y", packed_all(each.spectrum.amplitudes)}});
  }
  return all;
}

}  // namespace

std::string page_data(const ModelReport& report) {
  Json data = {{"zone", report.zone.is_utc() ? "Etc/UTC" : report.zone.name()},
               {"step", report.step},
               {"steps_a_day", report.steps_a_day}};
  Json channels = Json::array();
  for (const ChannelReport& channel : report.channels) {
    channels.push_back(channel_json(channel, report.channels.front()));
  }
  data["channels"] = std::move(channels);
  Json scores = Json::array();
  for (const ScoreReport& score : report.scores) {
    scores.push_back({{"name", score.name}, {"step", packed_all(score.by_step)}});
  }
  data["scores"] = std::move(scores);
  Json coverage = Json::array();
  for (const CoverageReport& each : report.coverage) {
    coverage.push_back({{"name", each.name}, {"step", packed_all(each.by_step)}});
  }
  data["coverage"] = std::move(coverage);
  Json windows = Json::array();
  for (const WindowReport& window : report.windows) {
    windows.push_back(window_json(window, report.windows.front()));
  }
  data["windows"] = std::move(windows);
  if (report.codebook.phases > 0) {
    data["codebook"] = {{"channels", report.codebook.channels},
                        {"phases", report.codebook.phases},
                        {"phase_name", report.codebook.phase_name},
                        {"levels", packed(std::span(report.codebook.levels))}};
  }
  if (!report.maps.maps.empty()) data["maps"] = maps_json(report.maps);
  data["spectra"] = spectra_json(report.spectra);
  // A name may hold any bytes, and none may end the script.
  std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos;) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

}  // namespace pulsecast::report
