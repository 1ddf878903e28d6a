#include "pulsecast/train/channel_ridge.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/train/channel_runs.h"
#include "pulsecast/train/past_moments.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/shared_moments.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kManyCycles = 4;  // in a look-back
constexpr std::size_t kChannelsBetweenChecks = 16;
// Of a channel: 10, 1, 0.1 ...; number 0 is the shared map as it is.
constexpr std::uint32_t kStrengths = 6;
double channel_strength(std::uint32_t number) {
  return std::pow(10.0, 2.0 - static_cast<double>(number));
}

// What all channels are solved from.
struct Sources {
  const Windows& training;
  const Windows* validation;  // null where there is none
  std::size_t lookback;
  std::size_t past_steps;  // of each column of the past; 0 where there are none, or not to be read
  std::vector<std::vector<double>> cycles;  // (channels); all empty where none is taken off
};

WindowMoments own_moments(const Sources& from, const Windows& windows, std::size_t c) {
  if (from.past_steps == 0) return channel_moments(windows, c, from.lookback, from.cycles[c]);
  return past_moments(windows, c, from.lookback, from.past_steps, from.cycles[c]);
}

struct OwnMap {
  LinearMap map;
  std::uint32_t strength = 0;
  std::vector<double> errors;  // on validation, of each number: the least up to it
  double training_error = 0.0;
};

struct SharedMap {
  LinearMap map;
  std::uint32_t strength;
};

SharedMap shared_map(const Sources& from, const TrainingTask& task, ThreadPool& pool) {
  const auto moments_of = [&](const Windows& windows) {
    return shared_moments(windows, from.lookback, from.cycles, pool,
                          {.is_cancelled = task.watch.is_cancelled});
  };
  const WindowMoments moments = moments_of(from.training);
  if (!task.strengths.empty() || from.validation == nullptr) {
    const auto number = task.strengths.empty() ? static_cast<std::uint32_t>(task.settings.epochs)
                                               : task.strengths.front();
    return {moments.solve(ridge_strength(number)), number};
  }
  const WindowMoments held = moments_of(*from.validation);
  SharedMap best{{}, 0};
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t number = 1; number <= static_cast<std::uint32_t>(task.settings.epochs);
       ++number) {
    LinearMap map = moments.solve(ridge_strength(number));
    const double error = held.mean_squared_error(map);
    if (error < least) {
      least = error;
      best = {std::move(map), number};
    }
    if (number - best.strength >= static_cast<std::uint32_t>(task.settings.patience)) break;
  }
  if (best.strength == 0) {
    throw_error(ErrorKind::kTraining, "ridge", "no strength has a validation error that is finite");
  }
  return best;
}

// With a strength that is told.
OwnMap solve_told(const Sources& from, std::size_t c, const LinearMap& shared,
                  std::uint32_t strength) {
  OwnMap own{shared, strength, {}, 0.0};
  WindowMoments moments = own_moments(from, from.training, c);
  if (moments.rows() == 0.0) return own;
  moments.centre();
  if (strength > 0) own.map = moments.solve(channel_strength(strength), &shared);
  own.training_error = moments.mean_squared_error(own.map);
  return own;
}

// With the strength that validation likes best.
OwnMap solve_channel(const Sources& from, std::size_t c, const LinearMap& shared) {
  OwnMap own{shared, 0, std::vector<double>(kStrengths + 1, 0.0), 0.0};
  WindowMoments moments = own_moments(from, from.training, c);
  WindowMoments held = own_moments(from, *from.validation, c);
  // Without windows to tell by, a channel has what the others have.
  if (moments.rows() == 0.0 || held.rows() == 0.0) return own;
  moments.centre();
  held.centre();
  own.errors[0] = held.mean_squared_error(shared);
  own.training_error = moments.mean_squared_error(shared);
  for (std::uint32_t number = 1; number <= kStrengths; ++number) {
    own.errors[number] = own.errors[number - 1];
    // Two that bring nothing: weaker ones will not either.
    if (number > own.strength + 2) continue;
    LinearMap map = moments.solve(channel_strength(number), &shared);
    const double error = held.mean_squared_error(map);
    if (!(error < own.errors[number])) continue;
    own.errors[number] = error;
    own.strength = number;
    own.training_error = moments.mean_squared_error(map);
    own.map = std::move(map);
  }
  return own;
}

// The weights of the backbone: cycles (W, C), maps (C, T, H), constants (C, H), and maps of the
// columns of the past (C, P * steps, H). A map is of what
// the cycle leaves without its mean, and the model does not take that off after the cycle: so what
// is missing of each column's sum to 1 is spread over the steps.
void put_channel(const OwnMap& own, std::size_t c, std::span<const double> cycle,
                 const model::ModelShape& shape, std::span<float> weights) {
  const std::size_t T = shape.lookback;
  const std::size_t H = shape.horizon;
  const std::size_t C = shape.channels;
  const std::size_t past = shape.past * shape.past_steps() * H;
  float* maps = weights.data() + shape.period * C + c * T * H;
  float* constants = weights.data() + shape.period * C + C * T * H + c * H;
  std::vector<double> missing(H, 0.0);
  for (std::size_t p = 0; p < cycle.size(); ++p) {
    weights[p * C + c] = static_cast<float>(cycle[p]);
  }
  if (!cycle.empty()) {
    std::ranges::fill(missing, 1.0);
    for (std::size_t i = 0; i < T * H; ++i) missing[i % H] -= own.map.weights[i];
  }
  for (std::size_t i = 0; i < T * H; ++i) {
    maps[i] = static_cast<float>(own.map.weights[i] + missing[i % H] / static_cast<double>(T));
  }
  const auto narrow = [](double value) { return static_cast<float>(value); };
  std::ranges::transform(own.map.constant, constants, narrow);
  std::ranges::transform(std::span(own.map.weights).last(past),
                         weights.data() + (shape.period + T * H + H) * C + c * past, narrow);
}

Sources sources_of(const TrainingTask& task) {
  const model::ModelShape& shape = task.pulse.shape();
  Sources from{task.training, task.validation, shape.lookback, shape.past_steps(),
               std::vector<std::vector<double>>(shape.channels)};
  if (!takes_off_cycle(shape.lookback, shape.period)) return from;
  for (std::size_t c = 0; c < shape.channels; ++c) {
    from.cycles[c] = cycle_levels(task.training, c, shape.period);
  }
  return from;
}

}  // namespace

bool takes_off_cycle(std::size_t lookback, std::size_t period) {
  return period > 1 && lookback < kManyCycles * period;
}

TrainingResult solve_channel_ridge(const TrainingTask& task, ThreadPool& pool) {
  const auto start = std::chrono::steady_clock::now();
  const model::ModelShape& shape = task.pulse.shape();
  // Without validation nothing tells what would do a channel good, so it has what all share.
  const bool is_told = !task.strengths.empty() || task.validation == nullptr;
  const auto told = [&](std::size_t c) {
    return task.strengths.empty() ? 0 : task.strengths[1 + c];
  };
  const Sources from = sources_of(task);
  SharedMap shared = shared_map(from, task, pool);
  // Of the columns of the past it takes nothing.
  shared.map.weights.resize((shape.lookback + shape.past * shape.past_steps()) * shape.horizon,
                            0.0);
  const std::span<float> weights = task.pulse.parameters().weights();
  std::ranges::fill(weights, 0.0f);
  std::vector<OwnMap> maps(shape.channels);
  const auto solve = [&](std::size_t c) {
    OwnMap own =
        is_told ? solve_told(from, c, shared.map, told(c)) : solve_channel(from, c, shared.map);
    put_channel(own, c, from.cycles[c], shape, weights);
    own.map = {};
    maps[c] = std::move(own);
  };
  for (std::size_t first = 0; first < shape.channels; first += kChannelsBetweenChecks) {
    task.watch.check("training");  // which is not for workers to ask
    const std::size_t count = std::min(kChannelsBetweenChecks, shape.channels - first);
    pool.run(count, [&](std::size_t i, std::size_t) { solve(first + i); });
  }

  TrainingResult result;
  result.strengths.push_back(shared.strength);
  const auto C = static_cast<double>(shape.channels);
  double training_error = 0.0;
  for (const OwnMap& own : maps) {
    result.strengths.push_back(own.strength);
    training_error += own.training_error / C;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const std::uint32_t numbers = is_told ? 1 : kStrengths + 1;
  for (std::uint32_t i = 0; i < numbers; ++i) {
    double error = is_told ? std::numeric_limits<double>::quiet_NaN() : 0.0;
    for (const OwnMap& own : maps) {
      if (!is_told) error += own.errors[i] / C;
    }
    result.history.push_back({i + 1, i == 0 ? 0.0 : channel_strength(i), training_error, error,
                              seconds / static_cast<double>(numbers)});
  }
  result.best_validation = result.history.back().validation_mse;
  result.best_epoch = numbers;
  if (task.on_epoch) task.on_epoch(result.history, true);
  result.memory = weights.size_bytes();
  result.lanes = shape.channels;
  return result;
}

}  // namespace pulsecast::train
