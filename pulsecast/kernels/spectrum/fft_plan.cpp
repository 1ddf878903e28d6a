#include "pulsecast/kernels/spectrum/fft_plan.h"

#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast::kernels {
namespace {

using Complex = std::complex<double>;

// exp(-2 pi i numerator / denominator), with the argument reduced first so that it stays exact.
Complex root_of_unity(std::size_t numerator, std::size_t denominator) {
  const double angle = 2.0 * std::numbers::pi * static_cast<double>(numerator % denominator) /
                       static_cast<double>(denominator);
  return {std::cos(angle), -std::sin(angle)};
}

void append(std::vector<float>& pairs, Complex value) {
  pairs.push_back(static_cast<float>(value.real()));
  pairs.push_back(static_cast<float>(value.imag()));
}

// Radices whose product is n, or nothing when a prime factor is too large.
std::vector<std::size_t> factorise(std::size_t n) {
  std::vector<std::size_t> radices;
  const auto take = [&](std::size_t radix) {
    for (; n % radix == 0; n /= radix) radices.push_back(radix);
  };
  take(4);
  take(2);
  for (std::size_t radix = 3; radix <= RealFft::kLargestRadix; radix += 2) take(radix);
  if (n != 1) radices.clear();
  return radices;
}

bool is_smooth(std::size_t n) {
  for (const std::size_t radix : {2, 3, 5}) {
    while (n % radix == 0) n /= radix;
  }
  return n == 1;
}

FftPass make_pass(std::size_t radix, std::size_t rest, std::size_t stride) {
  FftPass pass{.radix = radix, .rest = rest, .stride = stride, .twiddles = {}, .roots = {}};
  for (std::size_t q = 0; q < rest; ++q) {
    for (std::size_t k = 1; k < radix; ++k) {
      append(pass.twiddles, root_of_unity(q * k, radix * rest));
    }
  }
  for (std::size_t j = 0; radix % 2 == 1 && j < radix; ++j) {
    append(pass.roots, std::conj(root_of_unity(j, radix)));
  }
  return pass;
}

// Only a plan is built with this, so a plain O(m log m) recursion in double serves.
std::vector<Complex> transform(std::vector<Complex> x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  std::size_t p = 2;
  while (n % p != 0) ++p;
  const std::size_t rest = n / p;
  std::vector<std::vector<Complex>> parts(p);
  for (std::size_t i = 0; i < p; ++i) {
    std::vector<Complex> part(rest);
    for (std::size_t t = 0; t < rest; ++t) part[t] = x[t * p + i];
    parts[i] = transform(std::move(part));
  }
  for (std::size_t k = 0; k < n; ++k) {
    Complex sum = 0;
    for (std::size_t i = 0; i < p; ++i) sum += parts[i][k % rest] * root_of_unity(i * k, n);
    x[k] = sum;
  }
  return x;
}

std::unique_ptr<Bluestein> make_bluestein(std::size_t n) {
  std::size_t m = 2 * n - 1;
  while (!is_smooth(m)) ++m;
  auto result = std::make_unique<Bluestein>();
  std::vector<Complex> kernel(m);
  for (std::size_t t = 0; t < n; ++t) {
    // t^2 / (2n) turns; t^2 modulo 2n keeps the angle exact for long transforms.
    const Complex chirp = root_of_unity((t * t) % (2 * n), 2 * n);
    append(result->chirp, chirp);
    kernel[t] = std::conj(chirp);
    if (t > 0) kernel[m - t] = std::conj(chirp);
  }
  for (const Complex& value : transform(std::move(kernel))) {
    append(result->kernel, value / static_cast<double>(m));
  }
  result->convolution = std::make_unique<FftPlan>(m);
  return result;
}

}  // namespace

FftPlan::FftPlan(std::size_t length) : n(length) {
  if (n == 0) throw_error(ErrorKind::kUsage, "fft", "a transform needs at least one value, got 0");
  const std::vector<std::size_t> radices = factorise(n);
  if (n > 1 && radices.empty()) {
    bluestein = make_bluestein(n);
    return;
  }
  std::size_t rest = n;
  std::size_t stride = 1;
  for (const std::size_t radix : radices) {
    rest /= radix;
    passes.push_back(make_pass(radix, rest, stride));
    stride *= radix;
  }
}

std::size_t FftPlan::work_values() const {
  return 2 * n + (bluestein ? bluestein->convolution->work_values() : 0);
}

}  // namespace pulsecast::kernels
