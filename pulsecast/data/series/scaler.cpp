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

Scaler Scaler::fit(const Series& series, RowRange rows) {
  assert(rows.begin <= rows.end && rows.end <= series.rows());
  std::vector<double> means;
  std::vector<double> scales;
  for (const Channel& channel : series.channels) {
    double sum = 0.0;
    double least = INFINITY;
    double largest = -INFINITY;
    std::size_t count = 0;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const double value = channel.values[row];
      if (std::isnan(value)) continue;
      sum += value;
      least = std::min(least, value);
      largest = std::max(largest, value);
      ++count;
    }
    if (count == 0) {
      throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                       "there is no value in the rows {} to {} that the scaler is fitted on",
                       rows.begin + 1, rows.end)
          .with(remedy::set("drop", channel.name, "leaves it out"))
          .with(remedy::open("split", "sets other training rows"));
    }
    const double mean = sum / static_cast<double>(count);
    double squares = 0.0;
    for (std::size_t row = rows.begin; row < rows.end; ++row) {
      const double value = channel.values[row];
      if (!std::isnan(value)) squares += (value - mean) * (value - mean);
    }
    const double deviation = std::sqrt(squares / static_cast<double>(count));
    if (!std::isfinite(deviation)) {
      throw make_error(ErrorKind::kData, Place(series.source).in_column(channel.name),
                       "there are values from {} to {}, too large to take their variance", least,
                       largest)
          .with(remedy::advice("divide them by a constant first"));
    }
    // The rounded mean of a constant may differ from it in the last bit, so its deviation is not
    // exactly zero: ask the values themselves.
    const bool is_constant = least == largest || deviation == 0.0;
    means.push_back(is_constant ? least : mean);
    scales.push_back(is_constant ? 1.0 : deviation);
  }
  return {std::move(means), std::move(scales)};
}

}  // namespace pulsecast
