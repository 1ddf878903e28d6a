#include "pulsecast/data/synthetic/synthetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>

#include "pulsecast/base/random.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"

namespace pulsecast {
namespace {

constexpr double kTurn = 2.0 * std::numbers::pi;

// Streams of draws, told apart by the epoch of their name; the step is the channel.
enum class Draw : std::uint32_t {
  kTraits,
  kRegimes,
  kNoise,
  kMissing,
  kRepeated,
  kRegimeRows,
  kLengths,
  kPrices,
  kHolidays,
  kRegions,
  kKinds
};

random::Stream stream_of(const SyntheticSettings& settings, Draw draw, std::size_t channel = 0) {
  return {.seed = static_cast<std::uint64_t>(settings.seed),
          .purpose = random::Purpose::kSynthetic,
          .epoch = static_cast<std::uint32_t>(draw),
          .step = static_cast<std::uint32_t>(channel)};
}

double uniform_between(const random::Stream& stream, std::uint64_t index, double from, double to) {
  return from + (to - from) * random::uniform(stream, index);
}

// A crest of that half-width around `at`, both shares of a day; 0 away from it.
double crest(double day, double at, double half_width) {
  const double distance = std::abs(day - at - std::round(day - at)) / half_width;
  return distance < 1.0 ? 0.5 + 0.5 * std::cos(0.5 * kTurn * distance) : 0.0;
}

// Daily shapes of mean about 0, by share of the day.
double wave(double day) { return -std::cos(kTurn * day); }
double two_peaks(double day) {
  return crest(day, 0.33, 0.12) + 1.3 * crest(day, 0.77, 0.16) - 0.33;
}
double working_day(double day) { return day > 0.33 && day < 0.75 ? 0.58 : -0.42; }
double sunlight(double day) { return std::max(0.0, std::sin(kTurn * (day - 0.25))) - 0.318; }

using DailyShape = double (*)(double day);
constexpr std::array<DailyShape, 4> kDailyShapes = {wave, two_peaks, working_day, sunlight};

// Weekly shapes of mean about 0, Monday first.
constexpr std::array<std::array<double, 7>, 3> kWeeklyShapes = {{
    {0.3, 0.4, 0.4, 0.4, 0.3, -0.8, -1.0},
    {-0.4, -0.4, -0.3, -0.2, 0.1, 0.7, 0.5},
    {-0.6, 0.0, 0.5, 0.7, 0.4, -0.3, -0.7},
}};

double share_of_day(const WallTime& wall) {
  const WallTime midnight{.year = wall.year, .month = wall.month, .day = wall.day};
  return static_cast<double>(wall_milliseconds(wall) - wall_milliseconds(midnight)) /
         static_cast<double>(kDayMilliseconds);
}

Instant parse_start(const std::string& text, const Zone& zone) {
  const Stamp stamp = read_stamp(text);
  const StampColumn column = decide_stamps({&stamp, 1}, {.zone = zone, .day_first = {}},
                                           [](std::size_t) { return Place::of_setting("start"); });
  if (!column.faults.empty()) {
    throw_error(ErrorKind::kUsage, Place::of_setting("start"), "'{}' is no stamp: {}", text,
                column.faults.front().cause);
  }
  return column.instants.front();
}

// Whether the last row still lies in the calendar, asked without computing a stamp that may not.
bool fits_calendar(Instant start, const Step& step, std::size_t rows) {
  const double last = static_cast<double>(start.milliseconds) +
                      step.mean_milliseconds() * static_cast<double>(rows);
  return start >= kEarliestInstant && last < static_cast<double>(kLatestInstant.milliseconds);
}

}  // namespace

Synthetic::Synthetic(const SyntheticSettings& settings)
    : settings_(settings),
      rows_(static_cast<std::size_t>(settings.rows)),
      zone_(Zone::named(settings.time_zone)),
      step_(Step::parse(settings.step)),
      start_(parse_start(settings.start, zone_)),
      channels_(static_cast<std::size_t>(settings.channels)) {
  if (!fits_calendar(start_, step_, rows_ + static_cast<std::size_t>(settings.ahead))) {
    throw make_error(ErrorKind::kUsage, Place::of_setting("rows"),
                     "{} rows of {} from {} on reach past the year 9999", rows_, settings.step,
                     settings.start)
        .with(remedy::smaller("rows", "ends sooner"))
        .with(remedy::smaller("step", "ends sooner"));
  }
  for (std::size_t c = 0; c < channels_.size(); ++c) {
    const random::Stream draws = stream_of(settings_, Draw::kTraits, c);
    channels_[c] = {.level = std::exp(uniform_between(draws, 0, std::log(5.0), std::log(200.0))),
                    .daily_size = settings.daily * uniform_between(draws, 1, 0.7, 1.3),
                    .weekly_size = settings.weekly * uniform_between(draws, 2, 0.7, 1.3),
                    .trend = settings.trend * uniform_between(draws, 3, 0.5, 1.5),
                    .offset = uniform_between(draws, 4, -0.04, 0.04),
                    .daily_shape = c % kDailyShapes.size(),
                    .weekly_shape = (c / kDailyShapes.size()) % kWeeklyShapes.size(),
                    .weekly_shift = 0};
  }
  draw_statics();
  if (settings.price != 0.0) known_.push_back(Known::kPrice);
  if (settings.holiday != 0.0) known_.push_back(Known::kHoliday);
  if (settings.ahead > 0 && known_.empty()) {
    throw make_error(ErrorKind::kUsage, Place::of_setting("ahead"),
                     "there is no column known in advance that could go on alone")
        .with(remedy::open("price", "makes one"))
        .with(remedy::open("holiday", "makes one"));
  }
  const random::Stream draws = stream_of(settings_, Draw::kRegimeRows);
  for (std::int64_t i = 0; i < settings.regimes; ++i) {
    // One in the middle three fifths of each of as many equal parts.
    const double part =
        static_cast<double>(i) + uniform_between(draws, static_cast<std::uint64_t>(i), 0.2, 0.8);
    regime_starts_.push_back(static_cast<std::size_t>(part / static_cast<double>(settings.regimes) *
                                                      static_cast<double>(rows_)));
  }
}

void Synthetic::draw_statics() {
  if ((settings_.regions > 0 || settings_.kinds > 0) && !settings_.is_long) {
    throw make_error(ErrorKind::kUsage,
                     Place::of_setting(settings_.regions > 0 ? "regions" : "kinds"),
                     "says something of each series, for which a file with a column a series has "
                     "no place")
        .with(remedy::set("long", "true", "writes a row a series and stamp"));
  }
  const auto drawn = [&](Draw draw, std::int64_t count, std::size_t channel) {
    return static_cast<std::size_t>(random::uniform(stream_of(settings_, draw, channel), 0) *
                                    static_cast<double>(count));
  };
  const auto add = [&](const char* name, Draw draw, std::int64_t count) {
    if (count == 0) return;
    StaticColumn& own = statics_.emplace_back(StaticColumn{name, {}});
    for (std::size_t c = 0; c < channels_.size(); ++c) {
      own.values.push_back(fmt::format("{} {}", name, drawn(draw, count, c) + 1));
    }
  };
  add("region", Draw::kRegions, settings_.regions);
  add("kind", Draw::kKinds, settings_.kinds);
  for (std::size_t c = 0; settings_.regions > 0 && c < channels_.size(); ++c) {
    const std::size_t region = drawn(Draw::kRegions, settings_.regions, c);
    channels_[c].daily_shape = region % kDailyShapes.size();
    channels_[c].weekly_shape = region % kWeeklyShapes.size();
    channels_[c].weekly_shift = region / kWeeklyShapes.size();
  }
}

Instant Synthetic::stamp(std::size_t row) const {
  return step_.add(start_, static_cast<std::int64_t>(row), zone_);
}

Synthetic::Regime Synthetic::regime(std::size_t channel, std::size_t row) const {
  const auto number = static_cast<std::uint64_t>(std::ranges::upper_bound(regime_starts_, row) -
                                                 regime_starts_.begin());
  if (number == 0) return {1.0, 1.0, 1.0};
  const random::Stream draws = stream_of(settings_, Draw::kRegimes, channel);
  return {uniform_between(draws, 3 * number, 0.6, 1.6),
          uniform_between(draws, 3 * number + 1, 0.4, 1.6),
          uniform_between(draws, 3 * number + 2, 0.5, 2.0)};
}

Synthetic::Moment Synthetic::moment(std::size_t row) const {
  const WallTime wall = zone_.to_wall(stamp(row));
  return {row, share_of_day(wall),
          static_cast<double>(wall_milliseconds(wall)) / static_cast<double>(kDayMilliseconds),
          static_cast<std::size_t>(wall.weekday)};
}

double Synthetic::value(const Moment& moment, std::size_t copy, std::size_t c) const {
  constexpr std::size_t kRun = 4;  // rows that go missing together
  constexpr double kWeeksOfSwing = 3.0;
  const std::size_t row = moment.row;
  const double share = static_cast<double>(row) / static_cast<double>(rows_);
  const bool has_days = step_.mean_milliseconds() < static_cast<double>(kDayMilliseconds);
  const bool has_weeks = step_.mean_milliseconds() < 7.0 * static_cast<double>(kDayMilliseconds);
  const auto run = (row + c) / kRun;
  if (settings_.missing > 0.0 &&
      random::uniform(stream_of(settings_, Draw::kMissing, c), run) < settings_.missing) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  const Traits& traits = channels_[c];
  const Regime now = regime(c, row);
  const double day = moment.day_share - traits.offset - settings_.phase_drift * share;
  double value = 1.0 + traits.trend * share;
  if (has_days) {
    value +=
        now.shapes * traits.daily_size * kDailyShapes[traits.daily_shape](day - std::floor(day));
  }
  if (has_weeks) {
    const std::size_t weekday = (moment.weekday + 7 - traits.weekly_shift % 7) % 7;
    value += now.shapes * traits.weekly_size * kWeeklyShapes[traits.weekly_shape][weekday];
  }
  for (std::size_t k = 0; k < known_.size(); ++k) {
    const double effect = known_[k] == Known::kPrice ? settings_.price : settings_.holiday;
    value += effect * known_value(moment, k);
  }
  if (settings_.noise > 0.0) {
    const double swing =
        0.5 * wave(day) + 0.5 * std::sin(kTurn * moment.days / (7.0 * kWeeksOfSwing));
    const double size = settings_.noise * now.noise * (1.0 + settings_.noise_swing * swing);
    value += size * random::normal(stream_of(settings_, Draw::kNoise, c), 2 * row + copy);
  }
  return traits.level * now.level * value;
}

const char* Synthetic::known_name(std::size_t column) const {
  return known_[column] == Known::kPrice ? "price" : "holiday";
}

double Synthetic::known_value(const Moment& moment, std::size_t column) const {
  constexpr double kDaysOfAPrice = 6.0;
  constexpr double kHolidayShare = 0.04;
  const auto draw = [&](Draw purpose, double days) {
    const auto index = static_cast<std::uint64_t>(static_cast<std::int64_t>(std::floor(days)));
    return random::uniform(stream_of(settings_, purpose), index);
  };
  if (known_[column] == Known::kHoliday) {
    return draw(Draw::kHolidays, moment.days) < kHolidayShare ? 1.0 : 0.0;
  }
  return std::round(100.0 * draw(Draw::kPrices, moment.days / kDaysOfAPrice)) / 100.0;
}

void Synthetic::values(std::size_t row, std::size_t copy, std::vector<double>& out) const {
  const Moment now = moment(row);
  out.resize(channels_.size());
  for (std::size_t c = 0; c < channels_.size(); ++c) out[c] = value(now, copy, c);
}

RowRange Synthetic::rows_of(std::size_t channel) const {
  constexpr double kEarly = 0.1;  // share of series that end before the last row
  if (!settings_.shortest) return {0, rows_};
  const auto shortest = std::min(static_cast<std::size_t>(*settings_.shortest), rows_);
  const random::Stream draws = stream_of(settings_, Draw::kLengths, channel);
  const auto up_to = [&](std::uint64_t index, std::size_t most) {
    return static_cast<std::size_t>(random::uniform(draws, index) * static_cast<double>(most + 1));
  };
  const std::size_t length = shortest + up_to(0, rows_ - shortest);
  const bool is_early = random::uniform(draws, 1) < kEarly;
  const std::size_t begin = is_early ? up_to(2, rows_ - length) : rows_ - length;
  return {begin, begin + length};
}

bool Synthetic::is_repeated(std::size_t row) const {
  return settings_.duplicates > 0.0 &&
         random::uniform(stream_of(settings_, Draw::kRepeated), row) < settings_.duplicates;
}

Series make_series(const Synthetic& synthetic) {
  Series series;
  series.source = "synthetic";
  series.zone = synthetic.zone();
  series.step = synthetic.step();
  for (std::size_t c = 0; c < synthetic.channels(); ++c) {
    series.channels.push_back({fmt::format("c{}", c + 1), Role::kTarget, {}});
  }
  std::vector<double> values;
  for (std::size_t row = 0; row < synthetic.rows(); ++row) {
    series.stamps.push_back(synthetic.stamp(row));
    synthetic.values(row, 0, values);
    for (std::size_t c = 0; c < values.size(); ++c) series.channels[c].values.push_back(values[c]);
  }
  for (std::size_t k = 0; k < synthetic.known(); ++k) {
    series.channels.push_back({synthetic.known_name(k), Role::kKnown, {}});
    for (std::size_t row = 0; row < synthetic.rows() + synthetic.ahead(); ++row) {
      if (row >= series.rows()) series.stamps.push_back(synthetic.stamp(row));
      series.channels.back().values.push_back(synthetic.known_value(synthetic.moment(row), k));
    }
  }
  return series;
}

namespace {

constexpr std::size_t kPiece = 1 << 16;

std::string stamp_text(const Synthetic& synthetic, std::size_t row) {
  const Instant instant = synthetic.stamp(row);
  return synthetic.zone().is_utc() ? to_text(instant, synthetic.zone())
                                   : to_iso_text(instant, synthetic.zone());
}

// ",0.35,1": of the known columns.
void add_known(const Synthetic& synthetic, const Synthetic::Moment& moment,
               fmt::memory_buffer& text) {
  for (std::size_t k = 0; k < synthetic.known(); ++k) {
    fmt::format_to(std::back_inserter(text), ",{}", synthetic.known_value(moment, k));
  }
}

void add_known_names(const Synthetic& synthetic, fmt::memory_buffer& text) {
  for (std::size_t k = 0; k < synthetic.known(); ++k) {
    fmt::format_to(std::back_inserter(text), ",{}", synthetic.known_name(k));
  }
}

// ",region 2": what is the same in all rows of a channel, and the end of the line.
void end_long_line(const Synthetic& synthetic, std::size_t channel, fmt::memory_buffer& text) {
  for (std::size_t k = 0; k < synthetic.statics(); ++k) {
    fmt::format_to(std::back_inserter(text), ",{}", synthetic.static_column(k).values[channel]);
  }
  text.push_back('\n');
}

void write_long_csv(const Synthetic& synthetic, std::int64_t decimals,
                    const std::function<void(std::string_view)>& write) {
  std::vector<std::string> stamps;
  std::vector<Synthetic::Moment> moments;
  for (std::size_t row = 0; row < synthetic.rows() + synthetic.ahead(); ++row) {
    stamps.push_back(stamp_text(synthetic, row));
    moments.push_back(synthetic.moment(row));
  }
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "unique_id,ds,y");
  add_known_names(synthetic, text);
  for (std::size_t k = 0; k < synthetic.statics(); ++k) {
    fmt::format_to(out, ",{}", synthetic.static_column(k).name);
  }
  text.push_back('\n');
  for (std::size_t c = 0; c < synthetic.channels(); ++c) {
    const RowRange own = synthetic.rows_of(c);
    for (std::size_t row = own.begin; row < own.end; ++row) {
      const std::size_t copies = synthetic.is_repeated(row) ? 2 : 1;
      for (std::size_t copy = 0; copy < copies; ++copy) {
        const double value = synthetic.value(moments[row], copy, c);
        if (std::isnan(value)) continue;
        fmt::format_to(out, "c{},{},{:.{}f}", c + 1, stamps[row], value, decimals);
        add_known(synthetic, moments[row], text);
        end_long_line(synthetic, c, text);
      }
    }
    // A series that ended early has nothing to come.
    const std::size_t ahead = own.end == synthetic.rows() ? synthetic.ahead() : 0;
    for (std::size_t row = own.end; row < own.end + ahead; ++row) {
      fmt::format_to(out, "c{},{},", c + 1, stamps[row]);
      add_known(synthetic, moments[row], text);
      end_long_line(synthetic, c, text);
    }
    if (text.size() >= kPiece) {
      write({text.data(), text.size()});
      text.clear();
    }
  }
  write({text.data(), text.size()});
}

}  // namespace

void write_csv(const Synthetic& synthetic, std::int64_t decimals,
               const std::function<void(std::string_view)>& write) {
  if (synthetic.is_long()) {
    write_long_csv(synthetic, decimals, write);
    return;
  }
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "date");
  for (std::size_t c = 0; c < synthetic.channels(); ++c) fmt::format_to(out, ",c{}", c + 1);
  add_known_names(synthetic, text);
  text.push_back('\n');
  std::vector<double> values;
  for (std::size_t row = 0; row < synthetic.rows(); ++row) {
    const std::string stamp = stamp_text(synthetic, row);
    const std::size_t copies = synthetic.is_repeated(row) ? 2 : 1;
    for (std::size_t copy = 0; copy < copies; ++copy) {
      synthetic.values(row, copy, values);
      fmt::format_to(out, "{}", stamp);
      for (const double value : values) {
        text.push_back(',');
        if (!std::isnan(value)) fmt::format_to(out, "{:.{}f}", value, decimals);
      }
      add_known(synthetic, synthetic.moment(row), text);
      text.push_back('\n');
    }
    if (text.size() >= kPiece) {
      write({text.data(), text.size()});
      text.clear();
    }
  }
  for (std::size_t row = synthetic.rows(); row < synthetic.rows() + synthetic.ahead(); ++row) {
    fmt::format_to(out, "{}{:,<{}}", stamp_text(synthetic, row), "", synthetic.channels());
    add_known(synthetic, synthetic.moment(row), text);
    text.push_back('\n');
  }
  write({text.data(), text.size()});
}

}  // namespace pulsecast
