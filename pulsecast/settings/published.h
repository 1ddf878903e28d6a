// The settings that forecasters other than PULSE were published with.
//
// A row is what their authors, or the library in which the paper's tables were made, ran on a
// dataset at a horizon; `source` names the paper or script that says so. A row without a dataset is
// for any other data: its sizes are those with which the authors of PULSE ship the forecaster as a
// backbone, its training that of its own scripts. train/completion.h puts them into settings.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pulsecast/settings/model_settings.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast {

// Sizes that a few of them have; 0: as usual.
struct OwnSizes {
  std::int32_t patch = 0;
  std::int32_t kernel = 0;
  std::int32_t calendar_shrink = 0;
  double frequency_share = 0.0;
  std::int32_t top_periods = 0;
  std::int32_t graph_channels = 0;
  std::int32_t routers = 0;
  std::int32_t cycle = 0;
};

struct Published {
  BackboneKind backbone;
  std::string_view dataset;  // empty: any other
  std::int32_t horizon;      // 0: every
  std::int32_t lookback;
  // 0: it has none.
  std::int32_t width;
  std::int32_t heads;
  std::int32_t layers;
  std::int32_t feed_forward;
  double dropout;
  std::int32_t batch;
  double learning_rate;
  ScheduleKind schedule;
  std::int32_t epochs;
  std::int32_t patience;
  std::string_view time_features;  // names joined by '+'
  std::string_view source;
  OwnSizes own = {};
};

std::span<const Published> published();

// For data that no paper speaks of.
const Published& published_for(BackboneKind backbone);
// For that dataset and horizon where a source has them, else those for any other data. Names are
// compared without case.
const Published& published_for(BackboneKind backbone, std::string_view dataset,
                               std::int64_t horizon);

// How a backbone is trained inside PULSE where PULSE's own training does not suit it: chosen on
// validation (decision 17).
struct InsideTraining {
  BackboneKind backbone;
  std::int32_t batch;
  double learning_rate;
  std::int32_t epochs;
  std::int32_t patience;
};

// Null where PULSE's training does.
const InsideTraining* inside_training(BackboneKind backbone);

}  // namespace pulsecast
