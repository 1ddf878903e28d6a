#include "pulsecast/settings/presets.h"

#include <algorithm>

namespace pulsecast {
namespace {

std::vector<std::string> cut_at_plus(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('+', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

}  // namespace

void apply_recipe(const Recipe& recipe, Settings& settings) {
  DataSettings& data = settings.data;
  data.horizon = std::to_string(recipe.horizon);
  data.lookback = std::to_string(recipe.lookback);
  data.period = recipe.period;
  data.split = recipe.dataset;
  data.grid = Grid::kRows;
  data.phase = PhaseSource::kRow;
  data.time_features = cut_at_plus(recipe.time_features);

  ModelSettings& model = settings.model;
  model.codebook_rows = recipe.codebook_rows;
  model.codebook_order = CodebookOrder::kReference;
  model.patch = recipe.patch;
  model.router_width = recipe.router_width;
  model.time_kernel = recipe.time_kernel;
  model.time_shrink_a = recipe.time_shrink_a;
  model.time_shrink_b = recipe.time_shrink_b;
  model.time_width_min = 1;

  TrainingSettings& training = settings.training;
  training.batch = recipe.batch;
  training.epoch_steps = 0;
  training.learning_rate = recipe.learning_rate;
  training.epochs = recipe.most_epochs;
  training.patience = recipe.patience;
  training.seed = static_cast<std::int64_t>(recipe.seed);
}

void apply_published_sizes(const Published& published, Settings& settings) {
  ModelSettings& model = settings.model;
  const auto size = [](std::int32_t value) {
    return value == 0 ? std::nullopt : std::optional<std::int64_t>(value);
  };
  model.width = size(published.width);
  model.heads = size(published.heads);
  model.layers = size(published.layers);
  model.feed_forward = size(published.feed_forward);
  model.backbone_dropout = published.dropout;
}

void apply_published(const Published& published, Settings& settings) {
  settings.model.model = alone(published.backbone);
  apply_published_sizes(published, settings);

  TrainingSettings& training = settings.training;
  training.batch = published.batch;
  training.learning_rate = published.learning_rate;
  training.schedule = published.schedule;
  training.epochs = published.epochs;
  training.patience = published.patience;
  training.loss = LossKind::kSquared;
  training.mixup = Mixup::kNone;

  if (published.dataset.empty()) return;
  settings.data.lookback = std::to_string(published.lookback);
  settings.data.time_features = cut_at_plus(published.time_features);
}

void apply_inside(BackboneKind backbone, Settings& settings) {
  const InsideTraining* own = inside_training(backbone);
  if (own == nullptr) return;
  settings.training.batch = own->batch;
  settings.training.learning_rate = own->learning_rate;
  settings.training.epochs = own->epochs;
  settings.training.patience = own->patience;
}

}  // namespace pulsecast
