#include "pulsecast/search/trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/published.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/trainer.h"

namespace pulsecast::search {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

constexpr double kAveraging = 0.995;       // of the running mean, a step
constexpr std::int64_t kWarmUpSteps = 40;  // in which the rate rises
constexpr double kSteadyShare = 0.4;       // of a last slice, before the rate falls
constexpr int kJudgements = 8;             // in a last slice
constexpr std::int64_t kFewestSteps = 400;
constexpr std::int64_t kMostSteps = 6000;
constexpr std::int64_t kEnoughEpochs = 25;

// Of the running mean after `steps`: the first ones count less, since they are far off.
float averaging_after(std::int64_t steps) {
  const auto n = static_cast<double>(steps);
  return static_cast<float>(std::min(kAveraging, (1.0 + n) / (10.0 + n)));
}

train::Plan plan_of(const Candidate& candidate, const Series& series) {
  train::Plan plan = train::make_plan(series, candidate.settings);
  if (candidate.leaves_past) plan.shape.past = 0;
  return plan;
}

}  // namespace

Trial::Trial(Candidate candidate, const Ground& ground, std::int64_t seed)
    : candidate_(std::move(candidate)),
      ground_(ground),
      plan_(plan_of(candidate_, ground.series)),
      regimen_(train::regimen_of(plan_.settings.training)),
      pulse_(std::make_unique<model::Pulse>(plan_.shape)),
      windows_(train::windows_of(ground.scaled, plan_, plan_.shape.lookback, ground.training,
                                 History::kInside)) {
  regimen_.seed = seed;
  pulse_->initialise(static_cast<std::uint64_t>(seed));
  state_.best_mse = std::numeric_limits<double>::infinity();
}

std::int64_t Trial::enough_steps() const {
  const std::size_t all = std::max<std::size_t>(1, windows_.size() / plan_.batch);
  const std::size_t epoch = plan_.epoch_steps == 0 ? all : std::min(all, plan_.epoch_steps);
  return std::clamp(kEnoughEpochs * static_cast<std::int64_t>(epoch), kFewestSteps, kMostSteps);
}

void Trial::solve(const Watch& watch, std::span<const std::uint32_t> strengths) {
  const auto start = Clock::now();
  const std::span<float> weights = pulse_->parameters().weights();
  const bool is_naive = candidate_.kind == Candidate::Kind::kNaive;
  if (is_naive || candidate_.kind == Candidate::Kind::kSeasonalNaive) {
    // (H, T), then (H). Of a history without its mean; each row adds up to 1, so that the mean
    // comes back with it.
    const std::size_t T = plan_.shape.lookback;
    const std::size_t period = is_naive ? 1 : plan_.shape.period;
    std::ranges::fill(weights, 0.0f);
    for (std::size_t h = 0; h < plan_.shape.horizon; ++h) {
      weights[h * T + T - period + h % period] = 1.0f;
    }
  } else {
    train::TrainingTask task{.pulse = *pulse_,
                             .training = windows_,
                             .validation = ground_.validation,
                             .settings = regimen_,
                             .strengths = {strengths.begin(), strengths.end()},
                             .batch = plan_.batch,
                             .epoch_steps = plan_.epoch_steps,
                             .watch = {.is_cancelled = watch.is_cancelled}};
    const Published& row = published_for(BackboneKind::kLinear);
    task.settings.epochs = row.epochs;
    task.settings.patience = row.patience;
    state_.strengths = train::solve_ridge(task, ground_.pool).strengths;
  }
  state_.average.assign(weights.begin(), weights.end());
  state_.seconds += seconds_since(start);
  judge();
}

void Trial::begin() {
  if (!stepper_) {
    stepper_ = std::make_unique<train::Stepper>(*pulse_, windows_, regimen_, plan_.batch,
                                                plan_.epoch_steps, ground_.pool);
  }
  const std::span<float> weights = pulse_->parameters().weights();
  if (state_.weights.empty()) {
    state_.weights.assign(weights.begin(), weights.end());
    state_.average = state_.weights;
    state_.moment1.assign(weights.size(), 0.0f);
    state_.moment2.assign(weights.size(), 0.0f);
  }
  std::ranges::copy(state_.weights, weights.begin());
  const auto epoch = static_cast<std::int64_t>(stepper_->steps_of_epoch());
  if (state_.steps % epoch != 0) {
    stepper_->begin_epoch(static_cast<std::uint32_t>(state_.steps / epoch + 1));
  }
}

void Trial::resume(TrialState state) {
  const std::size_t count = pulse_->parameters().weights().size();
  for (const auto* part : {&state.weights, &state.average, &state.best}) {
    if (!part->empty() && part->size() != count) {
      throw_error(ErrorKind::kModelFile, "search", "it has {} weights of {}, which has {}",
                  part->size(), candidate_.name, count);
    }
  }
  state_ = std::move(state);
  const std::span<float> own = pulse_->parameters().weights();
  if (!state_.best.empty() && ground_.judge != nullptr) {
    std::ranges::copy(state_.best, own.begin());
    ground_.judge->measure(*pulse_, residuals_);
  }
  if (!state_.weights.empty()) std::ranges::copy(state_.weights, own.begin());
}

const TrialState& Trial::pause() {
  if (!state_.weights.empty()) {
    std::ranges::copy(std::as_const(*pulse_).parameters().weights(), state_.weights.begin());
  }
  return state_;
}

double Trial::progress() const {
  const SliceInProgress& slice = *state_.slice;
  return std::max((state_.seconds - slice.first_second) / slice.limits.seconds,
                  static_cast<double>(state_.steps - slice.first_step) /
                      static_cast<double>(slice.limits.steps));
}

double Trial::rate() const {
  double rate = regimen_.learning_rate;
  if (state_.steps < kWarmUpSteps) {
    rate *= static_cast<double>(state_.steps + 1) / static_cast<double>(kWarmUpSteps);
  }
  if (state_.slice && state_.slice->limits.is_last && progress() > kSteadyShare) {
    rate *= std::max(0.0, 1.0 - progress()) / (1.0 - kSteadyShare);
  }
  return rate;
}

bool Trial::step(double rate) {
  const auto epoch_steps = static_cast<std::int64_t>(stepper_->steps_of_epoch());
  const auto epoch = static_cast<std::uint32_t>(state_.steps / epoch_steps + 1);
  const auto index = static_cast<std::uint32_t>(state_.steps % epoch_steps);
  if (index == 0) stepper_->begin_epoch(epoch);
  const train::Stepper::Outcome done = stepper_->run(
      epoch, index, {.learning_rate = rate}, state_.steps + 1, state_.moment1, state_.moment2);
  if (!done.is_finite) return false;
  state_.loss_sum += done.loss;
  ++state_.losses;
  ++state_.steps;
  const float kept = averaging_after(state_.steps);
  const std::span<const float> weights = pulse_->parameters().weights();
  for (std::size_t i = 0; i < weights.size(); ++i) {
    state_.average[i] = kept * state_.average[i] + (1.0f - kept) * weights[i];
  }
  return true;
}

bool Trial::learn(const Slice& slice, const std::function<bool()>& is_over) {
  begin();
  if (!state_.slice) state_.slice = {slice, state_.steps, state_.seconds, 0};
  const auto start = Clock::now();
  const double before = state_.seconds;
  bool is_finite = true;
  while (progress() < 1.0 && !is_over()) {
    is_finite = step(rate());
    if (!is_finite) break;
    state_.seconds = before + seconds_since(start);
    // A last slice is judged as its rate falls: the best of it may come before its end.
    const double falling = (progress() - kSteadyShare) / (1.0 - kSteadyShare);
    if (state_.slice->limits.is_last && falling * kJudgements >= state_.slice->judged) {
      judge();
      ++state_.slice->judged;
      state_.seconds = before + seconds_since(start);
    }
  }
  if (is_finite && state_.losses > 0) judge();
  state_.seconds = before + seconds_since(start);
  state_.slice.reset();
  pause();
  return is_finite;
}

void Trial::judge() {
  const std::span<float> weights = pulse_->parameters().weights();
  const std::vector<float> walking(weights.begin(), weights.end());
  std::ranges::copy(state_.average, weights.begin());
  std::vector<float> residuals;
  const double error = ground_.judge ? ground_.judge->measure(*pulse_, residuals)
                                     : std::numeric_limits<double>::quiet_NaN();
  std::ranges::copy(walking, weights.begin());
  const double loss =
      state_.losses > 0 ? state_.loss_sum / static_cast<double>(state_.losses) : 0.0;
  state_.history.push_back({static_cast<std::uint32_t>(state_.history.size() + 1),
                            is_trained() ? rate() : 0.0, loss, error,
                            state_.seconds - state_.judged_seconds});
  state_.judged_seconds = state_.seconds;
  state_.loss_sum = 0.0;
  state_.losses = 0;
  if (ground_.judge && !(error < state_.best_mse)) return;
  state_.best_mse = error;
  state_.best = state_.average;
  residuals_ = std::move(residuals);
}

std::unique_ptr<model::Pulse> Trial::take() {
  std::ranges::copy(state_.best, pulse_->parameters().weights().begin());
  stepper_.reset();
  return std::move(pulse_);
}

}  // namespace pulsecast::search
