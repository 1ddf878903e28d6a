// The JSON text inside a model file.
#pragma once

#include <string>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::artifact {

// The version that is written. Every version ever written stays readable: 1 had one backbone, the
// mlp, inside PULSE.
inline constexpr int kMetadataVersion = 2;

// Everything of the model but weights and scaler; the shape is the pulse's.
std::string encode_metadata(const Model& model);

// Into `model`, without its pulse and scaler; returns the shape that the pulse must have. Throws
// Error(kModelFile) that says which field is wrong.
model::ModelShape decode_metadata(const std::string& text, const std::string& where, Model& model);

}  // namespace pulsecast::artifact
