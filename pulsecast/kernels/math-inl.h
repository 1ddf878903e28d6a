// Vector exponentials and the normal distribution, for float. Included once per SIMD target.

#if defined(PULSECAST_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef PULSECAST_KERNELS_MATH_INL_H_
#undef PULSECAST_KERNELS_MATH_INL_H_
#else
#define PULSECAST_KERNELS_MATH_INL_H_
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace pulsecast::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// exp(x) for x <= 88; below -87 the result is exp(-87), about 1e-38: never zero, so that a
// softmax never divides by it. Relative error below 2e-7 (math_test.cpp measures it).
template <class D, class V = hn::Vec<D>>
HWY_INLINE V exp_vector(D d, V x) {
  const hn::RebindToSigned<D> di;
  x = hn::Max(x, hn::Set(d, -87.0f));
  // x = n ln 2 + r with |r| <= ln(2)/2; ln 2 in two parts, the first exact in few bits.
  // Adding 1.5 * 2^23 rounds to an integer and leaves it in the low bits, ready for the exponent.
  const V rounder = hn::Set(d, 12582912.0f);
  const V shifted = hn::MulAdd(x, hn::Set(d, 1.44269504f), rounder);
  const V n = hn::Sub(shifted, rounder);
  V r = hn::NegMulAdd(n, hn::Set(d, 0.693359375f), x);
  r = hn::NegMulAdd(n, hn::Set(d, -2.12194440e-4f), r);
  // exp(r) = 1 + r + r^2 q(r), q a minimax polynomial (3.3e-9 relative, before rounding).
  V q = hn::Set(d, 0.001381314595f);
  q = hn::MulAdd(q, r, hn::Set(d, 0.008369419152f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.04166845678f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.1666651479f));
  q = hn::MulAdd(q, r, hn::Set(d, 0.4999999305f));
  const V e = hn::Add(hn::MulAdd(hn::Mul(r, r), q, r), hn::Set(d, 1.0f));
  const auto bits = hn::ShiftLeft<23>(hn::BitCast(di, shifted));
  return hn::BitCast(d, hn::Add(hn::BitCast(di, e), bits));
}

template <class V>
struct NormalDistribution {
  V cumulative;  // Phi(x)
  V density;     // phi(x)
};

// Phi and phi share the one exponential: with a = |x| and t = 1 / (1 + a/4),
// Phi(-a) = exp(-a^2/2) * t * poly(t). Absolute error of Phi below 1e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE NormalDistribution<V> normal_distribution(D d, V x) {
  const V a = hn::Abs(x);
  const V e = exp_vector(d, hn::Mul(hn::Mul(a, a), hn::Set(d, -0.5f)));
  const V t = hn::Div(hn::Set(d, 1.0f), hn::MulAdd(a, hn::Set(d, 0.25f), hn::Set(d, 1.0f)));
  V poly = hn::Set(d, -0.0889109761f);
  poly = hn::MulAdd(poly, t, hn::Set(d, 0.32763024f));
  poly = hn::MulAdd(poly, t, hn::Set(d, -0.236900181f));
  poly = hn::MulAdd(poly, t, hn::Set(d, 0.246831069f));
  poly = hn::MulAdd(poly, t, hn::Set(d, 0.0466871282f));
  poly = hn::MulAdd(poly, t, hn::Set(d, 0.104816043f));
  poly = hn::MulAdd(poly, t, hn::Set(d, 0.0998466742f));
  const V tail = hn::Mul(hn::Mul(e, t), poly);
  const V upper = hn::Sub(hn::Set(d, 1.0f), tail);
  return {hn::IfThenElse(hn::Lt(x, hn::Zero(d)), tail, upper),
          hn::Mul(e, hn::Set(d, 0.398942280f))};
}

// Phi alone, without an exponential: 1/2 + x P(x^2) / Q(x^2), a minimax fit (3e-9 before rounding)
// up to where Phi is within 1e-7 of its limits. Absolute error below 2e-7.
template <class D, class V = hn::Vec<D>>
HWY_INLINE V normal_cumulative(D d, V x) {
  const V limit = hn::Set(d, 5.2f);
  const V held = hn::Max(hn::Min(x, limit), hn::Neg(limit));
  const V s = hn::Mul(held, held);
  V p = hn::Set(d, 2.47310832e-08f);
  V q = hn::Set(d, 1.25886715e-06f);
  const auto next = [&](float of_p, float of_q) {
    p = hn::MulAdd(p, s, hn::Set(d, of_p));
    q = hn::MulAdd(q, s, hn::Set(d, of_q));
  };
  next(6.407888e-06f, 7.04961864e-05f);
  next(0.000156861904f, 0.0018172044f);
  next(0.00460864706f, 0.0279267089f);
  next(0.0325445891f, 0.248243529f);
  next(0.398942261f, 1.0f);
  const V phi = hn::MulAdd(held, hn::Div(p, q), hn::Set(d, 0.5f));
  return hn::IfThenZeroElse(hn::Lt(x, hn::Neg(limit)), phi);
}

}  // namespace pulsecast::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // PULSECAST_KERNELS_MATH_INL_H_
