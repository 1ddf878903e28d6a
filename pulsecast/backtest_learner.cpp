#include "pulsecast/backtest_learner.h"

#include <fmt/format.h>

#include "pulsecast/data/series/slice.h"

namespace pulsecast {

std::filesystem::path beside(const std::filesystem::path& out, std::string_view end) {
  return out.string() + std::string(end);
}

std::shared_ptr<const Model> learn(const Series& series, RowRange rows, const Settings& settings,
                                   const BacktestOptions& options) {
  FitOptions fitting{.threads = options.threads, .watch = options.watch};
  fitting.watch.on_progress = {};
  if (options.out) {
    fitting.checkpoint = beside(*options.out, fmt::format(".{}.checkpoint", rows.end));
    fitting.resume = options.resume;
  }
  auto model = fit(Observations(slice(series, rows)), settings, fitting);
  if (fitting.checkpoint) std::filesystem::remove(*fitting.checkpoint);
  return model;
}

void record_model(const Model& model, const char* which, std::size_t row, BacktestJournal* journal,
                  const BacktestOptions& options) {
  if (journal == nullptr) return;
  model.save(beside(*options.out, which));
  const BacktestJournal::Record record{
      BacktestJournal::Kind::kRefit, row, model.card().origin.best_validation, {}};
  journal->append({&record, 1});
}

Settings relearning(Settings settings) {
  settings.data.split.reset();
  settings.training.recipe.reset();
  return settings;
}

}  // namespace pulsecast
