// The JSON text inside a model file.
#pragma once

#include <string>

#include "pulsecast/artifact/model_file.h"

namespace pulsecast::artifact {

// Every version ever written stays readable: 1 had one backbone, the mlp, inside PULSE; 2 had no
// checksums and did not say what had computed the weights. The newest is written where columns of
// the past are read, which programs that do not know them must not forecast without; and the one
// before it where none are.
inline constexpr int kMetadataVersion = 5;
inline constexpr int kVersionWithoutPast = 4;

// Everything of the model but weights and scaler; shapes and shares are the ensemble's.
std::string encode_metadata(const Model& model);

struct MemberShape {
  model::ModelShape shape;
  float share = 1.0f;
};

// Into `model`, without its ensemble and scaler; returns what the members must be, the lead first.
// Throws Error(kModelFile) that says which field is wrong, or that a file which should have
// checksums is not `is_checked`.
std::vector<MemberShape> decode_metadata(const std::string& text, bool is_checked,
                                         const std::string& where, Model& model);

}  // namespace pulsecast::artifact
