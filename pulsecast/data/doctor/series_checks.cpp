#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>

#include "pulsecast/data/doctor/checks.h"

namespace pulsecast {
namespace {

// Of the stamps and values of the targets, in the file's order; missing ones are alike.
class SeriesContents {
 public:
  explicit SeriesContents(const Table& table) : table_(table) {
    for (const Column& column : table.columns) {
      if (column.role == Role::kTarget) targets_.push_back(&column);
    }
  }

  std::uint64_t hash(const SeriesRows& series) const {
    std::uint64_t sum = 0xCBF29CE484222325;
    const auto add = [&](std::uint64_t bits) {
      sum = (sum ^ bits) * 0x100000001B3;
      sum ^= sum >> 29;
    };
    for (const std::uint32_t row : series.rows) {
      add(static_cast<std::uint64_t>(table_.stamps[row].milliseconds));
      for (const Column* column : targets_) add(bits_of(column->values[row]));
    }
    return sum;
  }

  bool are_same(const SeriesRows& a, const SeriesRows& b) const {
    return std::ranges::equal(a.rows, b.rows, [&](std::uint32_t one, std::uint32_t other) {
      return table_.stamps[one] == table_.stamps[other] &&
             std::ranges::all_of(targets_, [&](const Column* column) {
               return bits_of(column->values[one]) == bits_of(column->values[other]);
             });
    });
  }

  // Two that never change agree by chance, and that they do not change is said of each.
  bool changes(const SeriesRows& series) const {
    return std::ranges::any_of(targets_, [&](const Column* column) {
      const std::uint64_t first = bits_of(column->values[series.rows.front()]);
      return std::ranges::any_of(
          series.rows, [&](std::uint32_t row) { return bits_of(column->values[row]) != first; });
    });
  }

 private:
  static std::uint64_t bits_of(double value) {
    return std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value + 0.0);
  }

  const Table& table_;
  std::vector<const Column*> targets_;
};

}  // namespace

void check_twins(const Table& table, const std::vector<SeriesRows>& all,
                 std::vector<Finding>& findings) {
  if (!table.is_long()) return;
  const SeriesContents contents(table);
  std::unordered_multimap<std::uint64_t, const SeriesRows*> seen;
  for (const SeriesRows& series : all) {
    if (series.rows.empty() || !contents.changes(series)) continue;
    const std::uint64_t hash = contents.hash(series);
    const auto [begin, end] = seen.equal_range(hash);
    const auto twin = std::find_if(
        begin, end, [&](const auto& entry) { return contents.are_same(*entry.second, series); });
    if (twin == end) {
      seen.emplace(hash, &series);
      continue;
    }
    findings.push_back({Finding::Kind::kTwinSeries, series.name, "",
                        table.lines[series.rows.front()], table.lines[series.rows.back()],
                        series.rows.size(),
                        fmt::format("it has the stamps and values of '{}'", twin->second->name)});
  }
}

}  // namespace pulsecast
