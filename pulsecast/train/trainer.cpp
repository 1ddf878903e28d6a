#include "pulsecast/train/trainer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/train/checkpoint.h"
#include "pulsecast/train/schedule.h"
#include "pulsecast/train/stepper.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::train {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class Trainer {
 public:
  Trainer(const TrainingTask& task, ThreadPool& pool)
      : task_(task),
        stepper_(task.pulse, task.training, task.settings, task.batch, task.epoch_steps, pool) {
    if (task.validation != nullptr) {
      validation_.emplace(task.pulse, *task.validation, task.batch, pool);
    }
  }

  TrainingResult run() {
    begin();
    const auto epochs = static_cast<std::uint32_t>(task_.settings.epochs);
    seconds_before_ = state_.seconds;
    for (const EpochRecord& record : state_.history) seconds_before_ += record.seconds;
    while (state_.epoch <= epochs && !is_out_of_patience() && !fault_ && !is_ended_) run_epoch();
    std::ranges::copy(state_.best_weights, weights().begin());
    return {.best_epoch = state_.best_epoch,
            .best_validation = state_.best_validation,
            .history = state_.history,
            .memory = stepper_.memory() + (validation_ ? validation_->memory() : 0),
            .lanes = stepper_.lanes(),
            .fault = fault_,
            .is_ended = is_ended_,
            .seconds_before = seconds_before_};
  }

 private:
  std::span<float> weights() { return task_.pulse.parameters().weights(); }

  void begin() {
    const std::size_t count = weights().size();
    last_save_ = Clock::now();
    if (task_.checkpoint && task_.checkpoint->resume) {
      if (auto found = load_checkpoint(task_.checkpoint->path, task_.checkpoint->fingerprint)) {
        take(std::move(*found), count);
        return;
      }
    }
    state_.weights.assign(weights().begin(), weights().end());
    state_.moment1.assign(count, 0.0f);
    state_.moment2.assign(count, 0.0f);
  }

  void take(Checkpoint found, std::size_t count) {
    if (found.state.weights.size() != count) {
      refuse_checkpoint(task_.checkpoint->path, fmt::format("it has {} weights, the model {}",
                                                            found.state.weights.size(), count));
    }
    if (found.state.steps_done > stepper_.steps_of_epoch() ||
        found.state.history.size() > static_cast<std::size_t>(task_.settings.epochs)) {
      refuse_checkpoint(task_.checkpoint->path, "it has more steps or epochs than this run");
    }
    require_arithmetic(found.engine, found.arithmetic, task_.checkpoint->path,
                       task_.checkpoint->allow_other_cpu, task_.watch);
    state_ = std::move(found.state);
    std::ranges::copy(state_.weights, weights().begin());
    remark(fmt::format("resumed at epoch {}, step {}", state_.epoch, state_.steps_done));
    if (!found.learning_rate.empty()) {
      remark(fmt::format("goes on with a learning rate of {}; it was {} so far",
                         task_.settings.learning_rate, found.learning_rate));
    }
  }

  void remark(const std::string& text) const { task_.watch.remark(text); }

  bool is_out_of_patience() const {
    return task_.validation != nullptr && state_.best_epoch != 0 &&
           state_.epoch - 1 - state_.best_epoch >=
               static_cast<std::uint32_t>(task_.settings.patience);
  }

  void run_epoch() {
    const Clock::time_point start = Clock::now();
    const double seconds_before = state_.seconds;
    const auto elapsed = [&] { return seconds_before + seconds_since(start); };
    stepper_.begin_epoch(state_.epoch);
    const kernels::AdamSettings adam =
        adam_of_epoch(task_.settings.schedule, task_.settings.learning_rate, state_.epoch);
    const auto steps = static_cast<std::uint32_t>(stepper_.steps_of_epoch());
    while (state_.steps_done < steps) {
      run_step(adam);
      if (fault_) return;
      state_.seconds = elapsed();
      report_step(steps);
      if (task_.watch.is_stopped()) interrupt();
      if (task_.watch.is_enough()) {
        end_early(adam.learning_rate, elapsed);
        return;
      }
      if (is_due()) save();
    }
    finish_epoch(adam.learning_rate, steps, elapsed);
    save();
  }

  void run_step(const kernels::AdamSettings& adam) {
    const std::uint32_t index = state_.steps_done;
    const Stepper::Outcome done = stepper_.run(state_.epoch, index, adam, state_.adam_steps + 1,
                                               state_.moment1, state_.moment2);
    if (!done.is_finite) {
      end_at({state_.epoch, index + 1, done.loss});
      return;
    }
    ++state_.adam_steps;
    state_.loss_sum += done.loss;
    ++state_.steps_done;
  }

  void report_step(std::uint32_t steps) const {
    const auto epochs = static_cast<std::uint64_t>(task_.settings.epochs);
    if (task_.watch.on_progress) {
      const std::uint64_t done = std::uint64_t{state_.epoch - 1} * steps + state_.steps_done;
      task_.watch.on_progress({"training", done, epochs * steps});
    }
    if (!task_.on_step) return;
    task_.on_step({state_.epoch, static_cast<std::uint32_t>(task_.settings.epochs),
                   state_.steps_done, steps, state_.loss_sum / state_.steps_done});
  }

  // NaN without validation.
  double validate() {
    if (!validation_) return std::numeric_limits<double>::quiet_NaN();
    try {
      return validation_->measure(task_.watch).mse;
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::kInterrupted) interrupt();
      throw;
    }
  }

  template <typename Elapsed>
  void finish_epoch(double learning_rate, std::uint32_t steps, Elapsed elapsed) {
    const double error = validate();
    // Without validation the newest epoch is the best.
    const bool is_best = !validation_ || error < state_.best_validation;
    if (is_best) {
      state_.best_validation = error;
      state_.best_epoch = state_.epoch;
      state_.best_weights.assign(weights().begin(), weights().end());
    } else if (state_.best_epoch == 0) {
      throw make_error(ErrorKind::kTraining, fmt::format("epoch {}", state_.epoch),
                       "the validation error is {}: a forecast is not finite", error)
          .with(remedy::smaller("learning-rate", "may keep it finite"));
    }
    state_.history.push_back(
        {state_.epoch, learning_rate, state_.loss_sum / steps, error, elapsed()});
    if (task_.on_epoch) task_.on_epoch(state_.history, is_best);
    ++state_.epoch;
    state_.steps_done = 0;
    state_.loss_sum = 0.0;
    state_.seconds = 0.0;
  }

  // With the best epoch so far; before the first was validated, with the steps that it has. What
  // was saved goes on from the step at hand.
  template <typename Elapsed>
  void end_early(double learning_rate, Elapsed elapsed) {
    save();
    is_ended_ = true;
    if (state_.best_epoch == 0) finish_epoch(learning_rate, state_.steps_done, elapsed);
  }

  bool is_due() const { return seconds_since(last_save_) >= task_.settings.checkpoint_seconds; }

  void save() {
    if (!task_.checkpoint) return;
    std::ranges::copy(weights(), state_.weights.begin());
    save_checkpoint(task_.checkpoint->path, state_, task_.checkpoint->fingerprint);
    last_save_ = Clock::now();
  }

  [[noreturn]] void interrupt() {
    save();
    Error error = make_error(
        ErrorKind::kInterrupted, "training", "stopped at epoch {}, step {}{}", state_.epoch,
        state_.steps_done,
        task_.checkpoint ? fmt::format("; saved in {}", task_.checkpoint->path.string()) : "");
    if (!task_.checkpoint) throw Error(std::move(error));
    throw std::move(error).with(remedy::act(RemedyAction::kResume, "to go on"));
  }

  // The rows are not to blame: values that floats cannot compute with are refused before training.
  // An epoch that validated is kept; one that did not may be on its way to nowhere.
  void end_at(const Fault& fault) {
    if (!validation_ || state_.best_epoch == 0) fail(fault);
    fault_ = fault;
    go_back_to_best();
    save();
  }

  // The epoch of the fault begins again from the best weights, without the moments that led there.
  void go_back_to_best() {
    std::ranges::copy(state_.best_weights, weights().begin());
    std::ranges::fill(state_.moment1, 0.0f);
    std::ranges::fill(state_.moment2, 0.0f);
    state_.adam_steps = 0;
    state_.steps_done = 0;
    state_.loss_sum = 0.0;
    state_.seconds = 0.0;
  }

  [[noreturn]] void fail(const Fault& fault) const {
    Error error =
        make_error(ErrorKind::kTraining, fmt::format("epoch {}, step {}", fault.epoch, fault.step),
                   "the loss or its gradient is not finite (loss {})", fault.loss)
            .with(remedy::smaller("learning-rate", "may keep it finite"));
    const bool can_go_on = task_.checkpoint && std::filesystem::exists(task_.checkpoint->path);
    if (!can_go_on) throw Error(std::move(error));
    throw std::move(error).with(
        remedy::act(RemedyAction::kResume,
                    fmt::format("to go on with it from {}", task_.checkpoint->path.string())));
  }

  const TrainingTask& task_;
  Stepper stepper_;
  std::optional<Validation> validation_;
  TrainingState state_;
  Clock::time_point last_save_;
  std::optional<Fault> fault_;
  bool is_ended_ = false;        // by whoever asked for what there is
  double seconds_before_ = 0.0;  // that the run had taken when it was resumed
};

}  // namespace

TrainingResult train(const TrainingTask& task, ThreadPool& pool) {
  return Trainer(task, pool).run();
}

}  // namespace pulsecast::train
