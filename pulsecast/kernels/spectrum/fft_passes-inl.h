// The passes of a Fourier transform on as many complex signals as a vector has lanes. Included once
// per SIMD target.

#if defined(PULSECAST_KERNELS_FFT_PASSES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_FFT_PASSES_INL_H_
#undef PULSECAST_KERNELS_FFT_PASSES_INL_H_
#else
#define PULSECAST_KERNELS_FFT_PASSES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstddef>
#include <utility>

#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/kernels/spectrum/fft_plan.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;
namespace {

using D = hn::ScalableTag<float>;
using V = hn::Vec<D>;

// Complex values of kLanes signals: value i has its real parts at [2 i L, 2 i L + L) and its
// imaginary parts right after.
struct Complex {
  V re;
  V im;
};

HWY_INLINE Complex operator+(Complex a, Complex b) {
  return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
}
HWY_INLINE Complex operator-(Complex a, Complex b) {
  return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
}
// a times the scalar (re, im).
HWY_INLINE Complex times(Complex a, float re, float im) {
  const V r = hn::Set(D(), re);
  const V i = hn::Set(D(), im);
  return {hn::NegMulAdd(a.im, i, hn::Mul(a.re, r)), hn::MulAdd(a.im, r, hn::Mul(a.re, i))};
}
// a times -i.
HWY_INLINE Complex turned(Complex a) { return {a.im, hn::Neg(a.re)}; }

HWY_INLINE Complex load(const float* values, std::size_t i) {
  const std::size_t L = hn::Lanes(D());
  return {hn::Load(D(), values + 2 * i * L), hn::Load(D(), values + 2 * i * L + L)};
}
HWY_INLINE void store(Complex value, float* values, std::size_t i) {
  const std::size_t L = hn::Lanes(D());
  hn::Store(value.re, D(), values + 2 * i * L);
  hn::Store(value.im, D(), values + 2 * i * L + L);
}

// Small transforms of `a`, in place, for the radices that are worth writing out.
template <std::size_t kRadix>
HWY_INLINE void butterfly(Complex* a);

template <>
HWY_INLINE void butterfly<2>(Complex* a) {
  const Complex sum = a[0] + a[1];
  a[1] = a[0] - a[1];
  a[0] = sum;
}

template <>
HWY_INLINE void butterfly<4>(Complex* a) {
  const Complex even_sum = a[0] + a[2];
  const Complex even_difference = a[0] - a[2];
  const Complex odd_sum = a[1] + a[3];
  const Complex odd_difference = turned(a[1] - a[3]);
  a[0] = even_sum + odd_sum;
  a[1] = even_difference + odd_difference;
  a[2] = even_sum - odd_sum;
  a[3] = even_difference - odd_difference;
}

// a * scale + b.
HWY_INLINE Complex add_scaled(Complex a, float scale, Complex b) {
  const V s = hn::Set(D(), scale);
  return {hn::MulAdd(a.re, s, b.re), hn::MulAdd(a.im, s, b.im)};
}
HWY_INLINE Complex scaled(Complex a, float scale) {
  const V s = hn::Set(D(), scale);
  return {hn::Mul(a.re, s), hn::Mul(a.im, s)};
}

template <>
HWY_INLINE void butterfly<3>(Complex* a) {
  constexpr float kHalfSqrt3 = 0.866025403784438647f;
  const Complex sum = a[1] + a[2];
  const Complex difference = turned(scaled(a[1] - a[2], kHalfSqrt3));
  const Complex middle = add_scaled(sum, -0.5f, a[0]);
  a[0] = a[0] + sum;
  a[1] = middle + difference;
  a[2] = middle - difference;
}

template <>
HWY_INLINE void butterfly<5>(Complex* a) {
  constexpr float kCos1 = 0.309016994374947424f;
  constexpr float kCos2 = -0.809016994374947424f;
  constexpr float kSin1 = 0.951056516295153572f;
  constexpr float kSin2 = 0.587785252292473129f;
  const Complex sum1 = a[1] + a[4];
  const Complex sum2 = a[2] + a[3];
  const Complex difference1 = a[1] - a[4];
  const Complex difference2 = a[2] - a[3];
  const Complex middle1 = add_scaled(sum2, kCos2, add_scaled(sum1, kCos1, a[0]));
  const Complex middle2 = add_scaled(sum2, kCos1, add_scaled(sum1, kCos2, a[0]));
  const Complex side1 = turned(add_scaled(difference2, kSin2, scaled(difference1, kSin1)));
  const Complex side2 = turned(add_scaled(difference2, -kSin1, scaled(difference1, kSin2)));
  a[0] = a[0] + sum1 + sum2;
  a[1] = middle1 + side1;
  a[2] = middle2 + side2;
  a[3] = middle2 - side2;
  a[4] = middle1 - side1;
}

template <std::size_t kRadix>
HWY_NOINLINE void run_pass(const FftPass& pass, const float* x, float* y) {
  const std::size_t s = pass.stride;
  for (std::size_t q = 0; q < pass.rest; ++q) {
    const float* w = pass.twiddles.data() + 2 * (kRadix - 1) * q;
    for (std::size_t r = 0; r < s; ++r) {
      Complex a[kRadix];
      for (std::size_t i = 0; i < kRadix; ++i) a[i] = load(x, r + s * (q + i * pass.rest));
      butterfly<kRadix>(a);
      store(a[0], y, r + s * kRadix * q);
      for (std::size_t k = 1; k < kRadix; ++k) {
        store(times(a[k], w[2 * (k - 1)], w[2 * (k - 1) + 1]), y, r + s * (kRadix * q + k));
      }
    }
  }
}

// Any odd radix: output k and radix - k share their sums, sum over j of a[j] + a[radix-j] times a
// cosine and of a[j] - a[radix-j] times a sine.
HWY_NOINLINE void run_odd_pass(const FftPass& pass, const float* x, float* y) {
  constexpr std::size_t kHalf = RealFft::kLargestRadix / 2;
  const std::size_t radix = pass.radix;
  const std::size_t s = pass.stride;
  const std::size_t half = radix / 2;
  for (std::size_t q = 0; q < pass.rest; ++q) {
    const float* w = pass.twiddles.data() + 2 * (radix - 1) * q;
    for (std::size_t r = 0; r < s; ++r) {
      const Complex first = load(x, r + s * q);
      Complex sums[kHalf];
      Complex differences[kHalf];
      Complex total = first;
      for (std::size_t j = 1; j <= half; ++j) {
        const Complex a = load(x, r + s * (q + j * pass.rest));
        const Complex b = load(x, r + s * (q + (radix - j) * pass.rest));
        sums[j - 1] = a + b;
        differences[j - 1] = a - b;
        total = total + sums[j - 1];
      }
      store(total, y, r + s * radix * q);
      for (std::size_t k = 1; k <= half; ++k) {
        Complex middle = first;
        Complex side{hn::Zero(D()), hn::Zero(D())};
        for (std::size_t j = 1; j <= half; ++j) {
          const float* root = pass.roots.data() + 2 * (j * k % radix);
          middle = add_scaled(sums[j - 1], root[0], middle);
          side = add_scaled(differences[j - 1], root[1], side);
        }
        side = turned(side);
        const std::size_t mirror = radix - k;
        store(times(middle + side, w[2 * (k - 1)], w[2 * (k - 1) + 1]), y, r + s * (radix * q + k));
        store(times(middle - side, w[2 * (mirror - 1)], w[2 * (mirror - 1) + 1]), y,
              r + s * (radix * q + mirror));
      }
    }
  }
}

// Transforms the n values at x; y is as large; the result is in the buffer returned.
float* transform(const FftPlan& plan, float* x, float* y);

HWY_NOINLINE float* transform_bluestein(const FftPlan& plan, float* x, float* y) {
  const Bluestein& b = *plan.bluestein;
  const std::size_t n = plan.n;
  const std::size_t m = b.convolution->n;
  const std::size_t L = hn::Lanes(D());
  float* u = y + 2 * n * L;
  float* v = u + 2 * m * L;
  const Complex zero{hn::Zero(D()), hn::Zero(D())};
  for (std::size_t t = 0; t < n; ++t) {
    store(times(load(x, t), b.chirp[2 * t], b.chirp[2 * t + 1]), u, t);
  }
  for (std::size_t t = n; t < m; ++t) store(zero, u, t);
  float* spectrum = transform(*b.convolution, u, v);
  float* other = spectrum == u ? v : u;
  // The inverse transform is the forward one of the conjugate, conjugated: store re + i im of the
  // product with the imaginary part negated, transform, and negate again below.
  for (std::size_t k = 0; k < m; ++k) {
    Complex product = times(load(spectrum, k), b.kernel[2 * k], b.kernel[2 * k + 1]);
    product.im = hn::Neg(product.im);
    store(product, spectrum, k);
  }
  float* convolved = transform(*b.convolution, spectrum, other);
  for (std::size_t k = 0; k < n; ++k) {
    Complex value = load(convolved, k);
    value.im = hn::Neg(value.im);
    store(times(value, b.chirp[2 * k], b.chirp[2 * k + 1]), y, k);
  }
  return y;
}

float* transform(const FftPlan& plan, float* x, float* y) {
  if (plan.bluestein) return transform_bluestein(plan, x, y);
  for (const FftPass& pass : plan.passes) {
    switch (pass.radix) {
      case 2:
        run_pass<2>(pass, x, y);
        break;
      case 3:
        run_pass<3>(pass, x, y);
        break;
      case 4:
        run_pass<4>(pass, x, y);
        break;
      case 5:
        run_pass<5>(pass, x, y);
        break;
      default:
        run_odd_pass(pass, x, y);
        break;
    }
    std::swap(x, y);
  }
  return x;
}

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_FFT_PASSES_INL_H_
