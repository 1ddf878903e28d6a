// What a transform of one length needs, computed once in double and kept as float.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace pulsecast::kernels {

struct FftPlan;

// One Stockham pass: current length = radix * rest, repeated `stride` times.
struct FftPass {
  std::size_t radix;
  std::size_t rest;
  std::size_t stride;
  // exp(-2 pi i q k / (radix * rest)) for q = 0 .. rest-1, k = 1 .. radix-1, as (re, im) pairs.
  std::vector<float> twiddles;
  // Odd radix only: cos and sin of 2 pi j / radix, j = 0 .. radix-1, as pairs.
  std::vector<float> roots;
};

// Bluestein: a transform of any length n as a circular convolution of a smooth length m >= 2n - 1.
struct Bluestein {
  std::vector<float> chirp;   // exp(-pi i t^2 / n), t = 0 .. n-1, as pairs
  std::vector<float> kernel;  // transform of the conjugate chirp, divided by m, as pairs
  std::unique_ptr<const FftPlan> convolution;
};

struct FftPlan {
  explicit FftPlan(std::size_t length);

  std::size_t n;
  std::vector<FftPass> passes;           // empty when bluestein is set
  std::unique_ptr<Bluestein> bluestein;  // null for smooth lengths

  // Complex values, each one SIMD vector per part, that a transform works in (two buffers of n, and
  // the convolution's own).
  std::size_t work_values() const;
};

}  // namespace pulsecast::kernels
