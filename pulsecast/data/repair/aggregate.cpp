#include "pulsecast/data/repair/aggregate.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "pulsecast/base/missing.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr std::array kAll = {Aggregate::kMean, Aggregate::kSum, Aggregate::kLast, Aggregate::kMin,
                             Aggregate::kMax};

std::optional<Aggregate> aggregate_named(std::string_view word) {
  for (const Aggregate aggregate : kAll) {
    if (word == name(aggregate)) return aggregate;
  }
  return std::nullopt;
}

}  // namespace

const char* name(Aggregate aggregate) {
  switch (aggregate) {
    case Aggregate::kMean:
      return "mean";
    case Aggregate::kSum:
      return "sum";
    case Aggregate::kLast:
      return "last";
    case Aggregate::kMin:
      return "min";
    case Aggregate::kMax:
      return "max";
  }
  return "unknown";
}

std::vector<Aggregate> aggregates_of(const std::vector<std::string>& told,
                                     const std::vector<std::string>& columns,
                                     const std::string& source) {
  const Place place = Place(source).about("resample-by");
  std::vector<Aggregate> all(columns.size(), Aggregate::kMean);
  std::vector<bool> is_own(columns.size());
  for (const std::string& text : told) {
    const std::size_t mark = text.rfind('=');
    const std::string word = mark == std::string::npos ? text : text.substr(mark + 1);
    const std::optional<Aggregate> aggregate = aggregate_named(word);
    if (!aggregate) {
      throw_error(ErrorKind::kUsage, place, "'{}' is none of mean, sum, last, min and max", word);
    }
    if (mark == std::string::npos) {
      for (std::size_t c = 0; c < columns.size(); ++c) {
        if (!is_own[c]) all[c] = *aggregate;
      }
      continue;
    }
    const std::string column = text.substr(0, mark);
    const auto found = std::ranges::find(columns, column);
    if (found == columns.end()) {
      throw_error(ErrorKind::kUsage, place, "there is no column '{}'.{}", column,
                  did_you_mean(column, columns));
    }
    const auto c = static_cast<std::size_t>(found - columns.begin());
    all[c] = *aggregate;
    is_own[c] = true;
  }
  return all;
}

void Aggregator::add(double value) {
  ++count_;
  if (count_ == 1 || aggregate_ == Aggregate::kLast) {
    value_ = value;
  } else if (aggregate_ == Aggregate::kMin) {
    value_ = std::min(value_, value);
  } else if (aggregate_ == Aggregate::kMax) {
    value_ = std::max(value_, value);
  } else {
    value_ += value;
  }
}

double Aggregator::take() {
  const std::size_t count = count_;
  count_ = 0;
  if (count == 0) return kMissing;
  return aggregate_ == Aggregate::kMean ? value_ / static_cast<double>(count) : value_;
}

}  // namespace pulsecast
