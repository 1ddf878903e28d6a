#include "pulsecast/search/candidate.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/train/completion.h"
#include "pulsecast/train/past_columns.h"

namespace pulsecast::search {
namespace {

constexpr std::size_t kLongLookback = 336;
constexpr std::size_t kLongestLookback = 720;
// Long inputs overshoot at the usual rate.
constexpr double kLongRate = 0.001;
// Of ridges that each channel has its own of: a model file of 64 MB.
constexpr std::size_t kMostChannelWeights = std::size_t{16} << 20;

// Rows that a series of middling length trains on.
std::size_t training_rows(const train::Plan& plan) {
  if (!plan.is_panel()) return plan.split.train.size();
  std::vector<std::size_t> rows;
  for (const Split& split : plan.series_splits) rows.push_back(split.train.size());
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
  std::ranges::nth_element(rows, middle);
  return *middle;
}

// The plan's look-back, and longer ones of whole periods that leave most of the rows to learn from:
// each half as long again as the one before it, or longer.
std::vector<std::size_t> lookbacks_of(const train::Plan& base, const Settings& told) {
  const std::size_t own = base.shape.lookback;
  std::vector<std::size_t> lookbacks{own};
  if (told.data.lookback) return lookbacks;
  const std::size_t period = base.shape.period;
  const std::size_t rows = training_rows(base);
  const std::size_t horizon = base.shape.horizon;
  const std::size_t most = rows > horizon ? (rows - horizon) / 3 : 0;
  for (const std::size_t wished : {kLongLookback, kLongestLookback}) {
    const std::size_t longer = wished >= period ? wished / period * period : wished;
    if (longer <= most && 2 * longer >= 3 * lookbacks.back()) lookbacks.push_back(longer);
  }
  return lookbacks;
}

class Listing {
 public:
  Listing(const train::Plan& base, const Settings& told) : base_(base), told_(told) {}

  std::vector<Candidate> make(const std::vector<std::size_t>& lookbacks) && {
    add_repeating("naive", Candidate::Kind::kNaive, lookbacks.front());
    const std::size_t period = base_.shape.period;
    const auto fits = std::ranges::find_if(lookbacks, [&](std::size_t T) { return T >= period; });
    if (period > 1 && fits != lookbacks.end()) {
      add_repeating("seasonal naive", Candidate::Kind::kSeasonalNaive, *fits);
    }
    for (const std::size_t T : lookbacks) add_ridge("ridge", BackboneKind::kLinear, T);
    for (const std::size_t T : lookbacks) {
      const std::size_t weights = base_.shape.channels * T * base_.shape.horizon;
      if (base_.shape.channels == 1 || weights > kMostChannelWeights) continue;
      add_ridge("ridge a channel", BackboneKind::kChannelLinear, T);
      candidates_.back().leaves_past = true;
    }
    const bool tries_past = base_.past_columns > 0 && train::may_try_past_reader(told_);
    for (const std::size_t T : lookbacks) {
      if (tries_past) add_past_ridge(T);
    }
    for (const std::size_t T : lookbacks) {
      if (told_.model.anchor) add_trained(T, true);
      add_trained(T, false);
    }
    for (const std::size_t T : lookbacks) {
      if (tries_past) add_past_reader(T);
    }
    return std::move(candidates_);
  }

 private:
  void add(std::string name, Candidate::Kind kind, Settings settings) {
    candidates_.push_back({std::move(name), kind, std::move(settings)});
  }

  Settings with_lookback(std::size_t lookback) const {
    Settings settings = base_.settings;
    settings.data.lookback = std::to_string(lookback);
    settings.model.companion = CompanionKind::kNone;
    return settings;
  }

  void add_repeating(const char* name, Candidate::Kind kind, std::size_t lookback) {
    Settings settings = with_lookback(lookback);
    settings.model.model = alone(BackboneKind::kLinear);
    add(name, kind, std::move(settings));
  }

  void add_ridge(const char* name, BackboneKind backbone, std::size_t lookback) {
    Settings settings = with_lookback(lookback);
    settings.model.model = alone(backbone);
    settings.training.solver = Solver::kRidge;
    add(fmt::format("{}, look-back {}", name, lookback), Candidate::Kind::kRidge,
        std::move(settings));
  }

  void add_trained(std::size_t lookback, bool has_anchor) {
    // An anchor of the longest look-back has never paid for what it costs.
    if (has_anchor && lookback > kLongLookback && lookback > base_.shape.lookback) return;
    Settings settings = with_lookback(lookback);
    settings.model.anchor = has_anchor;
    settings.training.schedule = ScheduleKind::kPlain;
    if (!told_.training.learning_rate && lookback >= kLongLookback) {
      settings.training.learning_rate =
          std::min(kLongRate, base_.settings.training.learning_rate.value());
    }
    add(fmt::format("PULSE{}, look-back {}", has_anchor ? "" : " without anchor", lookback),
        Candidate::Kind::kGradients, std::move(settings));
  }

  void add_past_ridge(std::size_t lookback) {
    model::ModelShape shape = base_.shape;
    shape.lookback = lookback;
    shape.past = base_.past_columns;
    const std::size_t inputs = lookback + shape.past * shape.past_steps();
    if (shape.channels * inputs * shape.horizon > kMostChannelWeights) return;
    add_ridge("ridge, past columns", BackboneKind::kChannelLinear, lookback);
  }

  // Its published sizes are for a hundred channels and a graphics card.
  void add_past_reader(std::size_t lookback) {
    constexpr std::int64_t kWidth = 128;
    if (lookback > kLongLookback && lookback > base_.shape.lookback) return;
    Settings settings = with_lookback(lookback);
    ModelSettings& model = settings.model;
    model.backbone = BackboneKind::kITransformer;
    model.anchor = false;
    if (!model.width) model.width = kWidth;
    if (!model.feed_forward) model.feed_forward = kWidth;
    settings.training.schedule = ScheduleKind::kPlain;
    settings.training.batch = told_.training.batch;
    settings.training.learning_rate = told_.training.learning_rate;
    settings.training.epoch_steps = told_.training.epoch_steps;
    add(fmt::format("PULSE, past columns, look-back {}", lookback), Candidate::Kind::kGradients,
        train::complete(settings));
  }

  const train::Plan& base_;
  const Settings& told_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<Candidate> candidates_of(const train::Plan& base, const Settings& told) {
  return Listing(base, told).make(lookbacks_of(base, told));
}

}  // namespace pulsecast::search
