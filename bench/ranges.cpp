// Ranges of trained models beside the two bands that everybody has: split conformal without a scale
// and a Gaussian band. All three are measured on the same rows and scored on the same windows.
//
//   bench_ranges ETTh1.model ETTh1.csv.gz ETTh2.model ETTh2.csv.gz
//
// Prints a Markdown table: coverage over all channels and at the worst step, width and interval
// score on scaled data; then what ranges cost a forecast.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/calibrate/error_sheet.h"
#include "pulsecast/calibrate/rank.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/forecast/scored_rows.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/metrics/interval_scores.h"
#include "pulsecast/model/inference.h"
#include "pulsecast/train/calibration_split.h"

namespace pulsecast {
namespace {

constexpr std::size_t kBatch = 256;

calibrate::ErrorSheet errors_on(const Series& series, const artifact::Model& model, RowRange rows,
                                ThreadPool& pool) {
  const model::ModelShape& shape = model.shape();
  const ScaledSeries scaled(series, model.scaler, calendar_for(series, model), 0,
                            model.known_use());
  const Windows windows(scaled, shape.lookback, shape.horizon, rows, History::kReaches);
  model::Inference inference(model.ensemble, pool);
  return calibrate::collect_errors(
      windows, shape.period, kBatch,
      [&](const Batch& batch, Forecast& forecast) { inference.forecast(batch, forecast); }, pool,
      {});
}

// Half the width of a band around the forecast, of each channel and step.
std::vector<double> half_widths(const calibrate::ErrorSheet& sheet, double level,
                                bool is_gaussian) {
  const double z = level == 80.0 ? 1.2815515655446004 : 1.959963984540054;
  std::vector<double> widths;
  for (std::size_t c = 0; c < sheet.channels; ++c) {
    for (std::size_t h = 0; h < sheet.horizon; ++h) {
      std::vector<double> sizes;
      double sum = 0.0;
      double squares = 0.0;
      for (std::size_t w = 0; w < sheet.windows; ++w) {
        if (!sheet.has(c, w)) continue;
        const double error = sheet.errors_of(c, w)[h];
        sizes.push_back(std::abs(error));
        sum += error;
        squares += error * error;
      }
      const auto n = static_cast<double>(sizes.size());
      const auto rank = calibrate::rank_of(sizes.size(), level / 100.0).value_or(sizes.size());
      std::ranges::nth_element(sizes, sizes.begin() + static_cast<std::ptrdiff_t>(rank - 1));
      widths.push_back(is_gaussian ? z * std::sqrt(squares / n - sum / n * sum / n)
                                   : sizes[rank - 1]);
    }
  }
  return widths;
}

IntervalTable score(const calibrate::ErrorSheet& test, const std::vector<double>& widths,
                    double level) {
  std::vector<IntervalSums> sums(test.channels, IntervalSums(test.horizon, level));
  for (std::size_t c = 0; c < test.channels; ++c) {
    for (std::size_t w = 0; w < test.windows; ++w) {
      if (!test.has(c, w)) continue;
      for (std::size_t h = 0; h < test.horizon; ++h) {
        const double half = widths[c * test.horizon + h];
        sums[c].add_step(h, -half, half, test.errors_of(c, w)[h]);
      }
    }
  }
  return interval_table(sums);
}

void print_row(const std::string& name, const char* band, const IntervalTable& table) {
  const auto [least, most] = std::ranges::minmax(table.per_step, {}, &IntervalErrors::coverage);
  fmt::print("| {} | {} | {:g} % | {:.1f} % | {:.1f} to {:.1f} % | {:.3f} | {:.3f} |\n", name, band,
             table.level, 100.0 * table.overall.coverage, 100.0 * least.coverage,
             100.0 * most.coverage, table.overall.width, table.overall.score);
}

void compare(const std::string& model_file, const std::string& file) {
  const auto model = Model::load(model_file);
  const artifact::Model& inside = model->inside();
  if (!inside.ranges || inside.is_panel()) {
    fmt::print(stderr, "{}: no ranges of channels that are forecast together\n", model_file);
    return;
  }
  const Observations rows = model->read(file);
  const Series series = align(rows.series(), inside);
  ThreadPool pool;
  const train::CalibrationSplit split =
      train::split_for_calibration(rows_of(series, inside, Part::kValidation),
                                   *inside.settings.training.calibration, inside.shape().horizon);
  const calibrate::ErrorSheet kept = errors_on(series, inside, split.calibrates, pool);
  const calibrate::ErrorSheet test =
      errors_on(series, inside, rows_of(series, inside, Part::kHeldOut), pool);
  const Evaluation evaluation = model->evaluate(rows).evaluation;
  const std::string name = file.substr(file.rfind('/') + 1);
  for (std::size_t i = 0; i < evaluation.ranges.front().levels.size(); ++i) {
    const double level = evaluation.ranges.front().levels[i].scaled.level;
    print_row(name, "split conformal", score(test, half_widths(kept, level, false), level));
    print_row(name, "Gaussian", score(test, half_widths(kept, level, true), level));
    for (const RangesScored& ranges : evaluation.ranges) {
      print_row(name, ranges.name.c_str(), ranges.levels[i].scaled);
    }
  }
}

// Microseconds of a forecast from the last row that the model was calibrated on, without ranges and
// with those of 80 and 95 percent: medians of runs that take turns.
void time_forecasts(const std::string& model_file, const std::string& file) {
  const auto model = Model::load(model_file);
  const Observations rows = model->read(file);
  Session session(model, Threads(1));
  const ForecastOptions plain{.at = model->card().origin.validated.last};
  ForecastOptions with_ranges = plain;
  with_ranges.levels = {80.0, 95.0};
  constexpr std::size_t kRuns = 1001;
  std::vector<double> without;
  std::vector<double> with;
  const auto microseconds = [&](const ForecastOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    session.forecast(rows, options);
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
        .count();
  };
  for (std::size_t run = 0; run < kRuns; ++run) {
    without.push_back(microseconds(plain));
    with.push_back(microseconds(with_ranges));
  }
  std::ranges::sort(without);
  std::ranges::sort(with);
  fmt::print("{}: a forecast takes {:.1f} us, with two ranges {:.1f} us\n", file,
             without[kRuns / 2], with[kRuns / 2]);
}

}  // namespace
}  // namespace pulsecast

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) {
    std::fputs("usage: bench_ranges MODEL ROWS [MODEL ROWS ...]\n", stderr);
    return 2;
  }
  std::puts("| rows | band | promised | held | by step | width | interval score |");
  std::puts("|---|---|---|---|---|---|---|");
  try {
    for (int i = 1; i + 1 < argc; i += 2) pulsecast::compare(argv[i], argv[i + 1]);
    for (int i = 1; i + 1 < argc; i += 2) pulsecast::time_forecasts(argv[i], argv[i + 1]);
  } catch (const pulsecast::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return pulsecast::exit_code(error.kind());
  }
}
