#include "pulsecast/search/search_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "pulsecast/base/error.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/checkpoint.h"

namespace pulsecast::search {
namespace {

constexpr std::size_t kNumbers = 15;  // of a trial
constexpr std::size_t kRecord = 5;    // numbers of a judgement's record
constexpr std::size_t kPlace = 5;     // numbers of where a search stands

// Counts travel as doubles, which hold every count that a search can reach exactly.
std::array<double, kNumbers> numbers_of(const SearchState::Standing& trial) {
  const TrialState& state = trial.state;
  return {static_cast<double>(trial.candidate),
          static_cast<double>(trial.seed),
          static_cast<double>(state.steps),
          state.seconds,
          state.best_mse,
          state.loss_sum,
          static_cast<double>(state.losses),
          state.judged_seconds,
          state.slice ? 1.0 : 0.0,
          state.slice ? state.slice->limits.seconds : 0.0,
          state.slice ? static_cast<double>(state.slice->limits.steps) : 0.0,
          state.slice && state.slice->limits.is_last ? 1.0 : 0.0,
          state.slice ? static_cast<double>(state.slice->first_step) : 0.0,
          state.slice ? state.slice->first_second : 0.0,
          state.slice ? static_cast<double>(state.slice->judged) : 0.0};
}

// A count that was saved as a double. Throws Error for one that none could have come to.
template <typename Count>
Count count_of(double value) {
  constexpr double kMost = std::is_same_v<Count, std::uint32_t> ? 0x1p32 : 0x1p53;
  if (!(value >= 0.0 && value < kMost) || value != std::floor(value)) {
    throw Error(ErrorKind::kModelFile, "a count in it is none", "search");
  }
  return static_cast<Count>(value);
}

std::vector<float> floats_of(const store::TensorFile& file, const std::string& name) {
  const std::span<const float> values = file.at(name).floats();
  return {values.begin(), values.end()};
}

SearchState::Standing standing_of(const store::TensorFile& file, std::size_t index,
                                  std::size_t candidates) {
  const std::string prefix = fmt::format("{}.", index);
  const std::span<const double> numbers = file.at(prefix + "numbers").doubles();
  const std::span<const double> history = file.at(prefix + "history").doubles();
  const auto refuse = [](const char* why) { throw Error(ErrorKind::kModelFile, why, "search"); };
  if (numbers.size() != kNumbers || history.size() % kRecord != 0) refuse("its parts do not fit");
  SearchState::Standing trial;
  trial.candidate = count_of<std::size_t>(numbers[0]);
  if (trial.candidate >= candidates) refuse("it has a candidate that this search has not");
  trial.seed = count_of<std::int64_t>(numbers[1]);
  TrialState& state = trial.state;
  state.steps = count_of<std::int64_t>(numbers[2]);
  state.seconds = numbers[3];
  state.best_mse = numbers[4];
  state.loss_sum = numbers[5];
  state.losses = count_of<std::int64_t>(numbers[6]);
  state.judged_seconds = numbers[7];
  if (numbers[8] != 0.0) {
    state.slice = SliceInProgress{
        .limits = {numbers[9], count_of<std::int64_t>(numbers[10]), numbers[11] != 0.0},
        .first_step = count_of<std::int64_t>(numbers[12]),
        .first_second = numbers[13],
        .judged = static_cast<int>(count_of<std::uint32_t>(numbers[14]))};
  }
  for (std::size_t i = 0; i < history.size(); i += kRecord) {
    state.history.push_back({count_of<std::uint32_t>(history[i]), history[i + 1], history[i + 2],
                             history[i + 3], history[i + 4]});
  }
  for (const double strength : file.at(prefix + "strengths").doubles()) {
    state.strengths.push_back(count_of<std::uint32_t>(strength));
  }
  state.weights = floats_of(file, prefix + "weights");
  state.moment1 = floats_of(file, prefix + "moment1");
  state.moment2 = floats_of(file, prefix + "moment2");
  state.average = floats_of(file, prefix + "average");
  state.best = floats_of(file, prefix + "best");
  if (state.moment1.size() != state.weights.size() ||
      state.moment2.size() != state.weights.size()) {
    refuse("its parts do not fit");
  }
  return trial;
}

SearchState state_of(const store::TensorFile& file, std::size_t candidates) {
  const std::span<const double> place = file.at("place").doubles();
  const std::span<const double> going = file.at("going").doubles();
  const auto refuse = [](const char* why) { throw Error(ErrorKind::kModelFile, why, "search"); };
  if (place.size() != kPlace || !(place[0] <= static_cast<double>(Phase::kDone))) {
    refuse("its parts do not fit");
  }
  SearchState state;
  state.phase = static_cast<Phase>(count_of<std::uint32_t>(place[0]));
  state.next = count_of<std::size_t>(place[1]);
  state.steps = count_of<std::int64_t>(place[2]);
  state.seconds = place[3];
  const auto trials = count_of<std::size_t>(place[4]);
  if (trials > file.tensors.size()) refuse("its parts do not fit");
  for (std::size_t i = 0; i < trials; ++i) {
    state.trials.push_back(standing_of(file, i, candidates));
  }
  for (const double trial : going) {
    state.going.push_back(count_of<std::size_t>(trial));
    if (state.going.back() >= trials) refuse("its parts do not fit");
  }
  if (state.next > state.going.size()) refuse("its parts do not fit");
  return state;
}

}  // namespace

void save_search(const std::filesystem::path& path, const SearchState& state,
                 const std::string& fingerprint) {
  store::TensorFile file;
  file.metadata = train::checkpoint_metadata(train::CheckpointKind::kSearch, fingerprint);
  const std::array<double, kPlace> place{
      static_cast<double>(state.phase), static_cast<double>(state.next),
      static_cast<double>(state.steps), state.seconds, static_cast<double>(state.trials.size())};
  const std::vector<double> going(state.going.begin(), state.going.end());
  file.tensors.push_back(store::store_doubles("place", {place.size()}, place));
  file.tensors.push_back(store::store_doubles("going", {going.size()}, going));
  for (std::size_t i = 0; i < state.trials.size(); ++i) {
    const std::string prefix = fmt::format("{}.", i);
    const SearchState::Standing& trial = state.trials[i];
    const std::array<double, kNumbers> numbers = numbers_of(trial);
    std::vector<double> history;
    for (const train::EpochRecord& record : trial.state.history) {
      history.insert(history.end(), {static_cast<double>(record.epoch), record.learning_rate,
                                     record.training_loss, record.validation_mse, record.seconds});
    }
    file.tensors.push_back(store::store_doubles(prefix + "numbers", {numbers.size()}, numbers));
    file.tensors.push_back(
        store::store_doubles(prefix + "history", {trial.state.history.size(), kRecord}, history));
    const std::vector<double> strengths(trial.state.strengths.begin(), trial.state.strengths.end());
    file.tensors.push_back(
        store::store_doubles(prefix + "strengths", {strengths.size()}, strengths));
    const auto add = [&](const char* name, const std::vector<float>& values) {
      file.tensors.push_back(store::store_floats(prefix + name, {values.size()}, values));
    };
    add("weights", trial.state.weights);
    add("moment1", trial.state.moment1);
    add("moment2", trial.state.moment2);
    add("average", trial.state.average);
    add("best", trial.state.best);
  }
  store::write_tensors(path, file);
}

std::optional<SearchState> load_search(const std::filesystem::path& path,
                                       const std::string& fingerprint, std::size_t candidates,
                                       bool allow_other_cpu, const Watch& watch) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const store::TensorFile file = train::read_checkpoint(path, train::CheckpointKind::kSearch);
  train::require_same_run(file, fingerprint, path);
  train::require_arithmetic(file, path, allow_other_cpu, watch);
  try {
    return state_of(file, candidates);
  } catch (const Error& error) {
    train::refuse_checkpoint(path, error.message());
  }
}

}  // namespace pulsecast::search
