#include "pulsecast/data/statics/static_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/data/readers/number_cell.h"

namespace pulsecast {
namespace {

constexpr std::size_t kStretches = 8;

std::optional<double> number_in(const std::string& text) {
  for (const char decimal : {'.', ','}) {
    const NumberCell cell = read_number(text, decimal);
    if (cell.kind == NumberCell::Kind::kNumber && !cell.is_dressed) return cell.value;
  }
  return std::nullopt;
}

// Of all texts, or none.
std::vector<double> numbers_in(const std::vector<std::string>& texts) {
  std::vector<double> numbers;
  for (const std::string& text : texts) {
    const std::optional<double> number = number_in(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

}  // namespace

StaticGroups StaticGroups::of(const StaticColumn& column) {
  StaticGroups groups{column.name, column.values, {}};
  std::erase(groups.texts, "");
  std::vector<double> numbers = numbers_in(groups.texts);
  std::ranges::sort(groups.texts);
  groups.texts.erase(std::unique(groups.texts.begin(), groups.texts.end()), groups.texts.end());
  if (groups.texts.size() <= kStretches || numbers.empty()) return groups;
  std::ranges::sort(numbers);
  for (std::size_t i = 1; i < kStretches; ++i) {
    const double bound = numbers[i * numbers.size() / kStretches];
    const double last = groups.bounds.empty() ? numbers.front() : groups.bounds.back();
    if (bound > last) groups.bounds.push_back(bound);
  }
  if (!groups.bounds.empty()) groups.texts.clear();
  return groups;
}

std::optional<std::size_t> StaticGroups::of(const std::string& value) const {
  if (bounds.empty()) {
    const auto found = std::ranges::lower_bound(texts, value);
    if (found == texts.end() || *found != value) return std::nullopt;
    return static_cast<std::size_t>(found - texts.begin());
  }
  const std::optional<double> number = number_in(value);
  if (!number) return std::nullopt;
  return static_cast<std::size_t>(std::ranges::upper_bound(bounds, *number) - bounds.begin());
}

std::string StaticGroups::label(std::size_t group) const {
  if (bounds.empty()) return texts[group];
  if (group == 0) return fmt::format("below {:.6g}", bounds.front());
  if (group == bounds.size()) return fmt::format("{:.6g} and above", bounds.back());
  return fmt::format("{:.6g} to {:.6g}", bounds[group - 1], bounds[group]);
}

}  // namespace pulsecast
