// A contiguous view of float32 values with a shape, and a place for their gradient.
//
// Plain data, copied freely; the memory belongs to an arena, to Parameters or to the caller.
// Row-major, so reshaping costs nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <string>

#include "pulsecast/kernels/products/linear.h"

namespace pulsecast::autodiff {

class Shape {
 public:
  static constexpr std::size_t kMaxRank = 4;

  constexpr Shape() = default;
  constexpr Shape(std::initializer_list<std::size_t> sizes) : rank_(sizes.size()) {
    assert(sizes.size() <= kMaxRank);
    std::copy(sizes.begin(), sizes.end(), sizes_.begin());
  }

  constexpr std::size_t rank() const { return rank_; }
  constexpr std::size_t operator[](std::size_t i) const { return sizes_[i]; }
  // Number of values.
  constexpr std::size_t count() const {
    std::size_t product = 1;
    for (std::size_t i = 0; i < rank_; ++i) product *= sizes_[i];
    return product;
  }
  // The last size, and the product of those before it: a tensor as rows.
  constexpr std::size_t width() const { return rank_ == 0 ? 1 : sizes_[rank_ - 1]; }
  constexpr std::size_t rows() const { return width() == 0 ? 0 : count() / width(); }
  // The same shape with another last size.
  constexpr Shape with_width(std::size_t width) const {
    Shape shape = *this;
    shape.sizes_[shape.rank_ - 1] = width;
    return shape;
  }

  friend constexpr bool operator==(const Shape&, const Shape&) = default;

 private:
  std::array<std::size_t, kMaxRank> sizes_{};
  std::size_t rank_ = 0;
};

// "(1792, 96)"
std::string to_string(const Shape& shape);

// Where a tensor's gradient is gathered during the backward pass.
struct GradientSlot {
  float* data = nullptr;  // null until someone asks for the memory
  bool written = false;   // false: the first contribution writes, later ones add
};

struct Tensor {
  float* data = nullptr;
  Shape shape;
  GradientSlot* slot = nullptr;  // null: no gradient wanted
  // A weight that was packed for products beforehand (packed_weights.h); null: it was not.
  const kernels::PackedWeight* packed = nullptr;

  std::size_t count() const { return shape.count(); }
  bool wants_gradient() const { return slot != nullptr; }

  // The same values in another shape of as many.
  Tensor reshaped(const Shape& to) const {
    assert(to.count() == count());
    return {data, to, slot};
  }
};

}  // namespace pulsecast::autodiff
