#include "pulsecast/benchmark/forecast_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string_view>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast::benchmark {
namespace {

constexpr const char* kId = "unique_id";
constexpr const char* kStamp = "ds";
constexpr const char* kCutoff = "cutoff";
constexpr const char* kValue = "yhat";

std::string stamp_text(const Series& series, std::size_t row) {
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
  explicit Places(const TestRows& rows)
      : stamped_(rows.series().stamps),
        channels_(rows.plan().shape.channels),
        horizon_(rows.plan().shape.horizon) {
    for (std::size_t window = 0; window < rows.windows().size(); ++window) {
      window_of_[rows.first_target(window)] = window;
    }
  }

  // Calls `take` with each place until it answers true; tells whether it did.
  template <typename Take>
  bool find(std::size_t channel, Instant cutoff, Instant stamp, Take take) const {
    for (const auto& [seen, last_seen] : stamped_.at(cutoff)) {
      const auto window = window_of_.find(last_seen + 1);
      if (window == window_of_.end()) continue;
      for (const auto& [when, row] : stamped_.at(stamp)) {
        if (row <= last_seen || row > last_seen + horizon_) continue;
        const std::size_t step = row - last_seen - 1;
        if (take((window->second * channels_ + channel) * horizon_ + step)) return true;
      }
    }
    return false;
  }

 private:
  StampedRows stamped_;
  std::size_t channels_;
  std::size_t horizon_;
  std::map<std::size_t, std::size_t> window_of_;  // by the row of its first target
};

// Channel of each series of the table; the count of channels where there is none of its name.
std::vector<std::size_t> channels_of(const Table& table, const TestRows& rows) {
  const std::size_t channels = rows.plan().shape.channels;
  std::vector<std::size_t> found;
  for (const std::string& name : table.series_names) {
    std::size_t channel = 0;
    while (channel < channels && rows.series().channels[channel].name != name) ++channel;
    found.push_back(channel);
  }
  return found;
}

void require_all(const std::vector<float>& values, const TestRows& rows, const std::string& where) {
  const std::size_t H = rows.plan().shape.horizon;
  const std::size_t C = rows.plan().shape.channels;
  std::size_t missing = 0;
  std::size_t windows = 0;
  std::size_t first = values.size();
  for (std::size_t window = 0; window < rows.windows().size(); ++window) {
    const std::size_t before = missing;
    for (std::size_t i = window * C * H; i < (window + 1) * C * H; ++i) {
      if (std::isfinite(values[i])) continue;
      first = std::min(first, i);
      ++missing;
    }
    windows += missing > before;
  }
  if (missing == 0) return;
  const std::size_t row = rows.first_target(first / (C * H));
  throw_error(
      ErrorKind::kData, where,
      "{} of {} are missing, in {} of {}; the first is that of {} at {} with cutoff {}. Every test "
      "window, step and channel needs a finite {}",
      missing, counted(values.size(), "forecast"), windows,
      counted(rows.windows().size(), "test window"), rows.series().channels[first / H % C].name,
      stamp_text(rows.series(), row + first % H), stamp_text(rows.series(), row - 1), kValue);
}

}  // namespace

ForecastFile::ForecastFile(const std::filesystem::path& path, const TestRows& rows)
    : rows_(rows), file_(path) {
  file_.write(fmt::format("{},{},{},{}\n", kId, kStamp, kCutoff, kValue));
}

void ForecastFile::add(std::size_t first, const Forecast& forecast) {
  const Series& series = rows_.series();
  const std::size_t H = forecast.horizon;
  std::string text;
  for (std::size_t b = 0; b < forecast.samples; ++b) {
    const std::size_t target = rows_.first_target(first + b);
    const std::string cutoff = stamp_text(series, target - 1);
    for (std::size_t c = 0; c < forecast.channels; ++c) {
      const std::string id = cell_text(series.channels[c].name);
      for (std::size_t h = 0; h < H; ++h) {
        const double value = forecast.values[(b * forecast.channels + c) * H + h];
        text += fmt::format("{},{},{},{}\n", id, stamp_text(series, target + h), cutoff,
                            rows_.scaler().original(c, value));
      }
    }
  }
  file_.write(text);
}

ReadForecasts::ReadForecasts(const std::filesystem::path& path, const TestRows& rows,
                             ThreadPool& threads) {
  const Zone& zone = rows.series().zone;
  const std::size_t channels = rows.plan().shape.channels;
  values_.assign(rows.windows().size() * channels * rows.plan().shape.horizon,
                 std::numeric_limits<float>::quiet_NaN());
  const Table table = read_with(path, kStamp, kCutoff, zone, threads);
  const std::vector<Instant> cutoffs = read_with(path, kCutoff, kStamp, zone, threads).stamps;
  const std::vector<std::size_t> channel_of = channels_of(table, rows);
  const Places places(rows);
  const ColumnValues& yhat = table.columns.front().values;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::size_t channel = channel_of[table.series[row]];
    bool is_known_place = false;
    const auto take = [&](std::size_t place) {
      is_known_place = true;
      if (!std::isnan(values_[place])) return false;  // of the other row with that stamp
      values_[place] = static_cast<float>(rows.scaler().scaled(channel, yhat[row]));
      return true;
    };
    if (channel == channels) {
      ++unused_;
    } else if (!places.find(channel, cutoffs[row], table.stamps[row], take)) {
      if (is_known_place) {
        throw_error(ErrorKind::kData, Place(path.string()).at_line(table.lines[row]),
                    "a second forecast of {} with the same ds and cutoff",
                    table.series_names[table.series[row]]);
      }
      ++unused_;
    }
  }
  require_all(values_, rows, path.string());
}

void ReadForecasts::predict(const Batch& batch, Forecast& forecast) {
  const std::size_t count = batch.shape.samples * batch.shape.channels * batch.shape.horizon;
  std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(next_), count, forecast.values.begin());
  next_ += count;
}

}  // namespace pulsecast::benchmark
