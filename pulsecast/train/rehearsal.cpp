#include "pulsecast/train/rehearsal.h"

#include "pulsecast/data/read_series.h"
#include "pulsecast/train/fit.h"
#include "pulsecast/train/past_columns.h"

namespace pulsecast::train {

Rehearsal rehearse(Table table, const DataSettings& settings, ThreadPool& threads) {
  Rehearsal outcome;
  try {
    outcome.repaired = repair(std::move(table), settings);
    Series series = outcome.repaired->series;
    Settings all;
    all.data = settings;
    keep_what_models_read(series, all);
    const Fitted fitted = fit(series, all, false, {.rehearse = true}, threads);
    outcome.training_windows = fitted.training_windows;
    outcome.validation_windows = fitted.validation_windows;
  } catch (const Error& error) {
    const bool is_about_rows = error.kind() == ErrorKind::kData || outcome.repaired.has_value();
    if (!is_about_rows || error.kind() == ErrorKind::kInterrupted) throw;
    outcome.refusal = error;
  }
  return outcome;
}

}  // namespace pulsecast::train
