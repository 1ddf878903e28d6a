// A candidate on trial: its weights, what it has learnt so far, and what it misses by.
//
// Training goes on in slices, at a steady rate, so that it can go on from where it stands for as
// long as evidence speaks for it; the last slice brings the rate down to nothing. What is judged
// and kept are not the weights of the last step but their running mean, which steady steps circle
// around: an early look at what a falling rate would come to.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "pulsecast/search/candidate.h"
#include "pulsecast/search/judge.h"
#include "pulsecast/train/reports.h"
#include "pulsecast/train/stepper.h"
#include "pulsecast/train/training_rows.h"

namespace pulsecast::search {

// What all trials of a search stand on.
struct Ground {
  const Series& series;
  const ScaledSeries& scaled;  // for the longest look-back of all
  const train::Part& training;
  Judge* judge = nullptr;  // null: nothing is held out, and the newest weights are the best
  // All windows of which the judge has some: closed forms are as quick over every one.
  const Windows* validation = nullptr;
  ThreadPool& pool;
};

// As much as a slice may take; whichever ends first.
struct Slice {
  double seconds = 0.0;
  std::int64_t steps = 0;
  bool is_last = false;  // brings the rate down
};

// A slice that was begun.
struct SliceInProgress {
  Slice limits;
  std::int64_t first_step = 0;
  double first_second = 0.0;
  int judged = 0;  // times, since it began
};

// Where a trial stands: what the next step and the judgement depend on.
struct TrialState {
  std::int64_t steps = 0;
  double seconds = 0.0;
  std::vector<float> weights;  // where the steps have led
  std::vector<float> moment1;
  std::vector<float> moment2;
  std::vector<float> average;  // running mean of the weights
  std::vector<float> best;     // the mean that was judged best; empty before the first
  double best_mse = 0.0;
  std::vector<std::uint32_t> strengths;     // of a ridge: which were best, see TrainingResult
  std::vector<train::EpochRecord> history;  // a record a judgement
  std::optional<SliceInProgress> slice = {};
  double loss_sum = 0.0;  // since the last judgement
  std::int64_t losses = 0;
  double judged_seconds = 0.0;  // at the last judgement
};

class Trial {
 public:
  // `ground` outlives it. The seed is its own, so that several may have the same candidate.
  Trial(Candidate candidate, const Ground& ground, std::int64_t seed);

  const Candidate& candidate() const { return candidate_; }
  const train::Plan& plan() const { return plan_; }
  const TrialState& state() const { return state_; }
  bool is_trained() const { return candidate_.kind == Candidate::Kind::kGradients; }
  std::size_t training_windows() const { return windows_.size(); }
  // Steps after which more of them teach nothing.
  std::int64_t enough_steps() const;
  // Of the best weights, over what the judge judges.
  std::span<const float> residuals() const { return residuals_; }
  double mse() const { return state_.best_mse; }
  std::size_t memory() const { return stepper_ ? stepper_->memory() : 0; }
  std::size_t lanes() const { return stepper_ ? stepper_->lanes() : 1; }

  // Of a candidate in closed form. Of a ridge the strengths are found by the judge's windows, or
  // are those that are told.
  void solve(const Watch& watch, std::span<const std::uint32_t> strengths = {});

  // Goes on from there; `state` is of a trial of the same candidate and seed. Throws Error where
  // its weights are none of this model.
  void resume(TrialState state);
  // Where it stands, in the middle of a slice too: what resume() takes.
  const TrialState& pause();

  // Steps until the slice ends, or `is_over` says that it is; a slice that was begun goes on
  // first, in place of `slice`. False where a step came to nothing finite: then it is over with
  // this candidate, and what was judged best before stays.
  bool learn(const Slice& slice, const std::function<bool()>& is_over);

  // The model with the best weights.
  std::unique_ptr<model::Pulse> take();

 private:
  void begin();
  bool step(double rate);
  double progress() const;  // of the slice, from 0 to 1
  double rate() const;
  // Judges the running mean, and keeps it where it is the best.
  void judge();

  Candidate candidate_;
  const Ground& ground_;
  train::Plan plan_;
  train::Regimen regimen_;
  std::unique_ptr<model::Pulse> pulse_;
  Windows windows_;
  std::unique_ptr<train::Stepper> stepper_;  // made when steps begin
  TrialState state_;
  std::vector<float> residuals_;
};

}  // namespace pulsecast::search
