#include "pulsecast/artifact/range_tensors.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/artifact/weight_tensors.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

using calibrate::kGrid;
using calibrate::ScoreSet;

// (sets, 7): scores, powers of deviation and recent deviation, the least of each, of a panel the
// deviation up to which windows are of the set, and the gain of the online correction.
constexpr const char* kSets = "ranges.sets";
constexpr const char* kPhases = "ranges.phases";  // (sets, W); all 1 where phases say nothing
constexpr const char* kScores = "ranges.scores";  // (sets, H, probabilities)
constexpr const char* kUnits = "ranges.units";    // (sets, H) of what a quantile head says
constexpr const char* kPrefix = "ranges.";        // also of the weights of such a head

constexpr std::size_t kSetNumbers = 7;
constexpr double kNoLimit = 1e300;  // stands for infinity

bool is_flat(std::span<const float> phases) {
  return std::ranges::all_of(phases, [](float value) { return value == 1.0f; });
}

// Ascending, and where values are missing they are at the ends.
bool is_row(std::span<const float> scores) {
  const auto is_there = [](float value) { return !std::isnan(value); };
  const auto first = std::ranges::find_if(scores, is_there);
  const auto last = std::find_if_not(first, scores.end(), is_there);
  return std::none_of(last, scores.end(), is_there) && std::is_sorted(first, last) &&
         std::all_of(first, last, [](float value) { return std::isfinite(value); });
}

bool has_tensor(const store::TensorFile& file, const char* name) {
  return std::ranges::any_of(
      file.tensors, [&](const store::StoredTensor& tensor) { return tensor.name == name; });
}

void add_head(const calibrate::Calibration& ranges, store::TensorFile& file) {
  file.tensors.push_back(
      store::store_floats(kUnits, {ranges.sets().size(), ranges.horizon()}, ranges.units()));
  add_weights(kPrefix, ranges.head()->parameters(), file);
}

void read_head(const store::TensorFile& file, const RangeShape& shape, const std::string& where,
               calibrate::Calibration& ranges) {
  const store::StoredTensor& stored = file.at(kUnits);
  const auto units = stored.floats();
  const auto is_unit = [](float value) { return std::isfinite(value) && value >= 0.0f; };
  if (stored.shape != std::vector{ranges.sets().size(), shape.horizon} ||
      !std::ranges::all_of(units, is_unit)) {
    throw_error(ErrorKind::kModelFile, where,
                "its tensor '{}' should have a unit for each channel and step, none of them "
                "negative",
                kUnits);
  }
  auto head =
      std::make_shared<calibrate::QuantileHead>(shape.channels, shape.horizon, shape.period);
  read_weights(file, kPrefix, head->parameters(), where);
  ranges.set_head(std::move(head), {units.begin(), units.end()});
}

}  // namespace

bool has_range_tensors(const store::TensorFile& file) { return has_tensor(file, kScores); }

std::size_t count_range_tensors(const store::TensorFile& file) {
  if (!has_range_tensors(file)) return 0;
  constexpr std::size_t kOfAll = 3;
  return has_tensor(file, kUnits) ? kOfAll + 1 + calibrate::QuantileHead::kParameters : kOfAll;
}

void add_ranges(const calibrate::Calibration& ranges, std::size_t period, store::TensorFile& file) {
  std::vector<double> sets;
  std::vector<float> phases;
  for (const ScoreSet& set : ranges.sets()) {
    const calibrate::LocalScale& scale = set.scale;
    sets.insert(sets.end(), {static_cast<double>(set.scores), scale.deviation_power,
                             scale.recent_power, scale.least_deviation, scale.least_recent,
                             std::min(set.until, kNoLimit), set.gain});
    for (std::size_t p = 0; p < period; ++p) {
      phases.push_back(scale.phases.empty() ? 1.0f : scale.phases[p]);
    }
  }
  const std::size_t S = ranges.sets().size();
  file.tensors.push_back(store::store_doubles(kSets, {S, kSetNumbers}, sets));
  file.tensors.push_back(store::store_floats(kPhases, {S, period}, phases));
  file.tensors.push_back(
      store::store_floats(kScores, {S, ranges.horizon(), kGrid}, ranges.quantiles()));
  if (ranges.head() != nullptr) add_head(ranges, file);
}

calibrate::Calibration read_ranges(const store::TensorFile& file, const RangeShape& of,
                                   const std::string& where) {
  const std::size_t horizon = of.horizon;
  const std::size_t period = of.period;
  const auto require = [&](bool is_so, const char* tensor, const char* expected) {
    if (!is_so) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' should have {}", tensor, expected);
    }
  };
  const std::vector<std::size_t>& shape = file.at(kScores).shape;
  require(shape.size() == 3 && shape[0] > 0 && (of.sets == 0 || shape[0] == of.sets) &&
              shape[1] == horizon && shape[2] == kGrid,
          kScores, "quantiles of the scores of each channel and step");
  const std::size_t S = shape[0];
  const auto scores = file.at(kScores).floats();
  const auto phases = file.at(kPhases).floats();
  const auto numbers = file.at(kSets).doubles();
  require(phases.size() == S * period &&
              std::ranges::all_of(phases,
                                  [](float value) { return std::isfinite(value) && value > 0.0f; }),
          kPhases, "a positive factor for each channel and phase");
  require(numbers.size() == S * kSetNumbers &&
              std::ranges::all_of(
                  numbers, [](double value) { return std::isfinite(value) && value >= 0.0; }),
          kSets, "seven numbers for each channel, none of them negative");
  std::vector<ScoreSet> read(S);
  for (std::size_t s = 0; s < S; ++s) {
    const auto own = numbers.subspan(s * kSetNumbers, kSetNumbers);
    require(own[0] <= 1e15 && own[1] <= 1.0 && own[2] <= 1.0 && own[6] <= 1.0, kSets,
            "a count, and powers and a gain of at most 1");
    ScoreSet& set = read[s];
    set.scores = static_cast<std::size_t>(own[0]);
    set.scale = {own[1], own[2], own[3], own[4], {}};
    if (own[5] < kNoLimit) set.until = own[5];
    set.gain = own[6];
    const auto of_phases = phases.subspan(s * period, period);
    if (!is_flat(of_phases)) set.scale.phases.assign(of_phases.begin(), of_phases.end());
    for (std::size_t h = 0; h < horizon; ++h) {
      require(is_row(scores.subspan((s * horizon + h) * kGrid, kGrid)), kScores,
              "finite quantiles that ascend, missing at the ends alone");
    }
  }
  calibrate::Calibration ranges(horizon, std::move(read), {scores.begin(), scores.end()});
  if (has_tensor(file, kUnits)) read_head(file, of, where, ranges);
  return ranges;
}

}  // namespace pulsecast::artifact
