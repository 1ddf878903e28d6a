#include "pulsecast/warm_fit.h"

#include <fmt/format.h>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/crc32c.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/warm_start.h"

namespace pulsecast {
namespace {

std::vector<std::string> target_names(const auto& channels) {
  std::vector<std::string> names;
  for (const auto& channel : channels) {
    if (channel.role == Role::kTarget) names.push_back(channel.name);
  }
  return names;
}

std::string start_text(const train::WarmStart& start) {
  std::string text =
      fmt::format("{} of {} weights begin at the older model's", start.kept, start.all);
  if (!start.new_channels.empty()) {
    text +=
        fmt::format("; {} at the mean of its channels",
                    counted(start.new_channels.size(), "new channel begins", "new channels begin"));
  }
  if (!start.anew.empty()) text += "; anew begin " + joined(start.anew);
  return text;
}

// Puts the older weights into a new model of `series`, and tells what they came to.
std::function<void(model::Pulse&)> start_at(const artifact::Model& old, const Series& series,
                                            const Watch& watch) {
  return [&old, &series, watch](model::Pulse& pulse) {
    std::vector<std::string> theirs = target_names(old.channels);
    std::vector<std::string> own = target_names(series.channels);
    // A panel's weights are of no series: one channel stands for all.
    if (theirs.size() != old.shape().channels) theirs = {"every series"};
    if (own.size() != pulse.shape().channels) own = {"every series"};
    watch.remark(start_text(train::warm_start(old.ensemble.lead(), theirs, pulse, own)));
  };
}

}  // namespace

train::Fitted fit_from(const artifact::Model& old, const Series& series, const Settings& told,
                       bool refit, const train::FitHooks& hooks, ThreadPool& pool,
                       FitStarts& starts) {
  if (train::complete(told).training.solver == Solver::kRidge) {
    throw_error(ErrorKind::kUsage, "training",
                "a ridge is solved in closed form, so there is no start for older weights to be");
  }
  train::FitHooks warm = hooks;
  const auto weights = std::as_bytes(old.ensemble.lead().parameters().weights());
  warm.data_checksum += fmt::format(" from {:08x}", crc32c(weights));
  warm.start = start_at(old, series, hooks.watch);
  train::Fitted fitted = train::fit(series, told, refit, warm, pool);

  train::FitHooks fresh = hooks;
  fresh.on_plan = {};
  if (fresh.checkpoint) *fresh.checkpoint += ".fresh";
  hooks.watch.remark("the same from a fresh start, to compare");
  train::Fitted other = train::fit(series, told, refit, fresh, pool);

  starts = {fitted.result.best_validation, other.result.best_validation,
            fitted.result.best_validation <= other.result.best_validation};
  const train::Decision decision{
      "start", starts.is_warm ? "the older model's weights" : "fresh",
      fmt::format("validation MSE {:.4f} from the older weights, {:.4f} from a fresh start",
                  starts.warm, starts.fresh)};
  hooks.watch.remark(fmt::format("start: {} ({})", decision.value, decision.why));
  if (!starts.is_warm) fitted = std::move(other);
  fitted.plan.decisions.push_back(decision);
  return fitted;
}

}  // namespace pulsecast
