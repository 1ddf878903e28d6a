#include "pulsecast/observations.h"

#include <cmath>
#include <utility>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/only_errors.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/pool_of.h"

namespace pulsecast {

struct Observations::Contents {
  explicit Contents(Repaired from, std::vector<std::string> others = {})
      : repaired(std::move(from)),
        next_row(target_rows(repaired.series)),
        left_out(std::move(others)) {}

  Repaired repaired;
  std::size_t next_row;  // that append() fills: known columns may have run ahead of it
  std::vector<std::string> left_out;
};

Observations::Observations(Series series, std::vector<std::string> repairs, bool is_long,
                           std::vector<std::string> left_out)
    : contents_(std::make_unique<Contents>(Repaired{std::move(series), std::move(repairs), is_long},
                                           std::move(left_out))) {}
Observations::Observations(Repaired repaired)
    : contents_(std::make_unique<Contents>(std::move(repaired))) {}
Observations::~Observations() = default;
Observations::Observations(Observations&&) noexcept = default;
Observations& Observations::operator=(Observations&&) noexcept = default;

Observations Observations::read(const std::string& file, const DataSettings& settings,
                                const Threads& threads, const Watch& watch) {
  return only_errors(
      [&] { return Observations(read_series(file, settings, PoolOf(threads).pool(), watch)); });
}

Observations Observations::parse(std::string_view bytes, const DataSettings& settings,
                                 const std::string& source, const Threads& threads,
                                 const Watch& watch) {
  return only_errors([&] {
    return Observations(parse_series(bytes, source, settings, PoolOf(threads).pool(), watch));
  });
}

Observations Observations::take(const Frame& frame, const DataSettings& settings) {
  return only_errors([&] { return Observations(take_series(frame, settings)); });
}

Observations Observations::clone() const {
  return only_errors([&] {
    Observations copy(contents_->repaired);
    copy.contents_->left_out = contents_->left_out;
    return copy;
  });
}

const Series& Observations::series() const { return contents_->repaired.series; }
Series Observations::into_series() && {
  contents_->next_row = 0;
  return std::exchange(contents_->repaired.series, Series{});
}
const std::string& Observations::source() const { return series().source; }
std::span<const Instant> Observations::stamps() const { return series().stamps; }
Step Observations::step() const { return series().step; }
Zone Observations::zone() const { return series().zone; }
std::size_t Observations::channels() const { return series().channels.size(); }
const std::string& Observations::name(std::size_t channel) const {
  return series().channels[channel].name;
}
Role Observations::role(std::size_t channel) const { return series().channels[channel].role; }
std::span<const double> Observations::values(std::size_t channel) const {
  return series().channels[channel].values;
}
std::size_t Observations::first_row(std::size_t channel) const {
  return series().channels[channel].begin;
}
const std::vector<std::string>& Observations::repairs() const {
  return contents_->repaired.repairs;
}
bool Observations::is_long() const { return contents_->repaired.is_long; }
const std::vector<std::string>& Observations::left_out() const { return contents_->left_out; }

DataSettings Observations::as_read(DataSettings settings) const {
  const Repaired& repaired = contents_->repaired;
  if (repaired.is_long) settings.layout = Layout::kLong;
  if (repaired.found.id_column) settings.id_column = *repaired.found.id_column;
  if (repaired.found.value_column) settings.value_column = *repaired.found.value_column;
  if (repaired.found.time_column) settings.time_column = repaired.found.time_column;
  if (repaired.found.time_zone) settings.time_zone = repaired.found.time_zone;
  return settings;
}

namespace {

// So that `value` can be put into a row of the channel without asking for memory.
void make_room(Channel& channel, std::size_t row, double value) {
  if (std::isnan(value)) return;
  if (channel.values.empty()) channel.begin = row;
  const std::size_t needed = row - channel.begin + 1;
  if (needed > channel.values.capacity()) channel.values.reserve(2 * needed);
}

}  // namespace

void Observations::append(Instant stamp, std::span<const double> values) {
  only_errors([&] {
    Series& series = contents_->repaired.series;
    std::size_t& row = contents_->next_row;
    if (values.size() != series.channels.size()) {
      throw_error(ErrorKind::kUsage, series.source,
                  "a row to append has {} values, and there are {} channels", values.size(),
                  series.channels.size());
    }
    if (series.rows() == 0) {
      throw_error(ErrorKind::kUsage, series.source, "there is no row to append one after");
    }
    const Instant next = row < series.rows()
                             ? series.stamps[row]
                             : series.step.add(series.stamps.back(), 1, series.zone);
    if (stamp != next) {
      throw_error(ErrorKind::kData, series.source,
                  "the next row is that of {}, a step of {} after the last, not that of {}",
                  to_text(next, series.zone), series.step.to_string(), to_text(stamp, series.zone));
    }
    for (std::size_t c = 0; c < values.size(); ++c) {
      if (std::isinf(values[c])) {
        throw_error(ErrorKind::kData, series.source, "column '{}' holds {} at {}, no finite number",
                    series.channels[c].name, values[c], to_text(stamp, series.zone));
      }
    }
    if (row == series.rows()) {
      // All that may fail first, so that a row is there as a whole or not at all.
      for (std::size_t c = 0; c < values.size(); ++c) make_room(series.channels[c], row, values[c]);
      series.stamps.push_back(stamp);
    }
    for (std::size_t c = 0; c < values.size(); ++c) {
      // A known column that has run ahead is not forgotten where nothing is said of it. A series
      // that has ended is not drawn out by rows that say nothing of it.
      if (std::isnan(values[c])) continue;
      Channel& channel = series.channels[c];
      make_room(channel, row, values[c]);
      if (row - channel.begin >= channel.values.size()) {
        channel.values.resize(row - channel.begin + 1, kMissing);
      }
      channel.values[row - channel.begin] = values[c];
    }
    ++row;
  });
}

}  // namespace pulsecast
