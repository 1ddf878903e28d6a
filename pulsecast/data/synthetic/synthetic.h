// Series made from numbers alone: for tests, benchmarks and first steps without data.
//
// Each channel is a level times daily and weekly shapes that follow the wall clock, a trend, and
// noise; on request the daily shape drifts, regimes change, the noise swells and fades, and a price
// and holidays, columns known in advance and the same for all channels, have effects. Every
// value is a function of (seed, channel, row): any part can be made alone, in any order and on any
// thread, and is the same. Written with a few decimals, files do not depend on the last bits of a
// machine's sine either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/step.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/data/series/series.h"
#include "pulsecast/settings/synthetic_settings.h"

namespace pulsecast {

class Synthetic {
 public:
  // Throws Error(kUsage) where start, step or zone cannot be read, or the rows leave the calendar.
  explicit Synthetic(const SyntheticSettings& settings);

  std::size_t rows() const { return rows_; }
  // Rows after them that have known columns alone.
  std::size_t ahead() const {
    return known_.empty() ? 0 : static_cast<std::size_t>(settings_.ahead);
  }
  std::size_t channels() const { return channels_.size(); }
  const Zone& zone() const { return zone_; }
  const Step& step() const { return step_; }

  // Columns known in advance.
  std::size_t known() const { return known_.size(); }
  const char* known_name(std::size_t column) const;

  // What is said of each series of a long file: regions, which have their own shapes, and kinds,
  // which make no difference.
  std::size_t statics() const { return statics_.size(); }
  const StaticColumn& static_column(std::size_t column) const { return statics_[column]; }

  Instant stamp(std::size_t row) const;
  // The values of all channels at a row, NaN where the cell is missing. `copy` is 0, or 1 for the
  // second row of a repeated stamp.
  void values(std::size_t row, std::size_t copy, std::vector<double>& out) const;
  bool is_repeated(std::size_t row) const;
  // The rows that a channel of a long file has.
  RowRange rows_of(std::size_t channel) const;
  bool is_long() const { return settings_.is_long; }

 private:
  // What differs from channel to channel.
  struct Traits {
    double level;
    double daily_size;
    double weekly_size;
    double trend;
    double offset;  // of its day, as a share of one
    std::size_t daily_shape;
    std::size_t weekly_shape;
    std::size_t weekly_shift;  // days by which it comes later
  };
  // How a channel's traits are changed from one regime to the next.
  struct Regime {
    double level;
    double shapes;
    double noise;
  };

  enum class Known { kPrice, kHoliday };

  Regime regime(std::size_t channel, std::size_t row) const;
  void draw_statics();

 public:
  // What all channels share of a row.
  struct Moment {
    std::size_t row;
    double day_share;  // of the day that has gone by
    double days;
    std::size_t weekday;
  };
  Moment moment(std::size_t row) const;
  // The value of one channel, as values() has it.
  double value(const Moment& moment, std::size_t copy, std::size_t channel) const;
  double known_value(const Moment& moment, std::size_t column) const;

 private:
  SyntheticSettings settings_;
  std::size_t rows_;
  Zone zone_;
  Step step_;
  Instant start_;
  std::vector<Traits> channels_;
  std::vector<std::size_t> regime_starts_;  // rows, ascending
  std::vector<Known> known_;
  std::vector<StaticColumn> statics_;
};

// As a series: missing cells are gaps, and a repeated stamp is there once.
Series make_series(const Synthetic& synthetic);

// As CSV, piece by piece: a header "date,c1,c2,...", then the rows; in long form "unique_id,ds,y",
// then one channel after the other, without a row where a value is missing. Known columns come
// last, and their rows ahead have no values beside them. Stamps carry their offset where the zone
// is not UTC. Static columns come last of all.
void write_csv(const Synthetic& synthetic, std::int64_t decimals,
               const std::function<void(std::string_view)>& write);

}  // namespace pulsecast
