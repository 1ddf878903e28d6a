#include "pulsecast/data/readers/typed_column.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/missing.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {

void TypedColumn::numbers(std::size_t, std::span<double> out) const {
  std::ranges::fill(out, kMissing);
}

std::size_t TypedColumn::stamps(std::size_t, std::span<std::int64_t> out) const {
  std::ranges::fill(out, kNoStamp);
  return 0;
}

std::optional<Zone> TypedColumn::zone() const { return std::nullopt; }

std::string TypedColumn::cell(std::size_t row) const {
  if (kind_ == Kind::kNumbers) {
    double value = kMissing;
    numbers(row, {&value, 1});
    return std::isnan(value) ? "" : fmt::format("{}", value);
  }
  std::int64_t milliseconds = kNoStamp;
  if (kind_ == Kind::kStamps) stamps(row, {&milliseconds, 1});
  const Instant stamp{milliseconds};
  if (stamp < kEarliestInstant || stamp > kLatestInstant) return "";
  const std::optional<Zone> own = zone();
  return own ? to_iso_text(stamp, *own) : to_text(stamp, Zone());
}

Labels TypedColumn::labels() const {
  Labels labels;
  for (std::size_t row = 0; row < rows_; ++row) labels.add(labels.code_of(trimmed(cell(row))));
  return labels;
}

}  // namespace pulsecast
