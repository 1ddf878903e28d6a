// The settings that the paper's authors ran, one set a dataset and horizon.
//
// A recipe is what reproduces a cell of the paper's tables. All of them share the look-back and
// the training plan below; what differs is in the table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace pulsecast {

struct Recipe {
  std::string_view dataset;
  std::int32_t horizon;            // H
  std::int32_t period;             // W, steps
  std::int32_t codebook_rows;      // L
  std::int32_t patch;              // P
  std::int32_t router_width;       // d
  std::string_view time_features;  // names joined by '+', in the order the model sees them
  std::int32_t time_kernel;        // of the time encoder's convolution
  std::int32_t time_shrink_a;      // the encoder's first width is C/a,
  std::int32_t time_shrink_b;      // its second C/b
  std::int32_t batch;

  std::int32_t lookback = 96;  // T
  double learning_rate = 0.005;
  std::int32_t most_epochs = 30;
  std::int32_t patience = 5;
};

// All 48, by dataset as the paper lists them, then by horizon.
std::span<const Recipe> recipes();

// Dataset names are compared without case. Throws Error(kUsage) that names the datasets, or the
// horizons of this dataset, that have one.
const Recipe& find_recipe(std::string_view dataset, std::int64_t horizon);

}  // namespace pulsecast
