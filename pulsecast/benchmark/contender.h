// A forecaster as a study names it, and the settings that the name stands for.
//
//   dlinear          the backbone alone, as published
//   frame:dlinear    with the normalisation, frequency loss and mixup of PULSE, without its anchor
//                    and router: what of a gain is the frame's
//   pulse:dlinear    the backbone inside PULSE
//   pulse            PULSE with its own, the mlp
#pragma once

#include <string>
#include <string_view>

#include "pulsecast/settings/settings.h"

namespace pulsecast::benchmark {

struct Contender {
  enum class Around { kNothing, kFrame, kPulse };

  std::string name;  // as it was written
  Around around = Around::kPulse;
  BackboneKind backbone = BackboneKind::kMlp;
};

// Throws Error(kUsage) that names what there is.
Contender parse_contender(std::string_view name, const std::string& where);

// How the settings came about, for records.
struct BaseSettings {
  Settings settings;
  std::string protocol;  // "recipe of ETTh1 at horizon 96; dlinear as in ..."
};

// What a contender is trained with on a dataset before a study changes anything: the paper's
// protocol and recipe where `dataset` and `horizon` are of the paper, its split alone at any other
// horizon, and 70, 10 and 20 % of the rows for any other data. All else is as train::complete has
// it for a model, a backbone and a dataset.
BaseSettings base_settings(const Contender& contender, std::string_view dataset,
                           std::int64_t horizon);

}  // namespace pulsecast::benchmark
