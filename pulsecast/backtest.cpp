#include "pulsecast/backtest.h"

#include <fmt/format.h>

#include <cmath>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/backtest_learner.h"
#include "pulsecast/backtest_run.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/only_errors.h"
#include "pulsecast/base/sha256.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/forecast/align.h"
#include "pulsecast/pool_of.h"
#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/past_columns.h"
#include "pulsecast/train/plan.h"

namespace pulsecast {
namespace {

constexpr std::size_t kNewestPart = 5;  // one in so many rows is forecast where nothing is said

std::string checksum_of(const std::string& bytes) {
  Sha256 sum;
  sum.add(bytes);
  return sum.digest();
}

// All that the bits of a run depend on.
std::string fingerprint_of(const Series& series, const std::string& learner,
                           const BacktestOptions& options) {
  std::string against = options.against_name;
  if (options.against_model) against += " " + checksum_of(options.against_model->to_bytes());
  return fmt::format(
      "data checksum: {}\nlearner: {}\nagainst: {}\nstride: {}\norigins: {}\npart: {}\nrefit "
      "every: "
      "{}\nrefit on drift: {}\nhistory rows: {}\ndrift window: {}\nversion: {}\n",
      series_checksum(series), learner, against, options.stride, options.origins,
      static_cast<int>(options.part), options.refit_every, options.refit_on_drift,
      options.history_rows, options.drift_window, version());
}

std::string settings_text(Settings settings) {
  std::string text;
  for (const BoundSetting& setting : bind_all(settings)) {
    text += fmt::format("{}.{}={};", setting.info->section, setting.info->name,
                        joined(setting.values()));
  }
  return text;
}

void require_sense(const BacktestOptions& options) {
  if (options.stride == 0) {
    throw_error(ErrorKind::kUsage, "backtest", "origins lie at least one row apart");
  }
  if (options.history_rows > 0 && options.refit_every == 0 && !options.refit_on_drift) {
    throw_error(ErrorKind::kUsage, "backtest",
                "so many rows of history are for training again, and nothing is trained again");
  }
  if (options.resume && !options.out) {
    throw_error(ErrorKind::kUsage, "backtest",
                "there is nothing to go on from: forecasts are kept beside the file that they are "
                "written to, and none is named");
  }
}

std::unique_ptr<BacktestJournal> journal_for(const Series& series, const std::string& learner,
                                             const BacktestOptions& options) {
  if (!options.out || !is_replaceable(*options.out)) return nullptr;
  return std::make_unique<BacktestJournal>(
      beside(*options.out, ".journal"), fingerprint_of(series, learner, options), options.resume);
}

// Rows before the first origin; all of them where a split says which of those are for test.
RowRange rows_to_learn(const Series& series, const Settings& settings,
                       const BacktestOptions& options) {
  const std::size_t rows = target_rows(series);
  if (settings.data.split) return {0, series.rows()};
  std::size_t newest = rows / kNewestPart;
  if (options.origins > 0) {
    newest =
        train::make_plan(series, settings).shape.horizon + (options.origins - 1) * options.stride;
  }
  if (newest >= rows) {
    throw make_error(
        ErrorKind::kData, series.source, "{}, {} apart, leave none of {} to learn from",
        counted(options.origins, "origin"), counted(options.stride, "row"), counted(rows, "row"))
        .with(remedy::advice("ask for fewer origins or a smaller stride"));
  }
  return {0, rows - newest};
}

}  // namespace

Backtest backtest(const Observations& rows, std::shared_ptr<const Model> model,
                  const BacktestOptions& options) {
  return only_errors([&] {
    require_sense(options);
    const Series series = align(rows.series(), model->inside());
    auto journal = journal_for(series, checksum_of(model->to_bytes()), options);
    PoolOf threads(options.threads);
    return BacktestRun(series, std::move(model), options, std::move(journal), threads.pool())
        .finish();
  });
}

Backtest backtest(const Observations& rows, const Settings& told, const BacktestOptions& options) {
  return only_errors([&] {
    require_sense(options);
    Settings settings = complete(told);
    settings.data = rows.as_read(settings.data);
    Series series = rows.series();
    for (const std::string& text : train::keep_what_models_read(series, settings)) {
      options.watch.remark(text);
    }
    auto journal = journal_for(series, settings_text(settings), options);
    PoolOf threads(options.threads);
    std::shared_ptr<const Model> model;
    if (BacktestJournal::Record record; journal && journal->next(record)) {
      model = Model::load(beside(*options.out, kFirstModel));
    } else {
      const RowRange learnt = rows_to_learn(series, settings, options);
      model = learn(series, learnt, settings, options);
      record_model(*model, kFirstModel, learnt.end, journal.get(), options);
    }
    series = align(std::move(series), model->inside());
    return BacktestRun(series, std::move(model), options, std::move(journal), threads.pool())
        .finish();
  });
}

Comparison compare_with_rival(const Backtest& past) {
  constexpr double kSignificant = 0.05;
  const BacktestContender& rival = past.contenders.back();
  const double change = past.contenders.front().overall.mse / rival.overall.mse - 1.0;
  std::string reason =
      fmt::format("its MSE is {:.2f} % {} than that of {} over {}", 100.0 * std::abs(change),
                  change < 0.0 ? "lower" : "higher", rival.name, counted(past.origins, "origin"));
  if (!rival.beside) {
    return {false, reason + ", too few for a paired test: those of a horizon and one more"};
  }
  reason += fmt::format(" (paired test, p = {:.3g})", rival.beside->p_value);
  const bool is_lower = rival.beside->mean_difference < 0.0;
  const bool is_sure = rival.beside->p_value < kSignificant;
  if (is_lower && !is_sure) reason += ", which may be luck";
  return {is_lower && is_sure, reason};
}

}  // namespace pulsecast
