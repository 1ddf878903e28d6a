// How a file becomes series and series become windows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pulsecast {

enum class Layout { kFound, kWide, kLong, kNumbers };
enum class Separator { kFound, kComma, kSemicolon, kTab, kBlank };
enum class Decimal { kFound, kPoint, kComma };
enum class DayOrder { kFound, kDayFirst, kMonthFirst };
enum class Others { kFound, kTarget, kPast, kIgnore };
enum class Grid { kTime, kRows };
enum class Fill { kRefuse, kNone, kZero, kPrevious, kLinear, kSeasonal };
enum class Duplicates { kRefuse, kFirst, kMean };
enum class Order { kRefuse, kSort };
enum class BadRows { kRefuse, kDrop };
enum class Outliers { kKeep, kClip, kGap };
enum class PhaseSource { kTimestamp, kRow };
enum class Panel { kChannels, kSeries };

// Member initialisers are the defaults; data_declaration.cpp says what each one means. An
// optional that is unset is found from the file, or depends on other settings (train/completion.h).
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
  std::vector<std::string> static_columns;
  Others others = Others::kFound;

  std::optional<Grid> grid;
  Fill fill = Fill::kRefuse;
  Duplicates duplicates = Duplicates::kRefuse;
  Order order = Order::kRefuse;
  BadRows bad_rows = BadRows::kRefuse;
  std::optional<Outliers> outliers;
  std::optional<std::string> resample;
  std::vector<std::string> resample_by;
  std::vector<std::string> drop;

  std::optional<Panel> panel;
  std::optional<std::string> lookback;
  std::optional<std::string> horizon;
  std::optional<std::string> split;
  std::optional<std::int64_t> period;
  std::optional<PhaseSource> phase;
  std::vector<std::string> time_features;
  std::vector<std::string> holidays;
};

}  // namespace pulsecast
