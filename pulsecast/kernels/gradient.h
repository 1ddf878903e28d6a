// Where a backward kernel puts a gradient.
#pragma once

namespace pulsecast::kernels {

// A null pointer asks for no gradient. With accumulate it is added to what is there, else written.
struct Gradient {
  float* data = nullptr;
  bool accumulate = false;
};

}  // namespace pulsecast::kernels
