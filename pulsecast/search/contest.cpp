#include "pulsecast/search/contest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/search/blend.h"

namespace pulsecast::search {
namespace {

// Of the budget, for the first and the second slices of all.
constexpr double kFirstShare = 0.2;
constexpr double kSecondShare = 0.2;
// Of the steps that are enough, at most in such a slice.
constexpr std::int64_t kFirstPart = 6;
constexpr std::int64_t kSecondPart = 4;
constexpr std::size_t kFinalists = 2;
constexpr std::size_t kMostFinalists = 6;
// Horizons that validation has to hold one after another to tell which forecaster deserves what
// share. With fewer, differences are of a few events: all that come near the best are as good.
constexpr double kFewestHorizons = 4.0;
constexpr double kNear = 1.2;

// Those of one kind err alike.
std::size_t kind_of(const Candidate& candidate) {
  const bool is_of_channels = candidate.kind == Candidate::Kind::kRidge &&
                              candidate.settings.model.model == alone(BackboneKind::kChannelLinear);
  return 2 * static_cast<std::size_t>(candidate.kind) + (is_of_channels ? 1 : 0);
}

}  // namespace

Contest::Contest(const std::vector<Candidate>& candidates, const Ground& ground,
                 const Budget& budget, std::int64_t seed, const Watch& watch,
                 std::optional<ContestFile> file, std::optional<SearchState> from)
    : candidates_(candidates),
      ground_(ground),
      spending_(budget, from ? from->seconds : 0.0, from ? from->steps : 0),
      seed_(seed),
      watch_(watch),
      file_(std::move(file)),
      last_save_(spending_.seconds()) {
  if (from) {
    restore(std::move(*from));
  } else {
    for (std::size_t i = 0; i < candidates.size(); ++i) add(i, seed);
  }
}

void Contest::add(std::size_t candidate, std::int64_t seed) {
  trials_.push_back(
      {candidate, seed, std::make_unique<Trial>(candidates_[candidate], ground_, seed)});
}

void Contest::restore(SearchState from) {
  for (SearchState::Standing& standing : from.trials) {
    add(standing.candidate, standing.seed);
    trials_.back().trial->resume(std::move(standing.state));
  }
  phase_ = from.phase;
  going_ = std::move(from.going);
  next_ = from.next;
  watch_.remark(fmt::format("resumed after {:.0f} s and {} steps of the search",
                            spending_.seconds(), spending_.steps()));
}

void Contest::run() {
  if (phase_ == Phase::kClosedForms) {
    solve_closed_forms();
    for (std::size_t i = 0; i < trials_.size(); ++i) {
      if (trial(i).is_trained() && trial(i).training_windows() > 0) going_.push_back(i);
    }
    // Two need no rounds to be told apart: both are trained to the end.
    phase_ = going_.size() > kFinalists ? Phase::kFirstSlices : Phase::kLastSlices;
  }
  if (phase_ == Phase::kFirstSlices) {
    give(Phase::kSecondSlices, [&](const Trial& each) {
      return spending_.share(kFirstShare, going_.size(), each.enough_steps() / kFirstPart);
    });
    keep_best((going_.size() + 1) / 2);
  }
  if (phase_ == Phase::kSecondSlices) {
    give(Phase::kLastSlices, [&](const Trial& each) {
      return spending_.share(kSecondShare, going_.size(), each.enough_steps() / kSecondPart);
    });
    keep_best(kFinalists);
  }
  if (phase_ == Phase::kLastSlices) {
    if (next_ == 0 && !is_ended_) call_finalists();
    give(Phase::kDone, [&](const Trial& each) {
      return spending_.rest(going_.size() - next_, each.enough_steps() - each.state().steps);
    });
  }
  shares_ = shares_now();
  if (!can_weigh()) {
    watch_.remark(fmt::format(
        "validation holds fewer than {:.0f} horizons, too few to weigh forecasters by: the best of "
        "each kind has the same share, of those within {:.0f} % of the best",
        kFewestHorizons, 100.0 * (kNear - 1.0)));
  }
}

void Contest::solve_closed_forms() {
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (trial(i).is_trained() || trial(i).training_windows() == 0) continue;
    const double expected = expected_seconds(i);
    if (spending_.is_too_much(expected)) {
      watch_.remark(fmt::format("  {:<36} left out: it would take about {:.0f} s",
                                trial(i).candidate().name, expected));
      continue;
    }
    trial(i).solve(watch_);
    tell(i);
    spending_.tell(watch_, 0);
    is_ended_ = is_ended_ || watch_.is_enough();
  }
}

double Contest::expected_seconds(std::size_t index) const {
  const train::Plan& plan = trial(index).plan();
  double seconds = 0.0;
  for (std::size_t i = 0; i < index; ++i) {
    if (trial(i).state().history.empty()) continue;  // left out itself
    const train::Plan& other = trial(i).plan();
    if (trial(i).candidate().kind != trial(index).candidate().kind ||
        other.shape.backbone != plan.shape.backbone) {
      continue;
    }
    // Solving a system takes the cube of its size.
    const double growth =
        static_cast<double>(plan.shape.lookback) / static_cast<double>(other.shape.lookback);
    seconds = trial(i).state().seconds * growth * growth * growth;
  }
  return seconds;
}

template <typename SliceOf>
void Contest::give(Phase next_phase, SliceOf slice_of) {
  for (; next_ < going_.size() && !is_ended_; ++next_) {
    learn(going_[next_], slice_of(trial(going_[next_])));
  }
  phase_ = next_phase;
  next_ = 0;
  if (!is_ended_) save();
}

void Contest::learn(std::size_t index, const Slice& slice) {
  Trial& own = trial(index);
  // Of a slice that goes on, its steps before the pause count with it.
  const std::int64_t before = own.state().slice ? own.state().slice->first_step : own.state().steps;
  const auto is_over = [&] {
    const std::int64_t running = own.state().steps - before;
    spending_.tell(watch_, running);
    if (watch_.is_stopped()) interrupt();
    if (file_ && spending_.seconds() - last_save_ >= file_->seconds) save();
    if (!is_ended_ && watch_.is_enough()) {
      save();  // from here it can go on
      is_ended_ = true;
    }
    return is_ended_;
  };
  const bool is_sound = own.learn(slice, is_over);
  spending_.add_steps(own.state().steps - before);
  if (!is_sound) {
    watch_.remark(
        fmt::format("{}: a step came to nothing finite; it goes no further", own.candidate().name));
  }
  tell(index);
}

void Contest::call_finalists() {
  const std::size_t own = going_.size();
  if (own == 0) return;
  std::size_t among = own;
  while (among < kMostFinalists && is_ample(among + 1)) ++among;
  for (std::size_t i = own; i < among; ++i) {
    add(trials_[going_[i % own]].candidate, seed_ + static_cast<std::int64_t>(i / own));
    going_.push_back(trials_.size() - 1);
  }
}

// Whether so many would all have enough.
bool Contest::is_ample(std::size_t among) const {
  const Slice slice = spending_.rest(among, std::numeric_limits<std::int64_t>::max());
  return std::ranges::all_of(going_, [&](std::size_t index) {
    const Trial& each = trial(index);
    const TrialState& state = each.state();
    const auto enough = static_cast<double>(each.enough_steps());
    if (spending_.is_by_steps()) return static_cast<double>(slice.steps) >= enough;
    return state.steps > 0 &&
           slice.seconds >= enough * state.seconds / static_cast<double>(state.steps);
  });
}

bool Contest::can_weigh() const {
  if (ground_.validation == nullptr || trials_.empty()) return true;
  const train::Plan& plan = trial(0).plan();
  const auto windows = static_cast<double>(ground_.validation->size());
  if (plan.is_panel()) return windows >= kFewestHorizons;  // a window a series, or nearly so
  // Windows of a run overlap: n of them are n + H - 1 rows.
  const auto runs = static_cast<double>(plan.spread ? plan.spread->blocks.size() : 1);
  return windows / static_cast<double>(plan.shape.horizon) + runs >= kFewestHorizons;
}

std::vector<double> Contest::shares_now() const {
  std::vector<std::span<const float>> residuals;
  std::vector<double> errors;
  std::vector<std::size_t> kinds;
  std::vector<std::size_t> judged;
  for (std::size_t i = 0; i < trials_.size(); ++i) {
    if (!std::isfinite(trial(i).mse())) continue;
    residuals.push_back(trial(i).residuals());
    errors.push_back(trial(i).mse());
    kinds.push_back(kind_of(trial(i).candidate()));
    judged.push_back(i);
  }
  if (judged.empty()) {
    throw make_error(ErrorKind::kTraining, "search",
                     "no candidate has a validation error that is finite")
        .with(remedy::smaller("learning-rate", "may keep it finite"));
  }
  const std::vector<double> found =
      can_weigh() ? blend_shares(residuals, kLeastShare) : even_shares(errors, kinds, kNear);
  std::vector<double> shares(trials_.size(), 0.0);
  for (std::size_t i = 0; i < judged.size(); ++i) shares[judged[i]] = found[i];
  return shares;
}

void Contest::keep_best(std::size_t count) {
  const std::vector<double> shares = shares_now();
  std::ranges::stable_sort(going_, [&](std::size_t a, std::size_t b) {
    return shares[a] != shares[b] ? shares[a] > shares[b] : trial(a).mse() < trial(b).mse();
  });
  going_.resize(std::min(count, going_.size()));
}

std::vector<std::size_t> Contest::members() const {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    if (shares_[i] > 0.0) members.push_back(i);
  }
  std::ranges::stable_sort(members, std::ranges::greater{},
                           [&](std::size_t i) { return shares_[i]; });
  return members;
}

void Contest::tell(std::size_t index) const {
  const Trial& own = trial(index);
  watch_.remark(fmt::format(
      "  {:<36} validation MSE {:.4f}  {:>10}  {:5.1f} s", own.candidate().name, own.mse(),
      own.is_trained() ? fmt::format("{} steps", own.state().steps) : "", own.state().seconds));
}

void Contest::save() {
  if (!file_) return;
  SearchState state{phase_, going_, next_, spending_.steps(), spending_.seconds(), {}};
  for (const Entry& entry : trials_) {
    state.trials.push_back({entry.candidate, entry.seed, entry.trial->pause()});
  }
  save_search(file_->path, state, file_->fingerprint);
  last_save_ = spending_.seconds();
}

void Contest::interrupt() {
  save();
  Error error =
      make_error(ErrorKind::kInterrupted, "search", "stopped after {:.0f} s and {} steps{}",
                 spending_.seconds(), spending_.steps(),
                 file_ ? fmt::format("; saved in {}", file_->path.string()) : "");
  if (!file_) throw Error(std::move(error));
  throw std::move(error).with(remedy::act(RemedyAction::kResume, "to go on"));
}

}  // namespace pulsecast::search
