#include "pulsecast/forecast/forecast_text.h"

#include <fmt/format.h>

#include <algorithm>
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

// "lo_80", "hi_80" ..., "q_0.1" ..., each after `prefix`; the names of a column each.
std::vector<std::string> range_names(const SeriesForecast& forecast, const std::string& prefix) {
  std::vector<std::string> names;
  for (const double level : forecast.levels) {
    names.push_back(fmt::format("{}lo_{:g}", prefix, level));
    names.push_back(fmt::format("{}hi_{:g}", prefix, level));
  }
  return names;
}

std::vector<std::string> quantile_names(const SeriesForecast& forecast, const std::string& prefix) {
  std::vector<std::string> names;
  for (const double quantile : forecast.quantiles) {
    names.push_back(fmt::format("{}q_{:g}", prefix, quantile));
  }
  return names;
}

// The values of those columns in a step; none where the channel has no ranges.
std::vector<double> range_values(const ChannelForecast& channel, std::size_t h) {
  std::vector<double> values;
  for (const ForecastRange& range : channel.ranges) {
    values.insert(values.end(), {range.low[h], range.high[h]});
  }
  for (const ForecastQuantile& quantile : channel.quantiles) values.push_back(quantile.values[h]);
  return values;
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
  for (const std::string& column : range_names(forecast, "yhat_")) text += "," + column;
  for (const std::string& column : quantile_names(forecast, "")) text += "," + column;
  const std::size_t columns = 2 * forecast.levels.size() + forecast.quantiles.size();
  text += with_components ? ",anchor,residual,scale,effect\n" : "\n";
  StampTexts texts(forecast);
  auto out = std::back_inserter(text);
  for (const ChannelForecast& channel : forecast.channels) {
    const std::string id = cell(channel.channel);
    const StampTexts::Texts& own = texts.of(channel);
    for (std::size_t h = 0; h < channel.values.size(); ++h) {
      fmt::format_to(out, "{},{},{},", id, own.stamps[h], own.cutoff);
      append_value(text, channel, channel.values[h]);
      fmt::format_to(out, ",{}", name(channel.status));
      const std::vector<double> of_ranges = range_values(channel, h);
      for (std::size_t i = 0; i < columns; ++i) {
        text += ',';
        if (i < of_ranges.size()) append_value(text, channel, of_ranges[i]);
      }
      if (with_components && !channel.anchor.empty()) {
        text += ',';
        append_value(text, channel, channel.anchor[h]);
        fmt::format_to(out, ",{:.9g},{:.9g},{:.9g}", channel.residual[h], channel.scale,
                       channel.effect.empty() ? 0.0 : channel.effect[h]);
      } else if (with_components) {
        text += ",,,,";
      }
      text += '\n';
    }
  }
  return text;
}

std::string to_wide_csv(const SeriesForecast& forecast) {
  std::string text = "ds";
  for (const ChannelForecast& channel : forecast.channels) {
    text += "," + cell(channel.channel);
    for (const auto& names : {range_names(forecast, channel.channel + "_"),
                              quantile_names(forecast, channel.channel + "_")}) {
      for (const std::string& column : names) text += "," + cell(column);
    }
  }
  text += '\n';
  const std::size_t columns = 1 + 2 * forecast.levels.size() + forecast.quantiles.size();
  // A row a stamp that any channel is forecast for.
  std::map<Instant, std::vector<double>> rows;
  for (std::size_t c = 0; c < forecast.channels.size(); ++c) {
    const ChannelForecast& channel = forecast.channels[c];
    const std::vector<Instant>& stamps = channel.cutoff ? channel.stamps : forecast.stamps;
    for (std::size_t h = 0; h < channel.values.size(); ++h) {
      std::vector<double>& row = rows[stamps[h]];
      row.resize(columns * forecast.channels.size(), kMissing);
      row[c * columns] = channel.values[h];
      std::ranges::copy(range_values(channel, h),
                        row.begin() + static_cast<std::ptrdiff_t>(c * columns + 1));
    }
  }
  for (const auto& [stamp, values] : rows) {
    text += stamp_text(stamp, forecast.zone);
    for (std::size_t c = 0; c < values.size(); ++c) {
      text += ',';
      if (!std::isnan(values[c])) append_value(text, forecast.channels[c / columns], values[c]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace pulsecast
