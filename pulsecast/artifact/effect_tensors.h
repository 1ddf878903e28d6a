// Effects of known columns as tensors of a model file: all float64, and checked when read.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "pulsecast/artifact/origin.h"
#include "pulsecast/data/effects/effects.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

inline constexpr std::size_t kEffectTensors = 3;

bool has_effect_tensors(const store::TensorFile& file);
void add_effects(const Effects& effects, store::TensorFile& file);
// Throws Error(kModelFile) where they do not fit the channels or each other.
Effects read_effects(const store::TensorFile& file, std::span<const ChannelInfo> channels,
                     bool is_panel, const std::string& where);

}  // namespace pulsecast::artifact
