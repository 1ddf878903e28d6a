// How a file becomes series and series become windows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/settings/choices.h"
#include "pulsecast/settings/declaration.h"

namespace pulsecast {

enum class Layout { kFound, kWide, kLong, kNumbers };
enum class Separator { kFound, kComma, kSemicolon, kTab, kBlank };
enum class Decimal { kFound, kPoint, kComma };
enum class DayOrder { kFound, kDayFirst, kMonthFirst };
enum class Others { kFound, kTarget, kPast, kIgnore };
enum class Grid { kTime, kRows };
enum class Fill { kRefuse, kNone, kPrevious, kLinear, kSeasonal };
enum class Duplicates { kRefuse, kFirst, kMean };
enum class Order { kRefuse, kSort };
enum class BadRows { kRefuse, kDrop };
enum class PhaseSource { kTimestamp, kRow };

// Member initialisers are the defaults; data_settings.cpp says what each one means. A string that
// is empty and an optional that is unset mean that the value is found from the file.
struct DataSettings {
  Layout layout = Layout::kFound;
  Separator separator = Separator::kFound;
  Decimal decimal = Decimal::kFound;
  std::optional<std::string> time_column;
  std::optional<std::string> time_zone;
  DayOrder day_order = DayOrder::kFound;
  std::string id_column = "unique_id";
  std::string value_column = "y";
  std::optional<std::string> start;
  std::optional<std::string> step;
  std::optional<std::string> array;
  std::int64_t feature = 0;

  std::vector<std::string> target;
  std::vector<std::string> known;
  std::vector<std::string> past;
  std::vector<std::string> ignore;
  Others others = Others::kFound;

  Grid grid = Grid::kTime;
  Fill fill = Fill::kRefuse;
  Duplicates duplicates = Duplicates::kRefuse;
  Order order = Order::kRefuse;
  BadRows bad_rows = BadRows::kRefuse;
  std::optional<std::string> resample;
  std::vector<std::string> drop;

  std::optional<std::string> lookback;
  std::optional<std::string> horizon;
  std::optional<std::string> split;
  std::optional<std::int64_t> period;
  PhaseSource phase = PhaseSource::kTimestamp;
  std::vector<std::string> time_features;
};

const Declaration<DataSettings>& data_settings();

// The group of the settings that cut a series into windows; all others make it from a file.
inline constexpr const char* kWindowsGroup = "Windows";

template <>
inline constexpr std::array kChoices<Layout>{
    Choice{Layout::kFound, "found", "decided from the header and the first rows"},
    Choice{Layout::kWide, "wide", "a column a channel"},
    Choice{Layout::kLong, "long", "a row a series and stamp: id, stamp, value"},
    Choice{Layout::kNumbers, "numbers", "numbers alone, without header and stamps"}};

template <>
inline constexpr std::array kChoices<Separator>{
    Choice{Separator::kFound, "found", "whichever cuts the first rows evenly"},
    Choice{Separator::kComma, "comma", ""}, Choice{Separator::kSemicolon, "semicolon", ""},
    Choice{Separator::kTab, "tab", ""}, Choice{Separator::kBlank, "blank", "a run of blanks"}};

template <>
inline constexpr std::array kChoices<Decimal>{
    Choice{Decimal::kFound, "found", "a point, or a comma where it cannot be the separator"},
    Choice{Decimal::kPoint, "point", "1.5"}, Choice{Decimal::kComma, "comma", "1,5"}};

template <>
inline constexpr std::array kChoices<DayOrder>{
    Choice{DayOrder::kFound, "found", "decided over the whole column, refused where it stays open"},
    Choice{DayOrder::kDayFirst, "day-first", "31/12/2024"},
    Choice{DayOrder::kMonthFirst, "month-first", "12/31/2024"}};

template <>
inline constexpr std::array kChoices<Others>{
    Choice{Others::kFound, "found", "targets, or past where targets are named"},
    Choice{Others::kTarget, "target", "to be forecast"},
    Choice{Others::kPast, "past", "seen up to now only"},
    Choice{Others::kIgnore, "ignore", "read past"}};

template <>
inline constexpr std::array kChoices<Grid>{
    Choice{Grid::kTime, "time", "rows lie on an even grid of steps; missing ones are gaps"},
    Choice{Grid::kRows, "rows", "rows as they come; stamps serve the calendar features alone"}};

template <>
inline constexpr std::array kChoices<Fill>{
    Choice{Fill::kRefuse, "refuse", "a missing value is an error"},
    Choice{Fill::kNone, "none", "gaps stay, and no window crosses one"},
    Choice{Fill::kPrevious, "previous", "the value before the gap"},
    Choice{Fill::kLinear, "linear", "a straight line from the value before to the value after"},
    Choice{Fill::kSeasonal, "seasonal", "the value one period earlier"}};

template <>
inline constexpr std::array kChoices<Duplicates>{
    Choice{Duplicates::kRefuse, "refuse", "a stamp that comes twice is an error"},
    Choice{Duplicates::kFirst, "first", "the first of the rows with one stamp"},
    Choice{Duplicates::kMean, "mean", "the mean of the rows with one stamp"}};

template <>
inline constexpr std::array kChoices<Order>{
    Choice{Order::kRefuse, "refuse", "a stamp earlier than the one before it is an error"},
    Choice{Order::kSort, "sort", "rows are sorted by stamp"}};

template <>
inline constexpr std::array kChoices<BadRows>{
    Choice{BadRows::kRefuse, "refuse", "a line that cannot become a row is an error"},
    Choice{BadRows::kDrop, "drop", "lines without a readable stamp, or of the wrong length, go"}};

template <>
inline constexpr std::array kChoices<PhaseSource>{
    Choice{PhaseSource::kTimestamp, "timestamp", "of the wall clock, counted from a Monday 00:00"},
    Choice{PhaseSource::kRow, "row", "of the row number, as the paper's authors ran it"}};

}  // namespace pulsecast
