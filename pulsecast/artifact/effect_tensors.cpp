#include "pulsecast/artifact/effect_tensors.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

using Term = EffectDesign::Term;

constexpr const char* kColumns = "effects.columns";  // (K, 4): mean, scale, low, high
// (terms, 6): kind, column, other, knot, centre, spread; kinds are numbered as in EffectDesign
constexpr const char* kTerms = "effects.terms";
constexpr const char* kWeights = "effects.weights";  // (sets, groups, terms)

constexpr std::size_t kColumnNumbers = 4;
constexpr std::size_t kTermNumbers = 6;

// Groups are told by how many there are.
std::optional<EffectGroups> groups_of(std::size_t count) {
  for (const EffectGroups groups :
       {EffectGroups::kNone, EffectGroups::kHour, EffectGroups::kWeekday, EffectGroups::kMonth}) {
    if (EffectDesign({}, {}, groups).group_count() == count) return groups;
  }
  return std::nullopt;
}

bool is_index(double value, std::size_t below) {
  return value >= 0.0 && value < static_cast<double>(below) && value == std::floor(value);
}

}  // namespace

bool has_effect_tensors(const store::TensorFile& file) {
  return std::ranges::any_of(
      file.tensors, [](const store::StoredTensor& tensor) { return tensor.name == kWeights; });
}

void add_effects(const Effects& effects, store::TensorFile& file) {
  const EffectDesign& design = effects.design();
  std::vector<double> columns;
  for (const EffectDesign::Column& column : design.columns()) {
    columns.insert(columns.end(), {column.mean, column.scale, column.low, column.high});
  }
  std::vector<double> terms;
  for (const Term& term : design.terms()) {
    terms.insert(terms.end(),
                 {static_cast<double>(term.kind), static_cast<double>(term.column),
                  static_cast<double>(term.other), term.knot, term.centre, term.spread});
  }
  file.tensors.push_back(
      store::store_doubles(kColumns, {design.columns().size(), kColumnNumbers}, columns));
  file.tensors.push_back(
      store::store_doubles(kTerms, {design.terms().size(), kTermNumbers}, terms));
  file.tensors.push_back(store::store_doubles(
      kWeights, {effects.sets(), design.group_count(), design.terms().size()}, effects.weights()));
}

Effects read_effects(const store::TensorFile& file, std::span<const ChannelInfo> channels,
                     bool is_panel, const std::string& where) {
  const auto require = [&](bool is_so, const char* tensor, const char* expected) {
    if (!is_so) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' should have {}", tensor, expected);
    }
  };
  const auto count = [&](Role role) {
    return static_cast<std::size_t>(std::ranges::count(channels, role, &ChannelInfo::role));
  };
  const auto numbers = [&](const char* name) {
    const auto values = file.at(name).doubles();
    require(std::ranges::all_of(values, [](double value) { return std::isfinite(value); }), name,
            "finite values");
    return values;
  };
  const std::vector<std::size_t>& sizes = file.at(kWeights).shape;
  require(sizes.size() == 3, kWeights, "three dimensions");
  const std::optional<EffectGroups> groups = groups_of(sizes[1]);
  require(groups && sizes[0] == (is_panel ? 1 : count(Role::kTarget)) && sizes[2] > 0, kWeights,
          "weights for each target, a group of rows and a term");
  const auto columns = numbers(kColumns);
  // Each series of a long table may have its own, as many as every other.
  const std::size_t K = columns.size() / kColumnNumbers;
  require(columns.size() == K * kColumnNumbers && K > 0 && count(Role::kKnown) % K == 0, kColumns,
          "four numbers for each known column");
  std::vector<EffectDesign::Column> read_columns;
  for (std::size_t k = 0; k < K; ++k) {
    const auto own = columns.subspan(k * kColumnNumbers, kColumnNumbers);
    require(own[1] > 0.0, kColumns, "positive scales");
    read_columns.push_back({own[0], own[1], own[2], own[3]});
  }
  const auto terms = numbers(kTerms);
  require(terms.size() == sizes[2] * kTermNumbers, kTerms, "six numbers for each term");
  std::vector<Term> read_terms;
  for (std::size_t m = 0; m < sizes[2]; ++m) {
    const auto own = terms.subspan(m * kTermNumbers, kTermNumbers);
    require(is_index(own[0], 3) && is_index(own[1], K) && is_index(own[2], K) && own[5] > 0.0,
            kTerms, "kinds, columns and spreads that there are");
    read_terms.push_back({static_cast<Term::Kind>(static_cast<int>(own[0])),
                          static_cast<std::size_t>(own[1]), static_cast<std::size_t>(own[2]),
                          own[3], own[4], own[5]});
  }
  const auto weights = numbers(kWeights);
  require(weights.size() == sizes[0] * sizes[1] * sizes[2], kWeights, "as many values as it says");
  return {EffectDesign(std::move(read_columns), std::move(read_terms), *groups),
          sizes[0],
          {weights.begin(), weights.end()}};
}

}  // namespace pulsecast::artifact
