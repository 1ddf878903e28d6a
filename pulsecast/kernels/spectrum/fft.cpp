#include "pulsecast/kernels/spectrum/fft.h"

#include <algorithm>

#include "pulsecast/base/profile.h"
#include "pulsecast/kernels/spectrum/fft_plan.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pulsecast/kernels/spectrum/fft.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "pulsecast/kernels/spectrum/fft_passes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace {

// Two rows that follow each other are the real and the imaginary part of one complex signal,
// however many lanes there are: their rounding mixes. Row j of a group is here inside a complex
// value, whose real parts come first.
HWY_INLINE std::size_t place_of(std::size_t j) { return j % 2 * hn::Lanes(D()) + j / 2; }

// Up to 2L rows into L complex signals.
HWY_NOINLINE void pack_rows(const float* rows, std::size_t count, std::size_t n, float* x) {
  const std::size_t L = hn::Lanes(D());
  for (std::size_t j = 0; j < 2 * L; ++j) {
    const std::size_t part = place_of(j);
    if (j < count) {
      const float* row = rows + j * n;
      for (std::size_t t = 0; t < n; ++t) x[2 * t * L + part] = row[t];
    } else {
      for (std::size_t t = 0; t < n; ++t) x[2 * t * L + part] = 0.0f;
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

// After a swapped transform the imaginary parts come first.
HWY_NOINLINE void unpack_swapped_rows(const float* x, std::size_t count, std::size_t n, float scale,
                                      bool accumulate, float* rows) {
  const std::size_t L = hn::Lanes(D());
  for (std::size_t j = 0; j < count; ++j) {
    float* row = rows + j * n;
    const float* part = x + place_of(j ^ 1);
    if (accumulate) {
      for (std::size_t t = 0; t < n; ++t) row[t] += scale * part[2 * t * L];
    } else {
      for (std::size_t t = 0; t < n; ++t) row[t] = scale * part[2 * t * L];
    }
  }
}

// out[k] = weight(k) times bin k of the transform, or that added to it.
void Forward(const FftPlan& plan, const float* in, std::size_t rows, float edge_weight,
             float inner_weight, bool accumulate, float* out, float* scratch) {
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
      const V weight = hn::Set(D(), k == 0 || 2 * k == n ? edge_weight : inner_weight);
      hn::Store(hn::Mul(weight, pair.a.re), D(), lanes);
      hn::Store(hn::Mul(weight, pair.b.re), D(), lanes + L);
      hn::Store(hn::Mul(weight, pair.a.im), D(), lanes + 2 * L);
      hn::Store(hn::Mul(weight, pair.b.im), D(), lanes + 3 * L);
      for (std::size_t j = 0; j < count; ++j) {
        float* value = out + ((first + j) * bins + k) * 2;
        value[0] = lanes[place_of(j)] + (accumulate ? value[0] : 0.0f);
        value[1] = lanes[2 * L + place_of(j)] + (accumulate ? value[1] : 0.0f);
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
        lanes[place_of(j)] = j < count ? value[0] : 0.0f;
        lanes[2 * L + place_of(j)] = j < count && !edge ? value[1] : 0.0f;
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
  HWY_ALIGN float lanes[hn::MaxLanes(D())];
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
    hn::Store(sum, D(), lanes);
    for (std::size_t lane = 0; lane < L; ++lane) total += static_cast<double>(lanes[lane]);
    if (gradient == nullptr) continue;
    const float* back = transform(plan, z, z == x ? y : x);
    unpack_swapped_rows(back, count, n, scale, false, gradient + first * n);
  }
  return total;
}

std::size_t LaneCount() { return hn::Lanes(D()); }

}  // namespace
}  // namespace pulsecast::kernels::HWY_NAMESPACE
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
  const profile::Scope scope("spectrum");
  HWY_DYNAMIC_DISPATCH(Forward)(*plan_, in, rows, 1.0f, 1.0f, false, out, scratch);
}

void RealFft::adjoint(const float* grad_out, std::size_t rows, float* grad_in, bool accumulate,
                      float* scratch) const {
  const profile::Scope scope("spectrum");
  // Each inner bin stands for itself and its mirror in the Hermitian sum, hence the half.
  HWY_DYNAMIC_DISPATCH(Backward)
  (*plan_, grad_out, rows, 1.0f, 0.5f, 1.0f, accumulate, grad_in, scratch);
}

void RealFft::inverse(const float* in, std::size_t rows, float* out, float* scratch) const {
  const profile::Scope scope("spectrum");
  HWY_DYNAMIC_DISPATCH(Backward)
  (*plan_, in, rows, 1.0f, 1.0f, 1.0f / static_cast<float>(length()), false, out, scratch);
}

void RealFft::inverse_adjoint(const float* grad_out, std::size_t rows, float* grad_in,
                              bool accumulate, float* scratch) const {
  const profile::Scope scope("spectrum");
  // An inner bin is in the inverse's sum twice: as itself and as its mirror.
  const float share = 1.0f / static_cast<float>(length());
  HWY_DYNAMIC_DISPATCH(Forward)
  (*plan_, grad_out, rows, share, 2.0f * share, accumulate, grad_in, scratch);
}

double RealFft::sum_of_moduli(const float* in, std::size_t rows, float scale, float* gradient,
                              float* scratch) const {
  const profile::Scope scope("spectrum");
  return HWY_DYNAMIC_DISPATCH(SumOfModuli)(*plan_, in, rows, scale, gradient, scratch);
}

}  // namespace pulsecast::kernels
#endif  // HWY_ONCE
