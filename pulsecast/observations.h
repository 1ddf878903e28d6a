// What was observed: series on one regular grid of steps, read, repaired and checked.
//
//   Observations rows = Observations::read("load.csv", settings);   // CSV, .gz, .npz
//   Observations rows = Observations::parse(bytes, settings);       // the same bytes from anywhere
//   Observations rows = Observations::take(frame, settings);        // columns or rows in memory
//   rows.append(stamp, values);                                     // as time goes on
//
// Whatever the way in, the rows are looked at by the same code: what the settings ask for is mended
// and listed in repairs(), what they do not ask for is refused with Error(kData), naming the place
// and what would mend it.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/table/frame.h"
#include "pulsecast/data/table/role.h"
#include "pulsecast/settings/data_settings.h"
#include "pulsecast/threads.h"

namespace pulsecast {

struct Repaired;
struct Series;

class Observations {
 public:
  // "-" is standard input.
  static Observations read(const std::string& file, const DataSettings& settings = {},
                           const Threads& threads = {}, const Watch& watch = {});
  static Observations parse(std::string_view bytes, const DataSettings& settings = {},
                            const std::string& source = "bytes in memory",
                            const Threads& threads = {}, const Watch& watch = {});
  static Observations take(const Frame& frame, const DataSettings& settings = {});
  // Series that were read and repaired (data/series/series.h).
  explicit Observations(Series series, std::vector<std::string> repairs = {}, bool is_long = false,
                        std::vector<std::string> left_out = {});
  // Rows as they came from repair (data/repair/repair.h).
  explicit Observations(Repaired repaired);
  ~Observations();
  Observations(Observations&&) noexcept;
  Observations& operator=(Observations&&) noexcept;
  Observations clone() const;

  const std::string& source() const;
  std::size_t rows() const { return stamps().size(); }
  std::span<const Instant> stamps() const;
  Step step() const;
  Zone zone() const;
  // Targets first, then known, then past.
  std::size_t channels() const;
  const std::string& name(std::size_t channel) const;
  Role role(std::size_t channel) const;
  // One per row; NaN in a gap. Of a long file those of the channel's own rows, the first of which
  // is row first_row().
  std::span<const double> values(std::size_t channel) const;
  std::size_t first_row(std::size_t channel) const;
  const std::vector<std::string>& repairs() const;  // "3 missing values filled ..."
  // Whether they came a row per series and stamp.
  bool is_long() const;
  // Series that the rows have and the model that they were read for has not.
  const std::vector<std::string>& left_out() const;

  // The row after the last one that has a target: `stamp` must be a step after it. values
  // (channels), NaN where there is none. Throws Error(kData).
  void append(Instant stamp, std::span<const double> values);

  // Settings with which new rows are read the way these were: what was found out of the file's
  // layout is said.
  DataSettings as_read(DataSettings settings) const;

  const Series& series() const;
  // Takes the series out, with what was found in reading them; what is left has no rows.
  Repaired into_repaired() &&;

 private:
  struct Contents;
  std::unique_ptr<Contents> contents_;
};

}  // namespace pulsecast
