// Calibrated ranges as tensors of a model file, checked when read.
#pragma once

#include <cstddef>
#include <string>

#include "pulsecast/calibrate/calibration.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

bool has_range_tensors(const store::TensorFile& file);
// How many tensors a file is to have for those that it has.
std::size_t count_range_tensors(const store::TensorFile& file);
void add_ranges(const calibrate::Calibration& ranges, std::size_t period, store::TensorFile& file);
// sets: of a model whose channels are forecast together one each; 0 of a panel, which has as many
// as it likes. channels: that the weights of a quantile head tell apart. Throws Error(kModelFile)
// where they do not fit the model.
struct RangeShape {
  std::size_t sets;
  std::size_t channels;
  std::size_t horizon;
  std::size_t period;
};
calibrate::Calibration read_ranges(const store::TensorFile& file, const RangeShape& shape,
                                   const std::string& where);

}  // namespace pulsecast::artifact
