#include "pulsecast/evaluate/forecast_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <unordered_map>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast {
namespace {

constexpr const char* kId = "unique_id";
constexpr const char* kStamp = "ds";
constexpr const char* kCutoff = "cutoff";
constexpr const char* kValue = "yhat";

std::string row_stamp(const Series& series, std::size_t row) {
  const Instant stamp = series.stamps[row];
  return series.zone.is_utc() ? to_text(stamp, series.zone) : to_iso_text(stamp, series.zone);
}

std::string cell_text(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// The file with `time_column` as its stamps: a table has one column of them and the file two, so it
// is read twice. `other` is then no number, and ignored.
Table read_with(const std::filesystem::path& path, const char* time_column, const char* other,
                const Zone& zone, ThreadPool& threads) {
  DataSettings settings;
  settings.layout = Layout::kLong;
  settings.id_column = kId;
  settings.value_column = kValue;
  settings.time_column = time_column;
  settings.target = {kValue};
  settings.ignore = {other};
  settings.others = Others::kIgnore;
  if (!zone.is_utc()) settings.time_zone = zone.name();
  Table table = read_table(path.string(), settings, threads);
  if (!table.row_faults.empty()) {
    const RowFault& fault = table.row_faults.front();
    throw_error(ErrorKind::kData, Place(path.string()).at_line(fault.line),
                "{} cannot be read as forecasts: {}",
                counted(table.row_faults.size(), "line", "lines"), fault.cause);
  }
  return table;
}

// Rows by their stamps; a stamp that a file repeats has several.
class StampedRows {
 public:
  explicit StampedRows(const std::vector<Instant>& stamps) {
    for (std::size_t row = 0; row < stamps.size(); ++row) rows_.emplace_back(stamps[row], row);
    std::ranges::sort(rows_);
  }

  std::span<const std::pair<Instant, std::size_t>> at(Instant stamp) const {
    const auto begin = std::ranges::lower_bound(rows_, stamp, {}, &Row::first);
    const auto end = std::ranges::upper_bound(begin, rows_.end(), stamp, {}, &Row::first);
    return {begin, end};
  }

 private:
  using Row = std::pair<Instant, std::size_t>;
  std::vector<Row> rows_;
};

// Where the value of a row of the file belongs in (windows, C, H).
class Places {
 public:
  explicit Places(const ForecastWindows& windows)
      : stamped_(windows.series.stamps),
        channels_(windows.channels),
        horizon_(windows.horizon),
        is_panel_(!windows.targets.empty()) {
    for (std::size_t window = 0; window < windows.first_targets.size(); ++window) {
      window_of_[{windows.first_targets[window], is_panel_ ? windows.targets[window] : 0}] = window;
    }
  }

  // Calls `take` with each place until it answers true; tells whether it did.
  template <typename Take>
  bool find(std::size_t channel, Instant cutoff, Instant stamp, Take take) const {
    for (const auto& [seen, last_seen] : stamped_.at(cutoff)) {
      const auto window = window_of_.find({last_seen + 1, is_panel_ ? channel : 0});
      if (window == window_of_.end()) continue;
      for (const auto& [when, row] : stamped_.at(stamp)) {
        if (row <= last_seen || row > last_seen + horizon_) continue;
        const std::size_t step = row - last_seen - 1;
        const std::size_t own = is_panel_ ? 0 : channel;
        if (take((window->second * channels_ + own) * horizon_ + step)) return true;
      }
    }
    return false;
  }

 private:
  StampedRows stamped_;
  std::size_t channels_;
  std::size_t horizon_;
  bool is_panel_;
  // By the row of its first target and, of a panel, whose it is.
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> window_of_;
};

// Target that each series of the table names; none where there is none of its name.
std::vector<std::optional<std::size_t>> channels_of(const Table& table, const Series& series) {
  std::unordered_map<std::string_view, std::size_t> targets;
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    if (series.channels[c].role == Role::kTarget) targets.emplace(series.channels[c].name, c);
  }
  std::vector<std::optional<std::size_t>> found;
  for (const std::string& name : table.series_names) {
    const auto own = targets.find(name);
    found.push_back(own == targets.end() ? std::nullopt : std::optional(own->second));
  }
  return found;
}

void require_all(const std::vector<float>& values, const ForecastWindows& windows,
                 const std::string& where) {
  const std::size_t H = windows.horizon;
  const std::size_t C = windows.channels;
  std::size_t missing = 0;
  std::size_t lacking = 0;
  std::size_t needed = 0;
  std::size_t first = values.size();
  for (std::size_t window = 0; window < windows.first_targets.size(); ++window) {
    const std::size_t before = missing;
    for (std::size_t i = window * C * H; i < (window + 1) * C * H; ++i) {
      if (!windows.has(window, i / H % C)) continue;
      ++needed;
      if (std::isfinite(values[i])) continue;
      first = std::min(first, i);
      ++missing;
    }
    lacking += missing > before;
  }
  if (missing == 0) return;
  const std::size_t row = windows.first_targets[first / (C * H)];
  throw_error(ErrorKind::kData, where,
              "{} of {} are missing, in {} of {}; the first is that of {} at {} with cutoff {}. "
              "Every window, step and channel that is scored needs a finite {}",
              missing, counted(needed, "forecast"), lacking,
              counted(windows.first_targets.size(), "window"),
              windows.series.channels[windows.channel_of(first / (C * H), first / H % C)].name,
              row_stamp(windows.series, row + first % H), row_stamp(windows.series, row - 1),
              kValue);
}

}  // namespace

ForecastFile::ForecastFile(const std::filesystem::path& path, ForecastWindows windows)
    : windows_(std::move(windows)), file_(path) {
  file_.write(fmt::format("{},{},{},{}\n", kId, kStamp, kCutoff, kValue));
}

void ForecastFile::add(std::size_t first, const Forecast& forecast) {
  const Series& series = windows_.series;
  const std::size_t H = forecast.horizon;
  std::string text;
  for (std::size_t b = 0; b < forecast.samples; ++b) {
    const std::size_t target = windows_.first_targets[first + b];
    const std::string cutoff = row_stamp(series, target - 1);
    for (std::size_t c = 0; c < forecast.channels; ++c) {
      const std::size_t channel = windows_.channel_of(first + b, c);
      const std::string id = cell_text(series.channels[channel].name);
      for (std::size_t h = 0; h < H; ++h) {
        const double value = forecast.values[(b * forecast.channels + c) * H + h];
        text += fmt::format("{},{},{},{}\n", id, row_stamp(series, target + h), cutoff,
                            windows_.scaler.original(channel, value));
      }
    }
  }
  file_.write(text);
}

ReadForecasts::ReadForecasts(const std::filesystem::path& path, const ForecastWindows& windows,
                             ThreadPool& threads)
    : window_values_(windows.channels * windows.horizon) {
  const Zone& zone = windows.series.zone;
  values_.assign(windows.first_targets.size() * window_values_,
                 std::numeric_limits<float>::quiet_NaN());
  const Table table = read_with(path, kStamp, kCutoff, zone, threads);
  const PackedInstants cutoffs = read_with(path, kCutoff, kStamp, zone, threads).stamps;
  const auto channel_of = channels_of(table, windows.series);
  const Places places(windows);
  const ColumnValues& yhat = table.columns.front().values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::optional<std::size_t> channel = channel_of[table.series[row]];
    bool is_known_place = false;
    const auto take = [&](std::size_t place) {
      is_known_place = true;
      if (!std::isnan(values_[place])) return false;  // of the other row with that stamp
      values_[place] = static_cast<float>(windows.scaler.scaled(*channel, yhat[row]));
      return true;
    };
    if (!channel) {
      ++unused_;
    } else if (!places.find(*channel, cutoffs[row], table.stamps[row], take)) {
      if (is_known_place) {
        throw_error(ErrorKind::kData, Place(path.string()).at_line(table.lines[row]),
                    "a second forecast of {} with the same ds and cutoff",
                    table.series_names[table.series[row]]);
      }
      ++unused_;
    }
  }
  require_all(values_, windows, path.string());
}

void ReadForecasts::predict(const Batch& batch, Forecast& forecast) {
  const std::size_t count = batch.shape.samples * batch.shape.channels * batch.shape.horizon;
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(next_), count, forecast.values.begin());
  next_ += count;
}

}  // namespace pulsecast
