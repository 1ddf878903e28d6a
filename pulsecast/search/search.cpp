#include "pulsecast/search/search.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <map>

#include "pulsecast/base/counted.h"
#include "pulsecast/search/contest.h"
#include "pulsecast/train/calibration_split.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/range_fit.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::search {
namespace {

constexpr std::size_t kMostJudgedValues = 3 << 20;  // of a candidate's forecasts

std::size_t count_values(const Series& series) {
  std::size_t values = 0;
  for (const Channel& channel : series.channels) {
    if (channel.role == Role::kTarget) values += rows_with_values(channel).size();
  }
  return values;
}

// A candidate's is told in steps.
std::size_t lookback_of(const Candidate& candidate) {
  return std::stoul(candidate.settings.data.lookback.value());
}

std::size_t longest_lookback(const std::vector<Candidate>& candidates) {
  std::size_t longest = 0;
  for (const Candidate& candidate : candidates) longest = std::max(longest, lookback_of(candidate));
  return longest;
}

std::string members_text(const Contest& contest) {
  std::string text;
  for (const std::size_t i : contest.members()) {
    text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : "; ",
                        contest.trial(i).candidate().name, 100.0 * contest.shares()[i]);
  }
  return text;
}

// What both trainings of a search have in common.
class Searching {
 public:
  Searching(const Series& series, const Settings& settings, const train::FitHooks& hooks,
            ThreadPool& pool)
      : series_(series), settings_(settings), hooks_(hooks), pool_(pool) {}

  Found find(const Budget& budget, bool refit) {
    fitted_.plan = train::make_plan(series_, settings_);
    const train::Part training = part(&Split::train, &Split::train);
    fingerprint_ =
        train::fingerprint_of(settings_, fitted_.plan, training.rows, hooks_.data_checksum);
    decide(
        "budget", to_text(budget),
        *settings_.training.budget == "auto" ? "fits the rows; small files end sooner" : "as told");
    if (hooks_.on_plan) hooks_.on_plan(fitted_.plan);
    Budget own = budget;
    if (refit && own.seconds) *own.seconds /= 2.0;
    train::Part validation = part(&Split::validation, &Split::validation);
    const train::Part kept =
        train::take_calibration(fitted_.plan, *settings_.training.calibration, validation);
    contest_on(training, validation, kept, own, refit);
    train::Plan& plan = fitted_.plan;
    plan.shape = fitted_.ensemble.shape();
    plan.settings.data.lookback = std::to_string(plan.shape.lookback);
    // With which the same model can be had again.
    plan.settings.training.budget = fmt::format("{}steps", std::max<std::int64_t>(1, steps_));
    found_.fitted = std::move(fitted_);
    return std::move(found_);
  }

 private:
  train::Part part(RowRange Split::*first, RowRange Split::*last) const {
    return train::part_of(fitted_.plan, first, last);
  }

  void decide(std::string what, std::string value, std::string why) {
    fitted_.plan.decisions.push_back({std::move(what), std::move(value), std::move(why)});
  }

  ScaledSeries scaled() const {
    return train::scaled_for(series_, fitted_.scaler, fitted_.plan, longest_,
                             train::known_use(fitted_.effects, fitted_.statics, fitted_.plan));
  }

  // With ranges from `kept`.
  void contest_on(const train::Part& training, const train::Part& validation,
                  const train::Part& kept, const Budget& budget, bool refit) {
    const train::Plan& plan = fitted_.plan;
    std::vector<Candidate> candidates = candidates_of(plan, settings_);
    longest_ = longest_lookback(candidates);
    fitted_.trained = training.rows;
    fitted_.scaler = train::scaler_of(series_, plan, training);
    if (train::has_effects(series_, plan)) find_effects(training, validation);
    if (train::has_statics(series_, plan)) find_profiles(training);
    const ScaledSeries rows = scaled();
    require(rows, training, History::kInside, plan.shape.lookback, "training");
    require(rows, validation, History::kReaches, plan.shape.lookback, "validation");
    leave_out_starved(rows, training, validation, candidates);
    longest_ = longest_lookback(candidates);
    const Windows held_out = train::windows_of(rows, plan, longest_, validation, History::kReaches);
    Windows judged = held_out;
    judged.thin(
        std::max<std::size_t>(1, kMostJudgedValues / (plan.shape.channels * plan.shape.horizon)));
    Judge judge(judged, plan.batch, pool_);
    const Ground ground{series_, rows, training, &judge, &held_out, pool_};

    std::optional<ContestFile> file;
    std::optional<SearchState> from;
    if (hooks_.checkpoint) {
      file = {*hooks_.checkpoint, fingerprint_, settings_.training.checkpoint_seconds};
      if (hooks_.resume) {
        from = load_search(file->path, fingerprint_, candidates.size(), hooks_.allow_other_cpu,
                           hooks_.watch);
      }
    }
    Contest contest(candidates, ground, budget, settings_.training.seed, hooks_.watch,
                    std::move(file), std::move(from));
    contest.run();
    take_from(contest, held_out, rows, training, validation, kept);
    if (refit && !contest.was_ended()) train_again(contest);
    fitted_.seconds = contest.seconds();
    steps_ = contest.steps();
  }

  void find_effects(const train::Part& training, const train::Part& validation) {
    const train::Plan& plan = fitted_.plan;
    fitted_.effects =
        train::find_effects(series_, plan, fitted_.scaler, training, validation, pool_);
    const train::Decision decision = train::decision_of_effects(fitted_.effects, series_, plan);
    hooks_.watch.remark(fmt::format("effects of {}: {}", decision.value, decision.why));
    fitted_.plan.decisions.push_back(decision);
  }

  void find_profiles(const train::Part& training) {
    fitted_.statics =
        train::find_profiles({series_, fitted_.plan, fitted_.scaler, fitted_.effects, training});
    for (const train::Decision& decision : fitted_.statics.decisions) {
      hooks_.watch.remark(fmt::format("{}: {}, {}", decision.what, decision.value, decision.why));
      fitted_.plan.decisions.push_back(decision);
    }
  }

  void require(const ScaledSeries& rows, const train::Part& of, History history,
               std::size_t lookback, const char* name) const {
    const Windows windows = train::windows_of(rows, fitted_.plan, lookback, of, history);
    require_windows(windows, series_, of.rows, name, lookback, fitted_.plan.shape.horizon);
  }

  // Where there are gaps, a long look-back may have few windows without one: too few to learn from,
  // or to be judged on beside others.
  void leave_out_starved(const ScaledSeries& rows, const train::Part& training,
                         const train::Part& validation, std::vector<Candidate>& candidates) const {
    const auto count = [&](std::size_t lookback, const train::Part& of, History history) {
      return train::windows_of(rows, fitted_.plan, lookback, of, history).size();
    };
    const std::size_t own = fitted_.plan.shape.lookback;
    const std::size_t trained = count(own, training, History::kInside);
    const std::size_t judged = count(own, validation, History::kReaches);
    std::map<std::size_t, bool> is_starved{{own, false}};
    std::erase_if(candidates, [&](const Candidate& candidate) {
      const std::size_t T = lookback_of(candidate);
      if (!is_starved.contains(T)) {
        is_starved[T] = 2 * count(T, training, History::kInside) < trained ||
                        10 * count(T, validation, History::kReaches) < 9 * judged;
      }
      return is_starved[T];
    });
  }

  void take_from(Contest& contest, const Windows& held_out, const ScaledSeries& rows,
                 const train::Part& training, const train::Part& validation,
                 const train::Part& kept) {
    for (std::size_t i = 0; i < contest.size(); ++i) {
      const Trial& trial = contest.trial(i);
      if (trial.state().history.empty()) continue;  // left out
      found_.tried.push_back({trial.candidate().name, trial.state().steps, trial.state().seconds,
                              trial.mse(), contest.shares()[i]});
      fitted_.result.memory = std::max(fitted_.result.memory, trial.memory());
    }
    const Trial& lead = contest.trial(contest.members().front());
    fitted_.result.lanes = lead.lanes();
    fitted_.result.history = lead.state().history;
    fitted_.result.best_epoch =
        std::ranges::min_element(fitted_.result.history, {}, &train::EpochRecord::validation_mse)
            ->epoch;
    fitted_.training_windows = lead.training_windows();
    std::vector<model::Member> members;
    for (const std::size_t i : contest.members()) {
      members.push_back({contest.trial(i).take(), static_cast<float>(contest.shares()[i])});
    }
    fitted_.ensemble = model::Ensemble(std::move(members));
    const Windows scored = train::windows_of(rows, fitted_.plan, fitted_.ensemble.shape().lookback,
                                             validation, History::kReaches);
    fitted_.validation_windows = scored.size();
    fitted_.result.best_validation =
        train::Validation(fitted_.ensemble, scored, fitted_.plan.batch, pool_).measure().mse;
    decide("model", members_text(contest),
           fmt::format("the blend of {} that {}: validation MSE {:.4f}",
                       counted(found_.tried.size(), "candidate"),
                       contest.can_weigh() ? "misses least" : "has the best of each kind alike",
                       fitted_.result.best_validation));
    if (fitted_.plan.past_columns > 0) {
      const bool are_read = fitted_.ensemble.shape().past > 0;
      decide("past",
             are_read ? counted(fitted_.plan.past_columns, "column") : std::string("left out"),
             are_read ? "members of the blend read them"
                      : "no model that reads them is worth a share of the blend");
    }
    if (kept.rows.size() > 0) {
      train::add_ranges(rows, training, scored, kept, pool_, hooks_.watch, fitted_);
    }
    train::measure_naive(series_, validation, held_out, pool_, fitted_);
    fitted_.result.is_ended = contest.was_ended();
    fitted_.warnings = train::warnings_of(fitted_);
  }

  // The same candidates learn from every row, as long as they did, and keep their shares.
  void train_again(const Contest& contest) {
    const train::Part every = part(&Split::train, &Split::validation);
    const Scaler anew = train::scaler_of(series_, fitted_.plan, every);
    train::rescale_ranges(anew, fitted_);
    fitted_.scaler = anew;
    if (fitted_.effects.effects) {
      fitted_.effects = train::find_effects_again(fitted_.effects, series_, fitted_.plan,
                                                  fitted_.scaler, every, pool_);
    }
    if (train::has_statics(series_, fitted_.plan)) {
      fitted_.statics = train::find_profiles_again(
          fitted_.statics, {series_, fitted_.plan, fitted_.scaler, fitted_.effects, every});
    }
    const ScaledSeries rows = scaled();
    const Ground ground{series_, rows, every, nullptr, nullptr, pool_};
    std::vector<model::Member> members;
    for (const std::size_t i : contest.members()) {
      const Trial& first = contest.trial(i);
      hooks_.watch.remark(fmt::format("training again on all rows: {}", first.candidate().name));
      Trial again(first.candidate(), ground, contest.seed_of(i));
      if (again.is_trained()) {
        constexpr double kNoLimit = std::numeric_limits<double>::infinity();
        again.learn({kNoLimit, first.state().steps, true}, [&] {
          hooks_.watch.check("training");
          return false;
        });
      } else {
        again.solve(hooks_.watch, first.state().strengths);
      }
      members.push_back({again.take(), static_cast<float>(contest.shares()[i])});
    }
    fitted_.ensemble = model::Ensemble(std::move(members));
    fitted_.trained = every.rows;
    fitted_.is_refit = true;
  }

  const Series& series_;
  const Settings& settings_;  // complete
  const train::FitHooks& hooks_;
  ThreadPool& pool_;
  std::string fingerprint_;
  std::size_t longest_ = 0;  // look-back of any candidate
  std::int64_t steps_ = 0;
  train::Fitted fitted_;
  Found found_;
};

}  // namespace

std::optional<Found> find(const Series& series, const Settings& told, bool refit,
                          const train::FitHooks& hooks, ThreadPool& pool) {
  const Settings settings = train::complete(told);
  const std::optional<Budget> budget =
      parse_budget(settings.training.budget.value(), count_values(series));
  if (!budget) return std::nullopt;
  // The weights of a panel need longer than the usual time: what is not told is one training.
  if (settings.training.budget == "auto" && train::make_plan(series, settings).is_panel()) {
    return std::nullopt;
  }
  return Searching(series, settings, hooks, pool).find(*budget, refit);
}

}  // namespace pulsecast::search
