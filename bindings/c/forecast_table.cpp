#include "bindings/c/forecast_table.h"

#include <fmt/format.h>

#include <unordered_map>

#include "pulsecast/base/missing.h"

namespace pulsecast::c {
namespace {

class TableBuilder {
 public:
  explicit TableBuilder(std::span<const SeriesForecast> origins)
      : table_(std::make_shared<ForecastTable>()) {
    if (!origins.empty()) {
      table_->zone = origins.front().zone;
      name_columns(origins.front());
    }
    for (const SeriesForecast& origin : origins) {
      for (const ChannelForecast& channel : origin.channels) add(origin, channel);
    }
    show();
  }

  std::shared_ptr<const ForecastTable> table() && { return std::move(table_); }

 private:
  void name_columns(const SeriesForecast& forecast) {
    const auto name = [&](std::string text, bool is_component = false) {
      table_->columns.push_back({std::move(text), is_component, {}});
    };
    name("yhat");
    for (const double level : forecast.levels) {
      name(fmt::format("yhat_lo_{:g}", level));
      name(fmt::format("yhat_hi_{:g}", level));
    }
    for (const double probability : forecast.quantiles) name(fmt::format("q_{:g}", probability));
    for (const char* component : {"anchor", "residual", "scale", "effect"}) name(component, true);
  }

  void add(const SeriesForecast& origin, const ChannelForecast& channel) {
    const std::vector<Instant>& stamps = channel.stamps.empty() ? origin.stamps : channel.stamps;
    const std::size_t steps = channel.values.size();
    const std::int32_t series = number_of(channel.channel);
    for (std::size_t h = 0; h < steps; ++h) table_->stamps.push_back(stamps[h].milliseconds);
    table_->series.insert(table_->series.end(), steps, series);
    table_->cutoffs.insert(table_->cutoffs.end(), steps,
                           channel.cutoff.value_or(origin.cutoff).milliseconds);
    table_->statuses.insert(table_->statuses.end(), steps,
                            static_cast<std::int32_t>(channel.status));
    std::size_t at = 0;
    const auto append = [&](std::span<const double> values) {
      std::vector<double>& column = table_->columns[at++].values;
      column.insert(column.end(), values.begin(), values.end());
      column.resize(table_->rows(), kMissing);
    };
    append(channel.values);
    for (std::size_t k = 0; k < origin.levels.size(); ++k) {
      const bool is_there = k < channel.ranges.size();
      append(is_there ? channel.ranges[k].low : std::vector<double>());
      append(is_there ? channel.ranges[k].high : std::vector<double>());
    }
    for (std::size_t k = 0; k < origin.quantiles.size(); ++k) {
      append(k < channel.quantiles.size() ? channel.quantiles[k].values : std::vector<double>());
    }
    append(channel.anchor);
    append(channel.residual);
    append(std::vector<double>(channel.anchor.empty() ? 0 : steps, channel.scale));
    append(channel.effect);
  }

  std::int32_t number_of(const std::string& id) {
    const auto [entry, is_new] =
        numbers_.try_emplace(id, static_cast<std::int32_t>(table_->ids.size()));
    if (is_new) table_->ids.push_back(id);
    return entry->second;
  }

  void show() {
    for (const std::string& id : table_->ids) table_->id_texts.push_back(id.c_str());
    for (const ForecastTable::Column& column : table_->columns) {
      table_->column_names.push_back(column.name.c_str());
      table_->column_values.push_back(column.values.data());
    }
    table_->zone_name = table_->zone.name();
  }

  std::shared_ptr<ForecastTable> table_;
  std::unordered_map<std::string, std::int32_t> numbers_;
};

}  // namespace

std::shared_ptr<const ForecastTable> to_table(std::span<const SeriesForecast> origins) {
  return TableBuilder(origins).table();
}

}  // namespace pulsecast::c
