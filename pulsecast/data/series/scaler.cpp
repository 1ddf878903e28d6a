#include "pulsecast/data/series/scaler.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {

Scaler::Scaler(std::vector<double> means, std::vector<double> scales)
    : means_(std::move(means)), scales_(std::move(scales)) {
  assert(means_.size() == scales_.size());
}

namespace {

struct Moments {
  std::size_t count = 0;  // of values in the rows
  double mean = 0.0;
  double deviation = 1.0;  // 1 of a constant
  double least = INFINITY;
  double largest = -INFINITY;
};

// The values that a channel has in some rows, gaps among them.
std::span<const double> values_in(const Channel& channel, RowRange rows) {
  const RowRange own = channel.rows();
  const std::size_t begin = std::max(rows.begin, own.begin);
  const std::size_t end = std::max(begin, std::min(rows.end, own.end));
  return std::span(channel.values).subspan(begin - own.begin, end - begin);
}

Moments moments_of(const Channel& channel, std::span<const RowRange> runs) {
  Moments moments;
  double sum = 0.0;
  for (const RowRange run : runs) {
    for (const double value : values_in(channel, run)) {
      if (std::isnan(value)) continue;
      sum += value;
      moments.least = std::min(moments.least, value);
      moments.largest = std::max(moments.largest, value);
      ++moments.count;
    }
  }
  if (moments.count == 0) return moments;
  const double mean = sum / static_cast<double>(moments.count);
  double squares = 0.0;
  for (const RowRange run : runs) {
    for (const double value : values_in(channel, run)) {
      if (!std::isnan(value)) squares += (value - mean) * (value - mean);
    }
  }
  const double deviation = std::sqrt(squares / static_cast<double>(moments.count));
  // The rounded mean of a constant may differ from it in the last bit, so its deviation is not
  // exactly zero: ask the values themselves.
  const bool is_constant = moments.least == moments.largest || deviation == 0.0;
  moments.mean = is_constant ? moments.least : mean;
  if (!is_constant) moments.deviation = deviation;
  return moments;
}

Moments moments_of(const Channel& channel, RowRange rows) {
  return moments_of(channel, std::span(&rows, 1));
}

// Mean of |x_t - x_(t - lag)| over the rows; NaN without a pair.
double mean_change(const Channel& channel, RowRange rows, std::size_t lag) {
  double sum = 0.0;
  std::size_t pairs = 0;
  for (std::size_t row = rows.begin + lag; row < rows.end; ++row) {
    const double change = channel.at(row) - channel.at(row - lag);
    if (std::isnan(change)) continue;
    sum += std::abs(change);
    ++pairs;
  }
  return pairs == 0 ? kMissing : sum / static_cast<double>(pairs);
}

void require_finite(const Moments& moments, const Series& series, const Channel& channel) {
  if (std::isfinite(moments.deviation)) return;
  throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                   "there are values from {} to {}, too large to take their variance",
                   moments.least, moments.largest)
      .with(remedy::advice("divide them by a constant first"));
}

}  // namespace

Scaler Scaler::fit(const Series& series, RowRange rows) { return fit(series, std::span(&rows, 1)); }

Scaler Scaler::fit(const Series& series, std::span<const RowRange> runs) {
  assert(!runs.empty() && runs.back().end <= series.rows());
  std::vector<double> means;
  std::vector<double> scales;
  for (const Channel& channel : series.channels) {
    const Moments moments = moments_of(channel, runs);
    if (moments.count == 0) {
      throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                       "there is no value in the rows {} to {} that the scaler is fitted on",
                       runs.front().begin + 1, runs.back().end)
          .with(remedy::set("drop", channel.name, "leaves it out"))
          .with(remedy::open("split", "sets other training rows"));
    }
    require_finite(moments, series, channel);
    means.push_back(moments.mean);
    scales.push_back(moments.deviation);
  }
  return {std::move(means), std::move(scales)};
}

Scaler Scaler::fit_each(const Series& series, std::span<const RowRange> parts, std::size_t period) {
  constexpr double kLeast = 0.05;  // of the deviation
  std::vector<double> means;
  std::vector<double> scales;
  RowRange all{series.rows(), 0};
  for (const RowRange part : parts) {
    all = {std::min(all.begin, part.begin), std::max(all.end, part.end)};
  }
  for (std::size_t c = 0; c < series.channels.size(); ++c) {
    const Channel& channel = series.channels[c];
    RowRange rows = c < parts.size() ? parts[c] : all;
    Moments moments = moments_of(channel, rows);
    if (moments.count == 0) {
      rows = channel.rows();
      moments = moments_of(channel, rows);
    }
    require_finite(moments, series, channel);
    means.push_back(moments.mean);
    scales.push_back(moments.deviation);
    if (channel.role != Role::kTarget || moments.least == moments.largest) continue;
    const double change = mean_change(channel, rows, period);
    if (std::isnan(change)) continue;
    scales.back() = std::clamp(change, kLeast * moments.deviation, moments.deviation);
  }
  return {std::move(means), std::move(scales)};
}

}  // namespace pulsecast
