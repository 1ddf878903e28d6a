// An affine coupling: one half of a vector scaled and shifted by what was made of the other, as
// invertible networks do it.
//
//   y = a * exp(held(gain * s)) + t, held to [-kMostLog, kMostLog]
//
// The gain is one number for all. Behind its bounds the exponent says nothing about s and the gain.
#pragma once

#include <cstddef>

#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

inline constexpr float kMostLog = 5.0f;

// a, s, t, y (count); `factors` (count) receives the exponentials for the way back, or is null.
void couple(std::size_t count, float gain, const float* a, const float* s, const float* t, float* y,
            float* factors);

// Gradients of a and s; returns that of the gain. That of t is grad_y itself.
float couple_backward(std::size_t count, float gain, const float* a, const float* s,
                      const float* factors, const float* grad_y, Gradient grad_a, Gradient grad_s);

}  // namespace pulsecast::kernels
