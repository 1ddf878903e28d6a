#include "pulsecast/train/completion.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/windows/window_steps.h"
#include "pulsecast/settings/published.h"
#include "pulsecast/settings/recipes.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast::train {
namespace {

// What is set stays.
template <typename T, typename Value>
void fill(std::optional<T>& setting, const Value& value) {
  if (!setting) setting = T(value);
}

// "hour_of_day+day_of_week"
void fill(std::vector<std::string>& setting, std::string_view joined) {
  if (!setting.empty()) return;
  for (std::size_t begin = 0; begin <= joined.size();) {
    const std::size_t end = std::min(joined.find('+', begin), joined.size());
    setting.emplace_back(joined.substr(begin, end - begin));
    begin = end + 1;
  }
}

// 0 stands for a size that the backbone does not have.
void fill_size(std::optional<std::int64_t>& setting, std::int32_t size) {
  if (size != 0) fill(setting, size);
}

void fill_sizes(const Published& row, ModelSettings& model) {
  fill_size(model.width, row.width);
  fill_size(model.heads, row.heads);
  fill_size(model.layers, row.layers);
  fill_size(model.feed_forward, row.feed_forward);
  fill_size(model.backbone_patch, row.own.patch);
  fill_size(model.backbone_kernel, row.own.kernel);
  fill_size(model.calendar_shrink, row.own.calendar_shrink);
  fill_size(model.top_periods, row.own.top_periods);
  fill_size(model.graph_channels, row.own.graph_channels);
  fill_size(model.routers, row.own.routers);
  fill_size(model.backbone_cycle, row.own.cycle);
  if (row.own.frequency_share > 0.0) fill(model.frequency_share, row.own.frequency_share);
  fill(model.backbone_dropout, row.dropout);
}

// A forecaster alone is trained on the squared error of windows as they are. A row of a dataset
// also says what the forecaster sees.
void fill_published_training(const Published& row, Settings& settings) {
  TrainingSettings& training = settings.training;
  fill(training.batch, row.batch);
  fill(training.learning_rate, row.learning_rate);
  fill(training.schedule, row.schedule);
  fill(training.epochs, row.epochs);
  fill(training.patience, row.patience);
  fill(training.loss, LossKind::kSquared);
  fill(training.mixup, Mixup::kNone);
  if (row.dataset.empty()) return;
  fill(settings.data.lookback, std::to_string(row.lookback));
  fill(settings.data.time_features, row.time_features);
}

// Of linear alone, unless something is told that only steps of gradients know.
Solver usual_solver(std::optional<BackboneKind> alone, const TrainingSettings& told) {
  const bool is_by_steps = told.loss || told.mixup || told.learning_rate || told.schedule;
  const bool has_closed_form =
      alone == BackboneKind::kLinear || alone == BackboneKind::kChannelLinear;
  return has_closed_form && !is_by_steps ? Solver::kRidge : Solver::kGradients;
}

void fill_inside_training(const InsideTraining& own, TrainingSettings& training) {
  fill(training.batch, own.batch);
  fill(training.learning_rate, own.learning_rate);
  fill(training.epochs, own.epochs);
  fill(training.patience, own.patience);
}

// The horizon is left to the plan, which says which was taken and why.
void fill_recipe(const Recipe& recipe, Settings& settings) {
  DataSettings& data = settings.data;
  fill(data.lookback, std::to_string(recipe.lookback));
  fill(data.period, recipe.period);
  fill(data.split, recipe.dataset);
  fill(data.grid, Grid::kRows);
  fill(data.phase, PhaseSource::kRow);
  fill(data.time_features, recipe.time_features);

  ModelSettings& model = settings.model;
  fill(model.codebook_rows, recipe.codebook_rows);
  fill(model.codebook_order, CodebookOrder::kReference);
  fill(model.patch, recipe.patch);
  fill(model.router_width, recipe.router_width);
  fill(model.time_kernel, recipe.time_kernel);
  fill(model.time_shrink_a, recipe.time_shrink_a);
  fill(model.time_shrink_b, recipe.time_shrink_b);
  fill(model.time_width_min, 1);

  TrainingSettings& training = settings.training;
  fill(training.batch, recipe.batch);
  fill(training.epoch_steps, 0);
  fill(training.learning_rate, recipe.learning_rate);
  fill(training.loss, usual::kLoss);
  fill(training.epochs, recipe.most_epochs);
  fill(training.patience, recipe.patience);
}

// Where the rows of a file without stamps begin, unless a column of stamps was named.
void fill_start(const Dataset& dataset, DataSettings& data) {
  if (dataset.start.empty() || data.time_column) return;
  fill(data.start, dataset.start);
  fill(data.step, dataset.step);
}

void fill_usual(Settings& settings) {
  fill(settings.data.grid, usual::kGrid);
  fill(settings.data.phase, usual::kPhase);
  fill(settings.model.codebook_order, usual::kCodebookOrder);
  fill(settings.model.time_width_min, usual::kTimeWidthMin);
  TrainingSettings& training = settings.training;
  fill(training.epochs, usual::kEpochs);
  fill(training.patience, usual::kPatience);
  fill(training.schedule, usual::kSchedule);
  fill(training.mixup, usual::kMixup);
}

// Whoever says how a model is trained, or which, wants that one and no search.
bool is_one_training(const Settings& told) {
  const TrainingSettings& training = told.training;
  return training.recipe || training.solver || training.epochs || training.patience ||
         training.schedule || training.epoch_steps || told.model.model != ModelKind::kPulse ||
         told.model.backbone != BackboneKind::kMlp || told.model.companion;
}

}  // namespace

Settings complete(const Settings& told, std::string_view dataset) {
  Settings settings = told;
  fill(settings.training.budget, is_one_training(told) ? "none" : "auto");
  const std::string_view name = told.training.recipe ? *told.training.recipe : dataset;
  const Dataset* of_paper = find_dataset(name);
  // A horizon may be told as a time, and a dataset of the paper has its step before rows are read.
  const std::int64_t horizon =
      of_paper == nullptr ? 0 : horizon_steps(told.data, Step::parse(of_paper->step));
  const std::optional<BackboneKind> alone = backbone_alone(told.model.model);
  const BackboneKind backbone = alone.value_or(told.model.backbone);
  const Published& row = published_for(backbone, name, horizon);
  fill_sizes(row, settings.model);
  fill(settings.training.solver, usual_solver(alone, told.training));
  if (alone) {
    fill_published_training(row, settings);
  } else if (const InsideTraining* own = inside_training(backbone)) {
    fill_inside_training(*own, settings.training);
  }
  // The paper's models have none.
  fill(settings.model.companion,
       alone || of_paper != nullptr ? CompanionKind::kNone : CompanionKind::kRidge);
  // A recipe's protocol validates on every row of that part, and studies compare points.
  fill(settings.training.calibration, name.empty() ? usual::kCalibration : 0.0);
  if (told.training.recipe) {
    fill_recipe(find_recipe(name, horizon), settings);
    fill_start(*of_paper, settings.data);
  }
  fill_usual(settings);
  return settings;
}

}  // namespace pulsecast::train
