// What a model sees in windows whose future is known: each forecast beside the parts that it is
// made of.
//
// Values are scaled, as the model computes with them, and without what known and static columns do
// to a target; level and unit of a row bring them back to
// the file's own units: level + unit * value.
#pragma once

#include <cstddef>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/forecast/part.h"

namespace pulsecast {

struct InsideRequest {
  Part part = Part::kAll;         // rows that the futures lie in
  std::size_t most_windows = 1;   // of more, some that are spread evenly, the newest among them
  std::size_t most_channels = 0;  // of each window, spread evenly; 0 is all. A panel's have one
};

struct Inside {
  // A channel of a window. Those of one window lie together, and windows are in the order of time;
  // of a panel, series after series.
  struct Row {
    std::size_t channel = 0;  // number of the target
    Instant cutoff;           // stamp of the last row of its history
    bool is_present = true;   // false: it has gaps there, and what follows says nothing
    double level = 0.0;
    double unit = 1.0;
    float mean = 0.0f;  // of the history without its anchor
    float deviation = 1.0f;
  };
  std::size_t windows = 0;
  std::size_t channels = 0;  // rows of each
  std::size_t lookback = 0;
  std::size_t horizon = 0;
  bool has_anchor = false;
  bool has_router = false;
  std::vector<Row> rows;           // R = windows * channels
  std::vector<float> history;      // (R, T)
  std::vector<float> past_anchor;  // (R, T), 0 without an anchor
  std::vector<float> truth;        // (R, H)
  std::vector<float> forecast;     // (R, H)
  std::vector<float> anchor;       // (R, H)
  std::vector<float> routed;       // (R, H) the anchor without its encoding of the calendar
};

// The learned level of each channel in each phase of its cycle, scaled.
struct Codebook {
  std::size_t phases = 0;
  std::size_t channels = 0;
  bool is_in_order_of_time = true;  // false: as the authors ran it, it moves with the window
  std::vector<float> levels;        // (phases, channels)
};

}  // namespace pulsecast
