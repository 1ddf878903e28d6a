// The JSON text inside a model file.
#pragma once

#include <string>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::artifact {

// The version that is written. Every version ever written stays readable: 1 had one backbone, the
// mlp, inside PULSE; 2 had no checksums and did not say what had computed the weights.
inline constexpr int kMetadataVersion = 3;

// Everything of the model but weights and scaler; the shape is the pulse's.
std::string encode_metadata(const Model& model);

// Into `model`, without its pulse and scaler; returns the shape that the pulse must have. Throws
// Error(kModelFile) that says which field is wrong, or that a file which should have checksums is
// not `is_checked`.
model::ModelShape decode_metadata(const std::string& text, bool is_checked,
                                  const std::string& where, Model& model);

}  // namespace pulsecast::artifact
