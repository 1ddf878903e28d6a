#include "pulsecast/train/range_fit.h"

#include <fmt/format.h>

#include "pulsecast/base/counted.h"
#include "pulsecast/calibrate/gain_choice.h"
#include "pulsecast/model/inference.h"

namespace pulsecast::train {
namespace {

calibrate::Calibration fit_ranges(const model::Ensemble& ensemble, const Windows& stopped,
                                  const Windows& kept, std::size_t batch, ThreadPool& pool,
                                  const Watch& watch) {
  const std::size_t period = ensemble.shape().period;
  model::Inference inference(ensemble, pool);
  const auto errors_on = [&](const Windows& windows) {
    const model::Inference::Keeping keeping(inference, windows.distinct_history_calendars(),
                                            windows.distinct_future_calendars());
    return calibrate::collect_errors(
        windows, period, batch,
        [&](const Batch& gathered, Forecast& forecast) { inference.forecast(gathered, forecast); },
        pool, watch);
  };
  const calibrate::ErrorSheet learnt = errors_on(stopped);
  const calibrate::ErrorSheet ranked = errors_on(kept);
  const bool is_panel = kept.panel() != nullptr;
  calibrate::Calibration ranges = calibrate::calibrate(learnt, ranked, period, is_panel, pool);
  if (!is_panel) calibrate::choose_gains(learnt, ranked, period, ranges, pool);
  return ranges;
}

}  // namespace

void add_ranges(const ScaledSeries& scaled, const Windows& stopped, const Part& kept,
                ThreadPool& pool, const Watch& watch, Fitted& fitted) {
  const Windows windows =
      windows_of(scaled, fitted.plan, fitted.ensemble.shape().lookback, kept, History::kReaches);
  if (windows.size() == 0) return;
  fitted.ranges = fit_ranges(fitted.ensemble, stopped, windows, fitted.plan.batch, pool, watch);
  const Decision decision{
      "ranges", counted(fitted.ranges->all_scores(), "score") + " a step",
      fmt::format("{} of validation calibrated them and did not choose the weights",
                  counted(windows.size(), "window"))};
  watch.remark(fmt::format("ranges from {}: {}", decision.value, decision.why));
  fitted.plan.decisions.push_back(decision);
}

void rescale_ranges(const Scaler& anew, Fitted& fitted) {
  if (!fitted.ranges || fitted.plan.is_panel()) return;
  for (std::size_t c = 0; c < fitted.plan.shape.channels; ++c) {
    fitted.ranges->rescale(c, fitted.scaler.scales()[c] / anew.scales()[c]);
  }
}

}  // namespace pulsecast::train
