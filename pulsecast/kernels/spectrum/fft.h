// Real Fourier transforms of many rows at once, of any length.
//
// X[k] = sum over t of x[t] exp(-2 pi i k t / n), unnormalised, k = 0 .. n/2.
//
// How it is fast: a SIMD lane is a transform. Sixteen rows (with 8 lanes) are packed as eight
// complex signals, one row in the real and one in the imaginary part, and go through the same
// butterflies side by side: no shuffles, no odd-length special case, and twiddles are scalars.
// The passes are Stockham's (self-sorting) in radix 4, 2, 3, 5 and any odd prime up to
// kLargestRadix; a length with a larger prime factor goes through Bluestein's convolution.
#pragma once

#include <cstddef>
#include <memory>

namespace pulsecast::kernels {

struct FftPlan;

// The plan for one length: immutable after construction, free to share between threads.
class RealFft {
 public:
  static constexpr std::size_t kLargestRadix = 31;

  // n >= 1, else throws Error(kUsage).
  explicit RealFft(std::size_t n);
  ~RealFft();
  RealFft(RealFft&&) noexcept;
  RealFft& operator=(RealFft&&) noexcept;

  std::size_t length() const;
  // n/2 + 1: by symmetry bin n-k is the conjugate of bin k.
  std::size_t bins() const { return length() / 2 + 1; }
  // Floats of scratch memory (64-byte aligned) that each call below needs.
  std::size_t scratch_floats() const;

  // in (rows, n) -> out (rows, bins, 2), real and imaginary part side by side.
  void forward(const float* in, std::size_t rows, float* out, float* scratch) const;

  // The adjoint of forward, which is its gradient: grad_out (rows, bins, 2) -> grad_in (rows, n),
  // grad_in[t] = sum over k of Re(g[k]) cos(2 pi k t / n) - Im(g[k]) sin(2 pi k t / n).
  // With accumulate the result is added to what is there.
  void adjoint(const float* grad_out, std::size_t rows, float* grad_in, bool accumulate,
               float* scratch) const;

  // The inverse of forward: in (rows, bins, 2) -> out (rows, n), divided by n. Imaginary parts of
  // bin 0 and, for even n, of bin n/2 are taken as zero.
  void inverse(const float* in, std::size_t rows, float* out, float* scratch) const;

  // The adjoint of inverse, which is its gradient: grad_out (rows, n) -> grad_in (rows, bins, 2).
  // With accumulate the result is added to what is there.
  void inverse_adjoint(const float* grad_out, std::size_t rows, float* grad_in, bool accumulate,
                       float* scratch) const;

  // The spectral loss of rows: returns the sum over all rows and all n bins of |X[k]|, in double,
  // and, where gradient is not null, writes scale * d(sum)/dx to it (rows, n); the modulus has
  // gradient 0 at 0. Forward, modulus and backward of a group of rows stay in cache.
  double sum_of_moduli(const float* in, std::size_t rows, float scale, float* gradient,
                       float* scratch) const;

 private:
  std::unique_ptr<const FftPlan> plan_;
};

}  // namespace pulsecast::kernels
