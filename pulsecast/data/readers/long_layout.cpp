#include "pulsecast/data/readers/long_layout.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace pulsecast {
namespace {

// Fewer repeated stamps than this share of the rows are faults of rows, not a layout.
constexpr double kFewestRepeats = 0.01;
// So many repeated stamps leave no doubt.
constexpr double kCertainRepeats = 0.1;
// Of the repeats that a column explains, this share may be left: rows that are there twice.
constexpr double kUnexplained = 0.05;
constexpr std::size_t kMostCandidates = 8;

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  std::uint64_t x = (a ^ (b + 0x9E3779B97F4A7C15 + (a << 6) + (a >> 2))) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 29)) * 0x94D049BB133111EB;
  return x ^ (x >> 32);
}

std::uint64_t key_of(const Stamp& stamp) {
  const std::uint64_t date = static_cast<std::uint64_t>(stamp.year) << 16 |
                             static_cast<std::uint64_t>(stamp.first) << 8 | stamp.second;
  return mixed(mixed(date, static_cast<std::uint64_t>(stamp.thousandths)),
               static_cast<std::uint64_t>(static_cast<std::int64_t>(stamp.offset)));
}

struct Repeats {
  std::size_t count = 0;  // rows whose key another row has had
  std::size_t most = 1;   // rows of one key
};

Repeats repeats_of(std::vector<std::uint64_t> keys) {
  std::ranges::sort(keys);
  Repeats repeats;
  for (std::size_t i = 0, start = 0; i < keys.size(); ++i) {
    if (keys[i] != keys[start]) start = i;
    repeats.count += i > start ? 1 : 0;
    repeats.most = std::max(repeats.most, i - start + 1);
  }
  return repeats;
}

// Dates that go up, or down, from row to row repeat none, and that is most files.
bool is_monotonic(const PackedStamps& stamps) {
  const auto order = [](const Stamp& a, const Stamp& b) {
    return std::tuple(a.year, a.first, a.second, a.thousandths) <
           std::tuple(b.year, b.first, b.second, b.thousandths);
  };
  bool rises = true;
  bool falls = true;
  Stamp before = stamps[0];
  for (std::size_t i = 1; i < stamps.size() && (rises || falls); ++i) {
    const Stamp stamp = stamps[i];
    if (stamp.form != Stamp::Form::kYearFirst && stamp.form != Stamp::Form::kNumber) return false;
    rises = rises && order(before, stamp);
    falls = falls && order(stamp, before);
    before = stamp;
  }
  return rises || falls;
}

// A column that may name series: a code per row.
struct Candidate {
  std::optional<std::size_t> label;
  std::string number;  // name of a column of whole numbers
  PackedRows<std::uint32_t> codes;
  std::size_t distinct = 0;
};

std::optional<Candidate> whole_numbers(const Column& column, std::size_t most_distinct) {
  Candidate candidate{.label = {}, .number = column.name, .codes = {}};
  std::unordered_map<double, std::uint32_t> index;
  for (const double value : column.values) {
    if (!(std::abs(value) < 1e9) || value != std::floor(value)) return std::nullopt;
    const auto [entry, is_new] = index.emplace(value, static_cast<std::uint32_t>(index.size()));
    if (index.size() > most_distinct) return std::nullopt;
    candidate.codes.push_back(entry->second);
  }
  candidate.distinct = index.size();
  return candidate;
}

class Finder {
 public:
  Finder(const PackedStamps& stamps, const std::vector<LabelColumn>& labels, const Table& table)
      : stamps_(stamps), labels_(labels), table_(table), repeats_(repeats_of(keys())) {}

  std::optional<LongLayout> find() && {
    const auto rows = static_cast<double>(stamps_.size());
    if (repeats_.count < 2 || double(repeats_.count) < kFewestRepeats * rows) return std::nullopt;
    list_candidates();
    for (const Candidate& one : candidates_) {
      if (tells_apart({&one})) return layout({&one});
    }
    for (const Candidate& one : candidates_) {
      for (const Candidate& other : candidates_) {
        if (&one < &other && tells_apart({&one, &other})) return layout({&one, &other});
      }
    }
    return std::nullopt;
  }

 private:
  using Chosen = std::vector<const Candidate*>;

  // One a row; made when they are wanted, since they would weigh as much as the values.
  std::vector<std::uint64_t> keys() const {
    std::vector<std::uint64_t> keys;
    keys.reserve(stamps_.size());
    for (std::size_t row = 0; row < stamps_.size(); ++row) keys.push_back(key_of(stamps_[row]));
    return keys;
  }

  // A series has two rows at least.
  std::size_t most_series() const { return stamps_.size() / 2; }

  void list_candidates() {
    for (std::size_t i = 0; i < labels_.size() && candidates_.size() < kMostCandidates; ++i) {
      if (labels_[i].is_static) continue;
      const Labels& labels = labels_[i].labels;
      if (labels.names().size() < 2 || labels.names().size() > most_series()) continue;
      candidates_.push_back({i, "", labels.codes(), labels.names().size()});
    }
    for (const Column& column : table_.columns) {
      if (candidates_.size() == kMostCandidates) break;
      // Counts of things sold are whole numbers too: names are about as many as rows of a stamp.
      auto candidate = whole_numbers(column, std::min(most_series(), 2 * repeats_.most));
      if (candidate && candidate->distinct > 1) candidates_.push_back(std::move(*candidate));
    }
  }

  bool tells_apart(const Chosen& chosen) const {
    std::vector<std::uint64_t> keys = this->keys();
    std::size_t most = 1;
    for (const Candidate* candidate : chosen) {
      most *= candidate->distinct;
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = mixed(keys[i], candidate->codes[i]);
    }
    // So many names tell no more rows apart than this, however they are spread over the stamps.
    const double left = kUnexplained * double(repeats_.count);
    const double stamps = double(keys.size() - repeats_.count);
    if (stamps * double(most) < double(keys.size()) - left) return false;
    return double(repeats_of(std::move(keys)).count) <= left;
  }

  LongLayout layout(const Chosen& chosen) const {
    LongLayout layout;
    for (const Candidate* candidate : chosen) {
      if (candidate->label) {
        layout.labels.push_back(*candidate->label);
      } else {
        layout.numbers.push_back(candidate->number);
      }
    }
    std::vector<std::string> all;
    for (const Column& column : table_.columns) {
      if (column.role != Role::kTarget) continue;
      if (std::ranges::count(layout.numbers, column.name) > 0) continue;
      all.push_back(column.name);
      if (!is_attribute(column, chosen)) layout.values.push_back(column.name);
    }
    if (layout.values.empty()) layout.values = all;
    layout.is_certain = layout.numbers.empty() && layout.values.size() == 1 &&
                        double(repeats_.count) >= kCertainRepeats * double(stamps_.size());
    return layout;
  }

  // The same in every row of a series: the size of a shop, not what it sold.
  bool is_attribute(const Column& column, const Chosen& chosen) const {
    std::unordered_map<std::uint64_t, double> seen;
    for (std::size_t row = 0; row < column.values.size(); ++row) {
      const double value = column.values[row];
      if (std::isnan(value)) continue;
      std::uint64_t series = 0;
      for (const Candidate* candidate : chosen) series = mixed(series, candidate->codes[row]);
      if (seen.emplace(series, value).first->second != value) return false;
    }
    return true;
  }

  const PackedStamps& stamps_;
  const std::vector<LabelColumn>& labels_;
  const Table& table_;
  Repeats repeats_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::optional<LongLayout> find_long_layout(const PackedStamps& stamps,
                                           const std::vector<LabelColumn>& labels,
                                           const Table& table) {
  if (stamps.size() < 4 || is_monotonic(stamps)) return std::nullopt;
  return Finder(stamps, labels, table).find();
}

}  // namespace pulsecast
