// For fuzz targets: what must hold of every Table, whatever bytes it came from.
#pragma once

#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>

#include "pulsecast/base/error.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/read_table.h"
#include "pulsecast/data/repair/repair.h"

namespace pulsecast::fuzzing {

inline void require(bool holds) {
  if (!holds) std::abort();
}

inline void require_sound(const Table& table) {
  require(table.rows() > 0 && (!table.columns.empty() || !table.text_columns.empty()));
  require(table.lines.size() == table.rows());
  require(table.series.size() == (table.is_long() ? table.rows() : 0));
  for (const std::uint32_t series : table.series) require(series < table.series_names.size());
  for (const Column& column : table.columns) {
    require(column.values.size() == table.rows());
    for (const double value : column.values) require(!std::isinf(value));
  }
  for (const CellFault& fault : table.faults) {
    require(std::isnan(table.columns.at(fault.column).values.at(fault.row)));
  }
  for (const Instant stamp : table.stamps) {
    require(stamp >= kEarliestInstant && stamp <= kLatestInstant);
  }
}

// Reads, examines and repairs. An Error is a fine answer; anything else that goes wrong is not.
inline void read_and_repair(std::string_view bytes, const DataSettings& settings) {
  static ThreadPool threads(1);
  try {
    const Table table = read_table(memory_source(bytes), "fuzz", settings, threads);
    require_sound(table);
    examine(table, settings);
    DataSettings tolerant = settings;
    tolerant.bad_rows = BadRows::kDrop;
    tolerant.order = Order::kSort;
    tolerant.duplicates = Duplicates::kMean;
    tolerant.fill = Fill::kLinear;
    const Series series = repair(table, tolerant).series;
    for (const Channel& channel : series.channels) require(channel.rows().end <= series.rows());
  } catch (const Error& error) {
    require(!error.message().empty());
  }
}

}  // namespace pulsecast::fuzzing
