// What a search tries: settings that differ in what rules of thumb cannot know.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/settings/settings.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::search {

struct Candidate {
  enum class Kind {
    kNaive,          // repeats the last value: a linear map with nothing to learn
    kSeasonalNaive,  // the same of the last cycle
    kRidge,          // a linear map in closed form
    kGradients,      // a model that is trained
  };

  std::string name;  // "PULSE, look-back 336"
  Kind kind = Kind::kGradients;
  Settings settings;  // complete
  // Does without the columns of the past that it could read.
  bool leaves_past = false;
};

// In the order in which they are tried, cheap ones first. `base` is the plan of what was told: what
// that fixed (look-back, learning rate, backbone, no anchor) is the same in all. None has a
// companion: a linear map is a candidate of its own.
std::vector<Candidate> candidates_of(const train::Plan& base, const Settings& told);

}  // namespace pulsecast::search
