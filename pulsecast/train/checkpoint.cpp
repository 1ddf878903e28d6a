#include "pulsecast/train/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <sstream>
#include <string_view>
#include <type_traits>

#include "pulsecast/base/cpu_type.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/engine.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::train {
namespace {

// Version 1 had no checksums and did not say what had computed.
constexpr const char* kVersion = "2";
constexpr const char* kFirstVersion = "1";
constexpr std::size_t kNumbers = 6;
constexpr std::size_t kRecord = 5;  // numbers of an epoch's record

// Counts and sums travel as doubles, which hold every count that training can reach exactly.
std::array<double, kNumbers> numbers_of(const TrainingState& state) {
  return {static_cast<double>(state.epoch),
          static_cast<double>(state.steps_done),
          static_cast<double>(state.adam_steps),
          state.loss_sum,
          state.seconds,
          static_cast<double>(state.best_epoch)};
}

std::vector<double> history_of(const TrainingState& state) {
  std::vector<double> values;
  for (const EpochRecord& record : state.history) {
    values.insert(values.end(), {static_cast<double>(record.epoch), record.learning_rate,
                                 record.training_loss, record.validation_mse, record.seconds});
  }
  return values;
}

// The one line that a resumed run may have otherwise.
constexpr std::string_view kLearningRate = "training.learning-rate: ";

// Returns the learning rate that was saved, where it is another.
std::string refuse_difference(const std::string& saved, const std::string& wanted,
                              const std::filesystem::path& path) {
  std::istringstream left(saved), right(wanted);
  std::string was, is, learning_rate;
  while (true) {
    const bool has_left = static_cast<bool>(std::getline(left, was));
    const bool has_right = static_cast<bool>(std::getline(right, is));
    if (!has_left && !has_right) return learning_rate;
    if (has_left && has_right && was == is) continue;
    if (was.starts_with(kLearningRate) && is.starts_with(kLearningRate)) {
      learning_rate = was.substr(kLearningRate.size());
      continue;
    }
    throw make_error(
        ErrorKind::kUsage, path.string(),
        "this checkpoint is of another run and cannot be resumed: it has '{}', this run has '{}'",
        has_left ? was : "nothing", has_right ? is : "nothing")
        .with(remedy::advice("give the same data and settings"))
        .with(remedy::act(RemedyAction::kStartOver, "to start over"));
  }
}

// A count that was saved as a double; none where no training could have come to it.
template <typename Count>
std::optional<Count> count_of(double value) {
  constexpr double kMost = std::is_same_v<Count, std::uint32_t> ? 0x1p32 : 0x1p53;
  if (!(value >= 0.0 && value < kMost) || value != std::floor(value)) return std::nullopt;
  return static_cast<Count>(value);
}

std::vector<float> floats_of(const store::TensorFile& file, const char* name) {
  const std::span<const float> values = file.at(name).floats();
  return {values.begin(), values.end()};
}

std::string text_of(const store::TensorFile& file, const char* key) {
  const auto found = file.metadata.find(key);
  return found == file.metadata.end() ? std::string() : found->second;
}

// None where the parts do not fit together.
std::optional<TrainingState> state_of(const store::TensorFile& file) {
  const std::span<const double> numbers = file.at("numbers").doubles();
  const std::span<const double> history = file.at("history").doubles();
  const std::span<const double> best_validation = file.at("best_validation").doubles();
  TrainingState state;
  state.weights = floats_of(file, "weights");
  state.moment1 = floats_of(file, "moment1");
  state.moment2 = floats_of(file, "moment2");
  state.best_weights = floats_of(file, "best_weights");
  if (numbers.size() != kNumbers || history.size() % kRecord != 0 || best_validation.size() != 1) {
    return std::nullopt;
  }
  const auto epoch = count_of<std::uint32_t>(numbers[0]);
  const auto steps_done = count_of<std::uint32_t>(numbers[1]);
  const auto adam_steps = count_of<std::int64_t>(numbers[2]);
  const auto best_epoch = count_of<std::uint32_t>(numbers[5]);
  if (!epoch || !steps_done || !adam_steps || !best_epoch || *best_epoch >= *epoch) {
    return std::nullopt;
  }
  const std::size_t count = state.weights.size();
  if (state.moment1.size() != count || state.moment2.size() != count ||
      state.best_weights.size() != (*best_epoch == 0 ? 0 : count)) {
    return std::nullopt;
  }
  state.epoch = *epoch;
  state.steps_done = *steps_done;
  state.adam_steps = *adam_steps;
  state.loss_sum = numbers[3];
  state.seconds = numbers[4];
  state.best_epoch = *best_epoch;
  state.best_validation = best_validation.front();
  for (std::size_t i = 0; i < history.size(); i += kRecord) {
    const auto record_epoch = count_of<std::uint32_t>(history[i]);
    if (!record_epoch || *record_epoch != state.history.size() + 1) return std::nullopt;
    state.history.push_back(
        {*record_epoch, history[i + 1], history[i + 2], history[i + 3], history[i + 4]});
  }
  // Each epoch that is done has its record: a count alone is not believed.
  if (state.history.size() + 1 != state.epoch) return std::nullopt;
  return state;
}

const char* format_of(CheckpointKind kind) {
  return kind == CheckpointKind::kSearch ? "pulsecast search" : "pulsecast checkpoint";
}

}  // namespace

std::map<std::string, std::string> checkpoint_metadata(CheckpointKind kind,
                                                       const std::string& fingerprint) {
  return {{"format", format_of(kind)},
          {"version", kVersion},
          {"cpu", cpu_type()},
          {"engine", kernels::engine_name()},
          {"arithmetic", kernels::arithmetic_name()},
          {"fingerprint", fingerprint}};
}

store::TensorFile read_checkpoint(const std::filesystem::path& path, CheckpointKind kind) {
  store::TensorFile file;
  try {
    file = store::read_tensors(path);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kModelFile) throw;
    refuse_checkpoint(path, error.message());
  }
  const std::string format = text_of(file, "format");
  const std::string version = text_of(file, "version");
  const bool is_search = kind == CheckpointKind::kSearch;
  const CheckpointKind other = is_search ? CheckpointKind::kTraining : CheckpointKind::kSearch;
  if (format == format_of(other)) {
    throw make_error(
        ErrorKind::kUsage, path.string(), "this checkpoint is of {}, and this run is {}",
        is_search ? "one training" : "a search", is_search ? "a search" : "one training")
        .with(remedy::advice("give the same settings"))
        .with(remedy::act(RemedyAction::kStartOver, "to start over"));
  }
  if (format != format_of(kind) || (version != kVersion && version != kFirstVersion)) {
    refuse_checkpoint(path, fmt::format("expected a {} of version {}, found '{}' of version '{}'",
                                        format_of(kind), kVersion, format, version));
  }
  if (version != kFirstVersion && !file.is_checked) {
    refuse_checkpoint(path, "its checksums are missing");
  }
  return file;
}

std::string require_same_run(const store::TensorFile& file, const std::string& fingerprint,
                             const std::filesystem::path& path) {
  return refuse_difference(text_of(file, "fingerprint"), fingerprint, path);
}

void require_arithmetic(const std::string& engine, const std::string& arithmetic,
                        const std::filesystem::path& path, bool allow_other_cpu,
                        const Watch& watch) {
  const std::string here = kernels::arithmetic_name();
  if (arithmetic == here) return;
  const std::string change = fmt::format(
      "the checkpoint was computed by another engine ({}, {}; here {}, {}), so every step from "
      "here on differs in the last bits from what that one would have trained",
      engine.empty() ? "unknown vectors" : engine,
      arithmetic.empty() ? "of an earlier version" : arithmetic, kernels::engine_name(), here);
  if (!allow_other_cpu) {
    throw make_error(ErrorKind::kUsage, path.string(), "{}", change)
        .with(remedy::act(RemedyAction::kAllowOtherCpu, "to go on all the same"))
        .with(remedy::act(RemedyAction::kStartOver, "to start over"));
  }
  watch.remark(change);
}

void require_arithmetic(const store::TensorFile& file, const std::filesystem::path& path,
                        bool allow_other_cpu, const Watch& watch) {
  require_arithmetic(text_of(file, "engine"), text_of(file, "arithmetic"), path, allow_other_cpu,
                     watch);
}

void save_checkpoint(const std::filesystem::path& path, const TrainingState& state,
                     const std::string& fingerprint) {
  store::TensorFile file;
  file.metadata = checkpoint_metadata(CheckpointKind::kTraining, fingerprint);
  const std::vector<double> history = history_of(state);
  const std::array<double, kNumbers> numbers = numbers_of(state);
  file.tensors.push_back(store::store_doubles("numbers", {numbers.size()}, numbers));
  file.tensors.push_back(store::store_doubles("best_validation", {1}, {&state.best_validation, 1}));
  file.tensors.push_back(store::store_doubles("history", {state.history.size(), kRecord}, history));
  const auto add = [&](const char* name, const std::vector<float>& values) {
    file.tensors.push_back(store::store_floats(name, {values.size()}, values));
  };
  add("weights", state.weights);
  add("moment1", state.moment1);
  add("moment2", state.moment2);
  add("best_weights", state.best_weights);
  store::write_tensors(path, file);
}

void refuse_checkpoint(const std::filesystem::path& path, const std::string& reason) {
  throw make_error(ErrorKind::kModelFile, path.string(),
                   "this checkpoint is damaged or no checkpoint: {}", reason)
      .with(remedy::advice("delete it"))
      .with(remedy::act(RemedyAction::kStartOver, "to start over"));
}

bool is_checkpoint_of(const std::filesystem::path& path, const std::string& fingerprint) {
  return std::filesystem::exists(path) &&
         text_of(read_checkpoint(path, CheckpointKind::kTraining), "fingerprint") == fingerprint;
}

std::optional<Checkpoint> load_checkpoint(const std::filesystem::path& path,
                                          const std::string& fingerprint) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  const store::TensorFile file = read_checkpoint(path, CheckpointKind::kTraining);
  std::string learning_rate = require_same_run(file, fingerprint, path);

  std::optional<TrainingState> state;
  try {
    state = state_of(file);
  } catch (const Error& error) {
    refuse_checkpoint(path, error.what());
  }
  if (!state) refuse_checkpoint(path, "its parts do not fit together");
  return Checkpoint{std::move(*state), text_of(file, "engine"), text_of(file, "arithmetic"),
                    std::move(learning_rate)};
}

}  // namespace pulsecast::train
