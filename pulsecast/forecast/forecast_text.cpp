#include "pulsecast/forecast/forecast_text.h"

#include <fmt/format.h>

#include <iterator>

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

std::vector<std::string> stamp_texts(const SeriesForecast& forecast) {
  std::vector<std::string> texts;
  for (const Instant stamp : forecast.stamps) texts.push_back(stamp_text(stamp, forecast.zone));
  return texts;
}

}  // namespace

std::string to_long_csv(const SeriesForecast& forecast, bool with_components) {
  std::string text = "unique_id,ds,cutoff,yhat,status";
  text += with_components ? ",anchor,residual,scale\n" : "\n";
  const std::string cutoff = stamp_text(forecast.cutoff, forecast.zone);
  const std::vector<std::string> stamps = stamp_texts(forecast);
  auto out = std::back_inserter(text);
  for (const ChannelForecast& channel : forecast.channels) {
    const std::string id = cell(channel.channel);
    for (std::size_t h = 0; h < stamps.size(); ++h) {
      fmt::format_to(out, "{},{},{},", id, stamps[h], cutoff);
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
  const std::vector<std::string> stamps = stamp_texts(forecast);
  for (std::size_t h = 0; h < stamps.size(); ++h) {
    text += stamps[h];
    for (const ChannelForecast& channel : forecast.channels) {
      text += ',';
      append_value(text, channel, channel.values[h]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pulsecast
