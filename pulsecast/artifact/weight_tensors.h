// Weights as tensors of a model file, one a parameter.
#pragma once

#include <string>

#include "pulsecast/autodiff/parameters.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::artifact {

// prefix: what their names begin with in the file.
void add_weights(const std::string& prefix, const autodiff::Parameters& parameters,
                 store::TensorFile& file);
// Weights are taken only when every one of them is there in its shape and finite: else throws
// Error(kModelFile).
void read_weights(const store::TensorFile& file, const std::string& prefix,
                  autodiff::Parameters& parameters, const std::string& where);

}  // namespace pulsecast::artifact
