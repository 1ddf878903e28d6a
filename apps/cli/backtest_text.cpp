#include "apps/cli/backtest_text.h"

#include <fmt/format.h>

#include <cmath>

#include "apps/cli/range_text.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"

namespace pulsecast::cli {
namespace {

std::string overview(const Backtest& result) {
  const std::vector<ScaledByLag>& lags = result.contenders.front().scaled;
  const std::size_t lag = lags.size() > 1 ? 1 : 0;  // the shortest season's, where there is one
  std::string text = fmt::format("{:<24}{:>9}{:>9}{:>9}{:>9}{:>10}{:>10}{:>9}{:>13}\n", "", "MSE",
                                 "MAE", "RMSE", "sMAPE", fmt::format("MASE@{}", lags[lag].lag),
                                 fmt::format("RMSSE@{}", lags[lag].lag), "bias", "MAE (units)");
  for (const BacktestContender& each : result.contenders) {
    const BacktestErrors& errors = each.overall;
    text +=
        fmt::format("{:<24}{:>9.4f}{:>9.4f}{:>9.4f}{:>8.2f}%{:>10.4f}{:>10.4f}{:>9.4f}{:>13.6g}\n",
                    each.name, errors.mse, errors.mae, errors.rmse, errors.smape,
                    each.scaled[lag].mase, each.scaled[lag].rmsse, errors.bias, errors.mae_units);
  }
  return text +
         "MSE, MAE, RMSE and bias (forecast less truth) on scaled data; sMAPE of the file's own "
         "values.\n";
}

// The model beside the best of the others, for each of some things.
template <typename Errors, typename Name>
std::string detail(const Backtest& result, const char* title, std::size_t count, Errors errors,
                   Name name) {
  std::string text = fmt::format("\n{:<24}{:>9}{:>9}{:>9}{:>9}{:>13}   {}\n", title, "MSE", "MAE",
                                 "sMAPE", "bias", "MAE (units)", "least MSE of the others");
  for (std::size_t i = 0; i < count; ++i) {
    const BacktestErrors& own = errors(result.contenders.front(), i);
    const BacktestContender* best = nullptr;
    for (std::size_t k = 1; k < result.contenders.size(); ++k) {
      const BacktestContender& other = result.contenders[k];
      if (best == nullptr || errors(other, i).mse < errors(*best, i).mse) best = &other;
    }
    text += fmt::format("{:<24}{:>9.4f}{:>9.4f}{:>8.2f}%{:>9.4f}{:>13.6g}   {:.4f} {}\n", name(i),
                        own.mse, own.mae, own.smape, own.bias, own.mae_units, errors(*best, i).mse,
                        best->name);
  }
  return text;
}

// "would it have been better": in words, with what they rest on.
std::string verdict(const Backtest& result, const BacktestContender& other) {
  const double own = result.contenders.front().overall.mse;
  const std::string than = fmt::format("than {}", other.name);
  if (!other.beside) {
    return fmt::format("{:<11} {}: {} are too few for a test\n",
                       own < other.overall.mse ? "lower MSE" : "higher MSE", than,
                       counted(result.origins, "origin"));
  }
  constexpr double kSignificant = 0.05;
  const bool is_better = other.beside->mean_difference < 0.0;
  const double change = 100.0 * (own / other.overall.mse - 1.0);
  const bool is_sure = other.beside->p_value < kSignificant;
  return fmt::format("{} {}: MSE {:+.1f} %, p = {:.3g}\n",
                     !is_sure    ? "no different"
                     : is_better ? "better      "
                                 : "worse       ",
                     than, change, other.beside->p_value);
}

}  // namespace

std::string backtest_text(const Backtest& result, const Zone& zone,
                          const BacktestDetails& details) {
  std::string text =
      fmt::format("{} {} apart, from {} to {}; {} of {}\n\n", counted(result.origins, "origin"),
                  counted(result.stride, "row"), to_text(result.first_cutoff, zone),
                  to_text(result.last_cutoff, zone), counted(result.horizon, "step"),
                  counted(result.channels.size(), "channel"));
  text += overview(result);
  text += ranges_overview(result.ranges);
  text +=
      "\nThe model's squared errors beside each of the others, by a paired test over origins:\n";
  for (std::size_t k = 1; k < result.contenders.size(); ++k) {
    text += verdict(result, result.contenders[k]);
  }
  if (details.per_channel) {
    text += detail(
        result, "channel", result.channels.size(),
        [](const BacktestContender& of, std::size_t c) -> auto& { return of.per_channel[c]; },
        [&](std::size_t c) { return result.channels[c]; });
    text += ranges_per_channel(result.ranges, result.channels);
  }
  if (details.per_step) {
    text += detail(
        result, "step", result.horizon,
        [](const BacktestContender& of, std::size_t h) -> auto& { return of.per_step[h]; },
        [](std::size_t h) { return std::to_string(h + 1); });
    text += ranges_per_step(result.ranges);
  }
  if (details.per_month) {
    text += detail(
        result, "month", result.contenders.front().per_month.size(),
        [](const BacktestContender& of, std::size_t m) -> auto& { return of.per_month[m].errors; },
        [&](std::size_t m) { return result.contenders.front().per_month[m].month; });
    text += ranges_per_month(result.ranges);
  }
  for (const BacktestRefit& refit : result.refits) {
    text += fmt::format("\ntrained again at {} on {}{}, validation MSE {:.4f}",
                        to_text(refit.at, zone), counted(refit.rows, "row"),
                        refit.is_by_drift ? ", as errors drifted" : "", refit.validation);
  }
  if (!result.refits.empty()) text += "\n";
  text += fmt::format("\nDrift: squared errors of the latest {} beside those of {}",
                      counted(result.drift_window, "origin"), result.drift_beside);
  if (result.alarms.empty()) text += ": no alarm\n";
  for (const DriftAlarm& alarm : result.alarms) {
    if (alarm.level > 0.0) {
      text += fmt::format("\n  alarm at {}: ranges of {:g} % held {:.1f} %",
                          to_text(alarm.at, zone), alarm.level, 100.0 * alarm.coverage);
      continue;
    }
    text += fmt::format(
        "\n  alarm at {}: {:.2f} times theirs{}", to_text(alarm.at, zone), alarm.ratio,
        std::isnan(alarm.reference) ? "" : fmt::format(", {:.2f} before", alarm.reference));
  }
  if (!result.alarms.empty()) text += "\n";
  return text;
}

}  // namespace pulsecast::cli
