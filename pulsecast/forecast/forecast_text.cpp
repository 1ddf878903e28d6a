#include "pulsecast/forecast/forecast_text.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "pulsecast/base/missing.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecast/value_text.h"

namespace pulsecast {
namespace {

std::string stamp_text(Instant instant, const Zone& zone) {
  return zone.is_utc() ? to_text(instant, zone) : to_iso_text(instant, zone);
}

// As RFC 4180 has it.
std::string cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

// Texts of stamps: most channels of a forecast have the same ones.
class StampTexts {
 public:
  explicit StampTexts(const SeriesForecast& forecast) : forecast_(forecast) {}

  struct Texts {
    std::string cutoff;
    std::vector<std::string> stamps;
  };
  const Texts& of(const ChannelForecast& channel) {
    const Instant cutoff = channel.cutoff.value_or(forecast_.cutoff);
    const auto [found, is_new] = texts_.try_emplace(cutoff.milliseconds);
    if (is_new) {
      found->second.cutoff = stamp_text(cutoff, forecast_.zone);
      for (const Instant stamp : channel.cutoff ? channel.stamps : forecast_.stamps) {
        found->second.stamps.push_back(stamp_text(stamp, forecast_.zone));
      }
    }
    return found->second;
  }

 private:
  const SeriesForecast& forecast_;
  std::unordered_map<std::int64_t, Texts> texts_;
};

}  // namespace

std::string to_long_csv(const SeriesForecast& forecast, bool with_components) {
  std::string text = "unique_id,ds,cutoff,yhat,status";
  text += with_components ? ",anchor,residual,scale\n" : "\n";
  StampTexts texts(forecast);
  auto out = std::back_inserter(text);
  for (const ChannelForecast& channel : forecast.channels) {
    const std::string id = cell(channel.channel);
    const StampTexts::Texts& own = texts.of(channel);
    for (std::size_t h = 0; h < channel.values.size(); ++h) {
      fmt::format_to(out, "{},{},{},", id, own.stamps[h], own.cutoff);
      append_value(text, channel, channel.values[h]);
      fmt::format_to(out, ",{}", name(channel.status));
      if (with_components && !channel.anchor.empty()) {
        text += ',';
        append_value(text, channel, channel.anchor[h]);
        fmt::format_to(out, ",{:.9g},{:.9g}", channel.residual[h], channel.scale);
      } else if (with_components) {
        text += ",,,";
      }
      text += '\n';
    }
  }
  return text;
}

std::string to_wide_csv(const SeriesForecast& forecast) {
  std::string text = "ds";
  for (const ChannelForecast& channel : forecast.channels) text += "," + cell(channel.channel);
  text += '\n';
  // A row a stamp that any channel is forecast for.
  std::map<Instant, std::vector<double>> rows;
  for (std::size_t c = 0; c < forecast.channels.size(); ++c) {
    const ChannelForecast& channel = forecast.channels[c];
    const std::vector<Instant>& stamps = channel.cutoff ? channel.stamps : forecast.stamps;
    for (std::size_t h = 0; h < channel.values.size(); ++h) {
      std::vector<double>& row = rows[stamps[h]];
      row.resize(forecast.channels.size(), kMissing);
      row[c] = channel.values[h];
    }
  }
  for (const auto& [stamp, values] : rows) {
    text += stamp_text(stamp, forecast.zone);
    for (std::size_t c = 0; c < values.size(); ++c) {
      text += ',';
      if (!std::isnan(values[c])) append_value(text, forecast.channels[c], values[c]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pulsecast
