#include "pulsecast/evaluate/backtest_scores.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "pulsecast/metrics/mase.h"

namespace pulsecast {
namespace {

constexpr double kNoMean = std::numeric_limits<double>::quiet_NaN();
constexpr std::int32_t kMonthsAYear = 12;

// In percent; both nothing is no error.
double smape_of(double forecast, double truth) {
  const double size = std::abs(forecast) + std::abs(truth);
  return size > 0.0 ? 200.0 * std::abs(forecast - truth) / size : std::abs(forecast - truth);
}

}  // namespace

std::string month_text(std::int32_t month) {
  return fmt::format("{:04}-{:02}", month / kMonthsAYear, month % kMonthsAYear + 1);
}

std::vector<std::int32_t> months_of(const Series& series, const ScaledSeries& scaled) {
  std::vector<std::int32_t> months(scaled.calendar_rows());
  for (std::size_t row = 0; row < series.rows(); ++row) {
    const WallTime wall = series.zone.to_wall(series.stamps[row]);
    months[scaled.lead() + row] = wall.year * kMonthsAYear + wall.month - 1;
  }
  return months;
}

BacktestScores::BacktestScores(std::vector<std::string> contenders, std::size_t channels,
                               std::size_t horizon, const Scaler& scaler,
                               std::span<const std::int32_t> months)
    : names_(std::move(contenders)),
      channels_(channels),
      horizon_(horizon),
      scaler_(scaler),
      months_(months),
      contenders_(names_.size(), {Scores(channels, horizon),
                                  std::vector<double>(channels * horizon),
                                  std::vector<double>(channels * horizon),
                                  {}}),
      losses_(names_.size()) {}

void BacktestScores::add(const OriginWindow& window,
                         std::span<const std::span<const float>> forecasts) {
  assert(forecasts.size() == contenders_.size());
  for (std::size_t i = 0; i < forecasts.size(); ++i) {
    Contender& contender = contenders_[i];
    double loss = 0.0;
    std::size_t count = 0;
    for (std::size_t c = 0; c < channels_; ++c) {
      if (window.present[c] == 0) continue;
      const auto values = forecasts[i].subspan(c * horizon_, horizon_);
      const auto truth = window.truth.subspan(c * horizon_, horizon_);
      contender.scores.channel(c).add(values, truth);
      for (std::size_t h = 0; h < horizon_; ++h) {
        const double forecast = values[h];
        const double came = truth[h];
        const double error = forecast - came;
        const double smape = smape_of(scaler_.original(c, forecast), scaler_.original(c, came));
        contender.differences[c * horizon_ + h] += error;
        contender.smapes[c * horizon_ + h] += smape;
        MonthSums& month = contender.months[months_[window.row + h]];
        if (month.values.empty()) {
          month.squares.resize(channels_);
          month.absolutes.resize(channels_);
          month.differences.resize(channels_);
          month.smapes.resize(channels_);
          month.values.resize(channels_);
        }
        month.squares[c] += error * error;
        month.absolutes[c] += std::abs(error);
        month.differences[c] += error;
        month.smapes[c] += smape;
        ++month.values[c];
        loss += error * error;
        ++count;
      }
    }
    losses_[i].push_back(count == 0 ? kNoMean : loss / static_cast<double>(count));
  }
}

BacktestErrors BacktestScores::errors_of(const Errors& scaled, const Errors& units,
                                         double difference, double difference_units, double smape,
                                         std::size_t values) const {
  const auto count = static_cast<double>(values);
  return {.mse = scaled.mse,
          .mae = scaled.mae,
          .rmse = scaled.rmse,
          .bias = values == 0 ? kNoMean : difference / count,
          .smape = values == 0 ? kNoMean : smape / count,
          .mae_units = units.mae,
          .rmse_units = units.rmse,
          .bias_units = values == 0 ? kNoMean : difference_units / count,
          .values = values};
}

void BacktestScores::tabulate(const Contender& of, BacktestContender& out) const {
  const auto scales = std::span(scaler_.scales()).first(channels_);
  const ErrorTable scaled = of.scores.table();
  const ErrorTable units = of.scores.table(scales);
  // Sums over a run of (channel, step) places.
  struct Sums {
    double difference = 0.0, units = 0.0, smape = 0.0;
    std::size_t values = 0;
  };
  const auto add = [&](Sums& sums, std::size_t c, std::size_t h) {
    const double difference = of.differences[c * horizon_ + h];
    sums.difference += difference;
    sums.units += scales[c] * difference;
    sums.smape += of.smapes[c * horizon_ + h];
    sums.values += of.scores.channel(c).windows();
  };
  const auto errors = [&](const Errors& own, const Errors& in_units, const Sums& sums) {
    return errors_of(own, in_units, sums.difference, sums.units, sums.smape, sums.values);
  };
  Sums all;
  for (std::size_t c = 0; c < channels_; ++c) {
    Sums sums;
    for (std::size_t h = 0; h < horizon_; ++h) add(sums, c, h);
    out.per_channel.push_back(errors(scaled.per_channel[c], units.per_channel[c], sums));
  }
  for (std::size_t h = 0; h < horizon_; ++h) {
    Sums sums;
    for (std::size_t c = 0; c < channels_; ++c) {
      add(sums, c, h);
      add(all, c, h);
    }
    out.per_step.push_back(errors(scaled.per_step[h], units.per_step[h], sums));
  }
  out.overall = errors(scaled.overall, units.overall, all);
  for (const auto& [month, sums] : of.months) {
    double squares = 0.0, absolutes = 0.0, square_units = 0.0, absolute_units = 0.0;
    Sums total;
    for (std::size_t c = 0; c < channels_; ++c) {
      squares += sums.squares[c];
      absolutes += sums.absolutes[c];
      square_units += scales[c] * scales[c] * sums.squares[c];
      absolute_units += scales[c] * sums.absolutes[c];
      total.difference += sums.differences[c];
      total.units += scales[c] * sums.differences[c];
      total.smape += sums.smapes[c];
      total.values += sums.values[c];
    }
    const auto means = [&](double square, double absolute) {
      const auto count = static_cast<double>(total.values);
      return Errors{square / count, absolute / count, std::sqrt(square / count)};
    };
    out.per_month.push_back(
        {month_text(month),
         errors(means(squares, absolutes), means(square_units, absolute_units), total)});
  }
}

std::vector<BacktestContender> BacktestScores::results(const ScaledSeries& series,
                                                       std::span<const RowRange> train_rows,
                                                       std::span<const Season> seasons,
                                                       std::size_t overlap) const {
  assert(train_rows.size() == 1 || train_rows.size() == channels_);
  std::vector<std::size_t> lags{1};
  for (const Season& season : seasons) lags.push_back(season.steps);
  std::vector<BacktestContender> all;
  for (std::size_t i = 0; i < contenders_.size(); ++i) {
    BacktestContender& out = all.emplace_back();
    out.name = names_[i];
    tabulate(contenders_[i], out);
    if (i > 0) out.beside = diebold_mariano(losses_[0], losses_[i], overlap);
  }
  for (const std::size_t lag : lags) {
    std::vector<double> absolute(channels_), root(channels_);
    for (std::size_t c = 0; c < channels_; ++c) {
      const RowRange own = train_rows[train_rows.size() == 1 ? 0 : c];
      const std::size_t first = series.first_row(c);
      const std::size_t begin = std::max(series.lead() + own.begin, first);
      const std::size_t end =
          std::max(begin, std::min(series.lead() + own.end, first + series.channel(c).size()));
      // A channel without a window has no part in any mean.
      const bool is_scored = contenders_[0].scores.channel(c).windows() > 0;
      const auto values = series.channel(c).subspan(begin - first, end - begin);
      absolute[c] = is_scored ? mean_lag_difference(values, lag) : kNoMean;
      root[c] = is_scored ? root_mean_square_lag_difference(values, lag) : kNoMean;
    }
    for (BacktestContender& out : all) {
      std::vector<double> errors, roots;
      for (const BacktestErrors& own : out.per_channel) {
        errors.push_back(own.mae);
        roots.push_back(own.rmse);
      }
      out.scaled.push_back(
          {lag, usual_mase(errors, absolute).overall, usual_mase(roots, root).overall});
    }
  }
  return all;
}

}  // namespace pulsecast
