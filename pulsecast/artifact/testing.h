// For tests: a model file of few weights with something in every field.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::artifact::testing {

inline Model tiny_model() {
  Model model;
  model.channels = {{"load", Role::kTarget},
                    {"price \"€\"", Role::kTarget},
                    {"temperature", Role::kKnown},
                    {"wind", Role::kPast}};
  model.calendar = {{CalendarFeature::kHourOfDay, CalendarFeature::kDayOfWeek},
                    24,
                    PhaseSource::kRow,
                    /*first_phase=*/0};
  model.step = Step::parse("15min");
  model.zone = Zone::named("Europe/Berlin");
  model.phase_origin = {1704063600000};
  model.ensemble = model::Ensemble(
      std::make_unique<model::Pulse>(model::ModelShape{.lookback = 4,
                                                       .horizon = 3,
                                                       .channels = 2,
                                                       .features = 3,
                                                       .period = 24,
                                                       .hidden = 2,
                                                       .sizes = {.width = 6,
                                                                 .heads = 3,
                                                                 .layers = 2,
                                                                 .feed_forward = 5,
                                                                 .patch = 4,
                                                                 .stride = 3,
                                                                 .moving_average = 7,
                                                                 .top_periods = 2,
                                                                 .dropout = 0.3f},
                                                       .codebook_order = CodebookOrder::kCalendar,
                                                       .codebook_rows = 2,
                                                       .time_kernel = 1,
                                                       .time_width_a = 1,
                                                       .time_width_b = 2,
                                                       .patch = 2,
                                                       .router_width = 1,
                                                       .dropout = 0.2f}));
  model.ensemble.lead().initialise(7);
  model.scaler = {{1.5, -2.0, 1e-300, 0.1 + 0.2}, {1.0, 1.0 / 3.0, 1e300, 2.0}};
  model.settings.data.horizon = "45min";
  model.settings.data.target = {"load", "price \"€\""};
  model.settings.data.fill = Fill::kSeasonal;
  model.settings.model.patch = 2;
  model.settings.model.known_as = KnownAs::kBoth;
  model.effects.emplace(EffectDesign({{0.5, 0.25, 0.0, 1.0 / 3.0}},
                                     {{EffectDesign::Term::Kind::kLinear, 0, 0, 0.0, 0.1, 1.0},
                                      {EffectDesign::Term::Kind::kHinge, 0, 0, -0.5, 0.2, 0.7},
                                      {EffectDesign::Term::Kind::kProduct, 0, 0, 0.0, 0.0, 1.5}},
                                     EffectGroups::kWeekday),
                        2, std::vector<double>(2 * 7 * 3, 1.0 / 3.0));
  std::vector<float> scores(std::size_t{2} * 3 * calibrate::kGrid);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] = static_cast<float>(i % calibrate::kGrid) / 3.0f - 3.0f;
  }
  // Too few for the outermost.
  scores.front() = std::numeric_limits<float>::quiet_NaN();
  model.ranges.emplace(3,
                       std::vector<calibrate::ScoreSet>{
                           {{0.25, 0.5, 0.1, 1.0 / 3.0, std::vector<float>(24, 0.7f)}, 57},
                           {{0.0, 0.0, 0.0, 0.0, {}}, 44}},
                       std::move(scores));
  model.settings.training.learning_rate = 0.1 + 0.2;
  model.origin = {.written_by = "pulsecast 0.1.0",
                  .cpu = "a CPU",
                  .engine = "an engine",
                  .data_source = "load.csv",
                  .data_sha256 = "00ff",
                  .trained = {0, 90, {1704063600000}, {1704143700000}},
                  .validated = {90, 10, {1704144600000}, {1704152700000}},
                  .test = {},
                  .is_refit = true,
                  .best_epoch = 2,
                  .best_validation = 1.0 / 3.0,
                  .naive_validation = 2.0 / 3.0,
                  .seasonal_validation = 0.5,
                  .seconds = 1.5,
                  .training_windows = 84,
                  .validation_windows = 8,
                  .history = {{1, 0.0002, 3.5, 0.7, 0.5}, {2, 0.005, 3.1, 1.0 / 3.0, 0.6}},
                  .choices = {"period 24: the strongest cycle"},
                  .warnings = {"training ended at epoch 3, step 1"}};
  return model;
}

// The same with one channel whose weights all series share, and static columns.
inline Model tiny_panel() {
  Model model = tiny_model();
  model::ModelShape shape = model.ensemble.shape();
  shape.channels = 1;
  model.ensemble = model::Ensemble(std::make_unique<model::Pulse>(shape));
  model.ensemble.lead().initialise(7);
  model.settings.data.panel = Panel::kSeries;
  model.settings.data.static_columns = {"region", "size"};
  model.channels = {{"load", Role::kTarget}, {"price \"€\"", Role::kTarget}};
  model.scaler = {{1.5, -2.0}, {1.0, 1.0 / 3.0}};
  model.effects.reset();
  model.settings.model.known_as = KnownAs::kEffects;
  model.calendar.features.push_back(CalendarFeature::kMinuteOfHour);
  model.calendar.phase = PhaseSource::kTimestamp;
  model.series.assign(2, {{1704063600000}, {1704143700000}, {1704152700000}});
  std::vector<double> values;
  for (int i = 0; i < 5 * 7; ++i) values.push_back(1.0 / (1.0 + i));
  model.profiles.emplace(
      std::vector<StaticGroups>{{"region", {"\"€\"", "east"}, {}}, {"size", {}, {0.1, 1.0 / 3.0}}},
      7, std::move(values));
  return model;
}

// With ranges that a quantile head has a say in.
inline Model with_head(Model model) {
  const model::ModelShape& shape = model.shape();
  auto head =
      std::make_shared<calibrate::QuantileHead>(shape.channels, shape.horizon, shape.period);
  head->initialise(3);
  std::vector<float> units(model.ranges->sets().size() * shape.horizon, 0.75f);
  units.front() = 0.0f;
  model.ranges->set_head(std::move(head), std::move(units));
  return model;
}

inline std::string bytes_of(const Model& model) {
  return store::encode_tensors(encode_model(model));
}

inline Model decoded(const std::string& bytes) {
  return decode_model(store::decode_tensors(std::as_bytes(std::span(bytes)), "m"), "m");
}

}  // namespace pulsecast::artifact::testing
