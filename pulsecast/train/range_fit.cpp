#include "pulsecast/train/range_fit.h"

#include <fmt/format.h>

#include "pulsecast/base/counted.h"
#include "pulsecast/calibrate/conformal_head.h"
#include "pulsecast/calibrate/gain_choice.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/settings/training_declaration.h"
#include "pulsecast/train/head_fit.h"
#include "pulsecast/train/interval_choice.h"

namespace pulsecast::train {
namespace {

using calibrate::Calibration;
using calibrate::ErrorSheet;

constexpr std::size_t kMostErrorsOfAHead = std::size_t{1} << 21;  // that a head learns from

struct RangeRows {
  const Windows& training;
  const Windows& stopped;
  const Windows& kept;
};

class RangeFit {
 public:
  // All outlive it.
  RangeFit(const model::Ensemble& ensemble, const RangeRows& rows, const Plan& plan,
           ThreadPool& pool, const Watch& watch)
      : ensemble_(ensemble),
        rows_(rows),
        settings_(plan.settings.training),
        batch_(plan.batch),
        period_(ensemble.shape().period),
        is_panel_(rows.kept.panel() != nullptr),
        pool_(pool),
        watch_(watch) {}

  Calibration make() {
    const bool may_have_head = settings_.intervals != Intervals::kResidual;
    const auto sheet = may_have_head ? calibrate::SheetOf::kOutlooks : calibrate::SheetOf::kErrors;
    const ErrorSheet learnt = errors_on(rows_.stopped, sheet);
    const ErrorSheet ranked = errors_on(rows_.kept, sheet);
    Calibration ranges = calibrate::calibrate(learnt, ranked, period_, is_panel_, pool_);
    if (may_have_head) consider_head(learnt, ranked, ranges);
    if (!is_panel_) calibrate::choose_gains(learnt, ranked, period_, ranges, pool_);
    return ranges;
  }
  // Which method it is and why; empty where there was nothing to decide.
  const std::optional<Decision>& decision() const { return decision_; }

 private:
  ErrorSheet errors_on(const Windows& windows, calibrate::SheetOf of,
                       std::size_t most = calibrate::SheetPlan().most_errors) {
    model::Inference inference(ensemble_, pool_);
    const model::Inference::Keeping keeping(inference, windows.distinct_history_calendars(),
                                            windows.distinct_future_calendars());
    return calibrate::collect_errors(
        windows, {period_, batch_, of, most},
        [&](const Batch& gathered, Forecast& forecast) { inference.forecast(gathered, forecast); },
        pool_, watch_);
  }

  void consider_head(const ErrorSheet& learnt, const ErrorSheet& ranked, Calibration& ranges) {
    const bool is_told = settings_.intervals == Intervals::kQuantile;
    if (ranked.windows < calibrate::kLeastOfHead ||
        learnt.windows < (is_told ? 1 : 2 * calibrate::kLeastOfHead)) {
      decide(
          Intervals::kResidual,
          fmt::format("a quantile head takes {} that calibrate and {} that choose the epoch, "
                      "and there are {} and {}",
                      counted(calibrate::kLeastOfHead, "window"),
                      is_told ? 1 : 2 * calibrate::kLeastOfHead, ranked.windows, learnt.windows));
      return;
    }
    const auto head =
        fit_head(errors_on(rows_.training, calibrate::SheetOf::kOutlooks, kMostErrorsOfAHead),
                 ranges, period_, static_cast<std::uint64_t>(settings_.seed), pool_, watch_);
    if (head == nullptr) {
      decide(Intervals::kResidual, "no window that trained teaches a quantile head");
      return;
    }
    std::string why = is_told ? "as told" : "";
    double share = kUntriedShare;
    if (learnt.windows >= 2 * calibrate::kLeastOfHead) {
      const auto trial = try_head(learnt, ranges, is_panel_, *head,
                                  is_told ? HeadWanted::kTold : HeadWanted::kIfBetter, pool_);
      if (trial) {
        share = trial->share;
        why = fmt::format(
            "{}interval score on windows that chose the epoch, either half ranked for the other: "
            "quantile {:.4f}, residual {:.4f}",
            is_told ? "as told; " : "", trial->quantile, trial->residual);
        if (share == 0.0 && trial->quantile < trial->residual) why += ", which is not clearly less";
        if (share > 0.0) why += fmt::format("; {:.0f} % of what the head says", 100.0 * share);
      } else if (!is_told) {
        share = 0.0;
        why = "too few windows of a channel to try a quantile head on";
      }
    }
    if (share == 0.0) {
      decide(Intervals::kResidual, why);
      return;
    }
    std::vector<float> units = calibrate::usual_scores(learnt, ranges, pool_);
    for (float& unit : units) unit *= static_cast<float>(share);
    if (calibrate::add_head(head, units, ranked, is_panel_, ranges, pool_)) {
      decide(Intervals::kQuantile, why);
      return;
    }
    // Gaps leave each with fewer windows than there are.
    decide(Intervals::kResidual,
           fmt::format("no {} has {} that calibrate", is_panel_ ? "group of windows" : "channel",
                       counted(calibrate::kLeastOfHead, "window")));
  }

  void decide(Intervals method, std::string why) {
    decision_ = {"intervals", std::string(choice_name(method)), std::move(why)};
  }

  const model::Ensemble& ensemble_;
  RangeRows rows_;
  const TrainingSettings& settings_;
  std::size_t batch_;
  std::size_t period_;
  bool is_panel_;
  ThreadPool& pool_;
  const Watch& watch_;
  std::optional<Decision> decision_;
};

}  // namespace

void add_ranges(const ScaledSeries& scaled, const Part& training, const Windows& stopped,
                const Part& kept, ThreadPool& pool, const Watch& watch, Fitted& fitted) {
  const Plan& plan = fitted.plan;
  const std::size_t T = fitted.ensemble.shape().lookback;
  const Windows calibrating = windows_of(scaled, plan, T, kept, History::kReaches);
  if (calibrating.size() == 0) return;
  const Windows learning = windows_of(scaled, plan, T, training, History::kInside);
  RangeFit fit(fitted.ensemble, {learning, stopped, calibrating}, plan, pool, watch);
  fitted.ranges = fit.make();
  const Decision decision{
      "ranges", counted(fitted.ranges->all_scores(), "score") + " a step",
      fmt::format("{} of validation calibrated them and did not choose the weights",
                  counted(calibrating.size(), "window"))};
  watch.remark(fmt::format("ranges from {}: {}", decision.value, decision.why));
  fitted.plan.decisions.push_back(decision);
  if (!fit.decision()) return;
  watch.remark(
      fmt::format("ranges by the {} method: {}", fit.decision()->value, fit.decision()->why));
  fitted.plan.decisions.push_back(*fit.decision());
}

void rescale_ranges(const Scaler& anew, Fitted& fitted) {
  if (!fitted.ranges || fitted.plan.is_panel()) return;
  for (std::size_t c = 0; c < fitted.plan.shape.channels; ++c) {
    fitted.ranges->rescale(c, fitted.scaler.scales()[c] / anew.scales()[c]);
  }
}

}  // namespace pulsecast::train
