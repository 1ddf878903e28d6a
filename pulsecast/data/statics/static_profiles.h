// What static columns do to the series of a panel: each group of series has a shape of the period
// of its own, beside what all share.
//
// A profile is a number for each phase of a period, which need not be the model's: series that are
// too short and noisy to show a week each may show it together. It is in units of a series' scale.
// As an effect of a known column is (effects.h), it is taken off a row before that is a window's
// and put back onto the forecast of it, so that any model forecasts what is left (decision 36). A
// series of no group that is known has no profile: the model's part, which all share, is its
// forecast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pulsecast/data/series/series.h"
#include "pulsecast/data/statics/static_groups.h"

namespace pulsecast {

class StaticProfiles {
 public:
  // values (groups of all columns, period), column after column.
  StaticProfiles(std::vector<StaticGroups> columns, std::size_t period, std::vector<double> values);

  const std::vector<StaticGroups>& columns() const { return columns_; }
  std::size_t period() const { return period_; }
  const std::vector<double>& values() const { return values_; }
  // (period) of a group of a column.
  std::span<const double> of_group(std::size_t column, std::size_t group) const;

  // (period) of one of the series of `series`: the sum over the columns.
  std::vector<double> of_series(const Series& series, std::uint32_t number) const;
  // "region 'west'": what is said of that series and was of no series of training; empty where it
  // is all known.
  std::string unknown_of(const Series& series, std::uint32_t number) const;

 private:
  // What `column` says of a series; empty where the series have no such column.
  const std::string& value_of(const Series& series, std::size_t column, std::uint32_t number) const;

  std::vector<StaticGroups> columns_;
  std::vector<std::size_t> first_;  // (columns) of the groups of all
  std::size_t period_;
  std::vector<double> values_;
};

}  // namespace pulsecast
