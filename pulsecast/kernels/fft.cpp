#include "pulsecast/kernels/fft.h"

#include <cmath>
#include <numbers>

#include "pulsecast/kernels/fft_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/fft.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels {
namespace HWY_NAMESPACE {
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

// Up to 2L rows into L complex signals: row j is the real part of lane j, row L + j the imaginary.
HWY_NOINLINE void pack_rows(const float* rows, std::size_t count, std::size_t n, float* x) {
  const std::size_t L = hn::Lanes(D());
  for (std::size_t j = 0; j < 2 * L; ++j) {
    const std::size_t part = j;  // position inside a complex value: re lanes, then im lanes
    if (j < count) {
      const float* row = rows + j * n;
      for (std::size_t t = 0; t < n; ++t) x[2 * t * L + part] = row[t];
    } else {
      for (std::size_t t = 0; t < n; ++t) x[2 * t * L + part] = 0.0f;
    }
  }
}

HWY_NOINLINE void unpack_rows(const float* x, std::size_t count, std::size_t n, float scale,
                              bool accumulate, float* rows) {
  const std::size_t L = hn::Lanes(D());
  for (std::size_t j = 0; j < count; ++j) {
    float* row = rows + j * n;
    if (accumulate) {
      for (std::size_t t = 0; t < n; ++t) row[t] += scale * x[2 * t * L + j];
    } else {
      for (std::size_t t = 0; t < n; ++t) row[t] = scale * x[2 * t * L + j];
    }
  }
}

// The spectra of the two real signals in a complex one, at bin k:
// a = (Z[k] + conj Z[n-k]) / 2, b = (Z[k] - conj Z[n-k]) / (2i).
struct Pair {
  Complex a;
  Complex b;
};
HWY_INLINE Pair split(Complex z, Complex mirror) {
  const V half = hn::Set(D(), 0.5f);
  return {{hn::Mul(half, hn::Add(z.re, mirror.re)), hn::Mul(half, hn::Sub(z.im, mirror.im))},
          {hn::Mul(half, hn::Add(z.im, mirror.im)), hn::Mul(half, hn::Sub(mirror.re, z.re))}};
}
// Back: Z[k] = a + i b and Z[n-k] = conj a + i conj b.
HWY_INLINE Complex joined(Pair p) { return {hn::Sub(p.a.re, p.b.im), hn::Add(p.a.im, p.b.re)}; }
HWY_INLINE Complex joined_mirror(Pair p) {
  return {hn::Add(p.a.re, p.b.im), hn::Sub(p.b.re, p.a.im)};
}

// The inverse direction: conjugating input and output of the forward transform is the same as
// swapping real and imaginary parts of both. Z is stored swapped, so that the transform's output
// is read back with a in the imaginary and b in the real lanes.
HWY_INLINE void store_swapped(Complex z, float* x, std::size_t k) { store({z.im, z.re}, x, k); }

// After a swapped transform, lanes hold rows L..2L-1 first and rows 0..L-1 second.
HWY_NOINLINE void unpack_swapped_rows(const float* x, std::size_t count, std::size_t n, float scale,
                                      bool accumulate, float* rows) {
  const std::size_t L = hn::Lanes(D());
  unpack_rows(x + L, std::min(count, L), n, scale, accumulate, rows);
  if (count > L) unpack_rows(x, count - L, n, scale, accumulate, rows + L * n);
}

void Forward(const FftPlan& plan, const float* in, std::size_t rows, float* out, float* scratch) {
  const std::size_t L = hn::Lanes(D());
  const std::size_t n = plan.n;
  const std::size_t bins = n / 2 + 1;
  HWY_ALIGN float lanes[4 * hn::MaxLanes(D())];
  for (std::size_t first = 0; first < rows; first += 2 * L) {
    const std::size_t count = std::min(2 * L, rows - first);
    pack_rows(in + first * n, count, n, scratch);
    const float* z = transform(plan, scratch, scratch + 2 * n * L);
    for (std::size_t k = 0; k < bins; ++k) {
      const Pair pair = split(load(z, k), load(z, (n - k) % n));
      hn::Store(pair.a.re, D(), lanes);
      hn::Store(pair.b.re, D(), lanes + L);
      hn::Store(pair.a.im, D(), lanes + 2 * L);
      hn::Store(pair.b.im, D(), lanes + 3 * L);
      for (std::size_t j = 0; j < count; ++j) {
        float* value = out + ((first + j) * bins + k) * 2;
        value[0] = lanes[j];
        value[1] = lanes[2 * L + j];
      }
    }
  }
}

// out[t] = scale * sum over all n bins of the Hermitian spectrum whose bin k <= n/2 is
// weight(k) * in[k], times exp(+2 pi i k t / n).
void Backward(const FftPlan& plan, const float* in, std::size_t rows, float edge_weight,
              float inner_weight, float scale, bool accumulate, float* out, float* scratch) {
  const std::size_t L = hn::Lanes(D());
  const std::size_t n = plan.n;
  const std::size_t bins = n / 2 + 1;
  HWY_ALIGN float lanes[4 * hn::MaxLanes(D())];
  for (std::size_t first = 0; first < rows; first += 2 * L) {
    const std::size_t count = std::min(2 * L, rows - first);
    for (std::size_t k = 0; k < bins; ++k) {
      const bool edge = k == 0 || 2 * k == n;  // its own mirror: the imaginary part has no say
      for (std::size_t j = 0; j < 2 * L; ++j) {
        const float* value = in + ((first + j) * bins + k) * 2;
        lanes[j] = j < count ? value[0] : 0.0f;
        lanes[2 * L + j] = j < count && !edge ? value[1] : 0.0f;
      }
      const V weight = hn::Set(D(), edge ? edge_weight : inner_weight);
      const Pair pair{
          {hn::Mul(weight, hn::Load(D(), lanes)), hn::Mul(weight, hn::Load(D(), lanes + 2 * L))},
          {hn::Mul(weight, hn::Load(D(), lanes + L)),
           hn::Mul(weight, hn::Load(D(), lanes + 3 * L))}};
      store_swapped(joined(pair), scratch, k);
      if (!edge) store_swapped(joined_mirror(pair), scratch, n - k);
    }
    const float* x = transform(plan, scratch, scratch + 2 * n * L);
    unpack_swapped_rows(x, count, n, scale, accumulate, out + first * n);
  }
}

// z / |z|, and 0 at 0. Adds |z| to sum.
HWY_INLINE Complex unit(Complex z, V weight, V& sum) {
  const V squared = hn::MulAdd(z.re, z.re, hn::Mul(z.im, z.im));
  const V modulus = hn::Sqrt(squared);
  sum = hn::MulAdd(weight, modulus, sum);
  const V inverse =
      hn::IfThenElseZero(hn::Gt(modulus, hn::Zero(D())), hn::Div(hn::Set(D(), 1.0f), modulus));
  return {hn::Mul(z.re, inverse), hn::Mul(z.im, inverse)};
}

double SumOfModuli(const FftPlan& plan, const float* in, std::size_t rows, float scale,
                   float* gradient, float* scratch) {
  const std::size_t L = hn::Lanes(D());
  const std::size_t n = plan.n;
  double total = 0.0;
  for (std::size_t first = 0; first < rows; first += 2 * L) {
    const std::size_t count = std::min(2 * L, rows - first);
    float* x = scratch;
    float* y = scratch + 2 * n * L;
    pack_rows(in + first * n, count, n, x);
    float* z = transform(plan, x, y);
    V sum = hn::Zero(D());
    for (std::size_t k = 0; k <= n / 2; ++k) {
      const bool edge = k == 0 || 2 * k == n;
      const Pair pair = split(load(z, k), load(z, (n - k) % n));
      const V weight = hn::Set(D(), edge ? 1.0f : 2.0f);
      const Pair units{unit(pair.a, weight, sum), unit(pair.b, weight, sum)};
      store_swapped(joined(units), z, k);
      if (!edge) store_swapped(joined_mirror(units), z, n - k);
    }
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(D(), sum)));
    if (gradient == nullptr) continue;
    const float* back = transform(plan, z, z == x ? y : x);
    unpack_swapped_rows(back, count, n, scale, false, gradient + first * n);
  }
  return total;
}

std::size_t LaneCount() { return hn::Lanes(D()); }

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace pulsecast::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace pulsecast::kernels {

HWY_EXPORT(Forward);
HWY_EXPORT(Backward);
HWY_EXPORT(SumOfModuli);
HWY_EXPORT(LaneCount);

RealFft::RealFft(std::size_t n) : plan_(std::make_unique<const FftPlan>(n)) {}
RealFft::~RealFft() = default;
RealFft::RealFft(RealFft&&) noexcept = default;
RealFft& RealFft::operator=(RealFft&&) noexcept = default;

std::size_t RealFft::length() const { return plan_->n; }

std::size_t RealFft::scratch_floats() const {
  return plan_->work_values() * 2 * HWY_DYNAMIC_DISPATCH(LaneCount)();
}

void RealFft::forward(const float* in, std::size_t rows, float* out, float* scratch) const {
  HWY_DYNAMIC_DISPATCH(Forward)(*plan_, in, rows, out, scratch);
}

void RealFft::adjoint(const float* grad_out, std::size_t rows, float* grad_in, bool accumulate,
                      float* scratch) const {
  // Each inner bin stands for itself and its mirror in the Hermitian sum, hence the half.
  HWY_DYNAMIC_DISPATCH(Backward)
  (*plan_, grad_out, rows, 1.0f, 0.5f, 1.0f, accumulate, grad_in, scratch);
}

void RealFft::inverse(const float* in, std::size_t rows, float* out, float* scratch) const {
  HWY_DYNAMIC_DISPATCH(Backward)
  (*plan_, in, rows, 1.0f, 1.0f, 1.0f / static_cast<float>(length()), false, out, scratch);
}

double RealFft::sum_of_moduli(const float* in, std::size_t rows, float scale, float* gradient,
                              float* scratch) const {
  return HWY_DYNAMIC_DISPATCH(SumOfModuli)(*plan_, in, rows, scale, gradient, scratch);
}

namespace reference {

void real_fft(std::size_t n, const float* in, std::size_t rows, float* out) {
  const std::size_t bins = n / 2 + 1;
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t k = 0; k < bins; ++k) {
      double re = 0.0;
      double im = 0.0;
      for (std::size_t t = 0; t < n; ++t) {
        const double angle =
            2.0 * std::numbers::pi * static_cast<double>(k * t % n) / static_cast<double>(n);
        re += in[row * n + t] * std::cos(angle);
        im -= in[row * n + t] * std::sin(angle);
      }
      out[(row * bins + k) * 2] = static_cast<float>(re);
      out[(row * bins + k) * 2 + 1] = static_cast<float>(im);
    }
  }
}

}  // namespace reference
}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
