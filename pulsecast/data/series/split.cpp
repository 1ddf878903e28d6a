#include "pulsecast/data/series/split.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/data/paper/dataset.h"

namespace pulsecast {
namespace {

Place split_setting() { return Place::of_setting("split"); }

std::vector<std::string_view> cut_at_commas(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    parts.push_back(text.substr(begin, comma - begin));
    if (comma == std::string_view::npos) return parts;
    begin = comma + 1;
  }
}

template <typename T>
std::optional<std::vector<T>> numbers_of(std::span<const std::string_view> parts) {
  std::vector<T> numbers;
  for (const std::string_view part : parts) {
    T value{};
    const auto [stop, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || stop != part.data() + part.size()) return std::nullopt;
    numbers.push_back(value);
  }
  return numbers;
}

[[noreturn]] void refuse(std::string_view text) {
  std::vector<std::string> names;
  for (const Dataset& dataset : datasets()) names.emplace_back(dataset.name);
  throw_error(
      ErrorKind::kUsage, split_setting(),
      "expected three shares (0.7,0.1,0.2), three row counts (8640,2880,2880), the dates at "
      "which validation and test begin (2017-07-01,2017-11-01), or the name of a dataset "
      "of the paper; got '{}'.{}",
      text.substr(0, 80), did_you_mean(text.substr(0, 80), names));
}

}  // namespace

Split split_by_shares(std::size_t rows, double train, double validation, double test) {
  constexpr double kRounding = 1e-9;
  if (!(train > 0.0 && validation >= 0.0 && test > 0.0) ||
      std::abs(train + validation + test - 1.0) > kRounding) {
    throw_error(ErrorKind::kUsage, split_setting(),
                "the shares of training, validation and test must be above 0 and add up to 1; {} + "
                "{} + {} = {}",
                train, validation, test, train + validation + test);
  }
  const auto count = static_cast<double>(rows);
  const auto train_rows = static_cast<std::size_t>(std::floor(train * count));
  const auto test_rows = static_cast<std::size_t>(std::floor(test * count));
  return {{0, train_rows}, {train_rows, rows - test_rows}, {rows - test_rows, rows}};
}

Split split_by_counts(std::size_t rows, std::size_t train, std::size_t validation,
                      std::size_t test) {
  // One after the other, so that no sum of three can overflow.
  if (train > rows || validation > rows - train || test > rows - train - validation) {
    throw_error(
        ErrorKind::kData, split_setting(),
        "{} for training, {} for validation and {} for test were asked for, but the file has {}",
        counted(train, "row"), validation, test, counted(rows, "row"));
  }
  const std::size_t test_begin = train + validation;
  return {{0, train}, {train, test_begin}, {test_begin, test_begin + test}};
}

Split split_by_dates(std::span<const Instant> stamps, Instant validation, Instant test,
                     const Zone& zone) {
  const auto row_of = [&](Instant instant) {
    return static_cast<std::size_t>(std::ranges::lower_bound(stamps, instant) - stamps.begin());
  };
  const std::size_t validation_row = row_of(validation);
  const std::size_t test_row = row_of(test);
  if (validation_row == 0 || validation > test || test_row == stamps.size()) {
    throw_error(ErrorKind::kData, split_setting(),
                "validation is to begin at {} and test at {}, but training before them and test "
                "after them need rows, and the stamps go from {} to {}",
                to_text(validation, zone), to_text(test, zone),
                stamps.empty() ? "nowhere" : to_text(stamps.front(), zone),
                stamps.empty() ? "nowhere" : to_text(stamps.back(), zone));
  }
  return {{0, validation_row}, {validation_row, test_row}, {test_row, stamps.size()}};
}

Split parse_split(std::string_view text, std::span<const Instant> stamps, const Zone& zone) {
  if (const Dataset* dataset = find_dataset(text)) return protocol_split(*dataset, stamps.size());
  const std::vector<std::string_view> parts = cut_at_commas(text);
  if (parts.size() == 3) {
    if (const auto counts = numbers_of<std::size_t>(parts)) {
      return split_by_counts(stamps.size(), (*counts)[0], (*counts)[1], (*counts)[2]);
    }
    if (const auto shares = numbers_of<double>(parts)) {
      return split_by_shares(stamps.size(), (*shares)[0], (*shares)[1], (*shares)[2]);
    }
  }
  if (parts.size() == 2) {
    return split_by_dates(stamps, read_instant(parts[0], zone, split_setting()),
                          read_instant(parts[1], zone, split_setting()), zone);
  }
  refuse(text);
}

Split parse_split(std::string_view text, const Series& series) {
  return parse_split(text, std::span(series.stamps).first(target_rows(series)), series.zone);
}

namespace {

template <typename SplitOf>
std::vector<Split> splits_of(const Series& series, SplitOf&& split_of) {
  std::vector<Split> splits;
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const RowRange own = rows_with_values(channel);
    Split split = split_of(own);
    for (RowRange* part : {&split.train, &split.validation, &split.test}) {
      *part = {own.begin + part->begin, own.begin + part->end};
    }
    splits.push_back(split);
  }
  return splits;
}

}  // namespace

std::vector<Split> parse_splits(std::string_view text, const Series& series) {
  const std::vector<std::string_view> parts = cut_at_commas(text);
  const bool is_by_dates = parts.size() == 2;
  return splits_of(series, [&](RowRange own) -> Split {
    const auto stamps = std::span(series.stamps).subspan(own.begin, own.size());
    if (!is_by_dates) return parse_split(text, stamps, series.zone);
    const auto row_of = [&](std::string_view date) {
      const Instant instant = read_instant(date, series.zone, split_setting());
      return static_cast<std::size_t>(std::ranges::lower_bound(stamps, instant) - stamps.begin());
    };
    const std::size_t validation = row_of(parts[0]);
    const std::size_t test = std::max(validation, row_of(parts[1]));
    return {{0, validation}, {validation, test}, {test, stamps.size()}};
  });
}

std::vector<Split> newest_validate(const Series& series, std::size_t validation) {
  return splits_of(series, [&](RowRange own) -> Split {
    const std::size_t rows = own.size();
    const std::size_t train = rows - std::min(validation, rows / 3);
    return {{0, train}, {train, rows}, {rows, rows}};
  });
}

}  // namespace pulsecast
