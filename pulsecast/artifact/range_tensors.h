// Calibrated ranges as tensors of a model file, checked when read.
#pragma once

#include <cstddef>
#include <string>

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

inline constexpr std::size_t kRangeTensors = 3;

bool has_range_tensors(const store::TensorFile& file);
void add_ranges(const calibrate::Calibration& ranges, std::size_t period, store::TensorFile& file);
// sets: of a model whose channels are forecast together one each; 0 of a panel, which has as many
// as it likes. Throws Error(kModelFile) where they do not fit the model.
calibrate::Calibration read_ranges(const store::TensorFile& file, std::size_t sets,
                                   std::size_t horizon, std::size_t period,
                                   const std::string& where);

}  // namespace pulsecast::artifact
