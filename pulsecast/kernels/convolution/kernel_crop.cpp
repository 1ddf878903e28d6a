#include "pulsecast/kernels/convolution/kernel_crop.h"

#include <algorithm>

#include "pulsecast/kernels/pointwise/rearrange.h"

namespace pulsecast::kernels {

KernelCrop::Taps KernelCrop::useful_taps(std::size_t size, std::size_t kernel, std::size_t pad) {
  const std::size_t first = pad > size - 1 ? pad - (size - 1) : 0;
  const std::size_t last = std::min(kernel - 1, pad + size - 1);
  return {first, last - first + 1};
}

KernelCrop::KernelCrop(const ConvolutionShape& s)
    : whole_(s),
      rows_(useful_taps(s.height, s.kernel_height, s.pad_height)),
      columns_(useful_taps(s.width, s.kernel_width, s.pad_width)),
      shape_(s) {
  if (rows_.count * columns_.count == s.kernel_height * s.kernel_width) return;
  // A tap that goes takes its padding along, so that what remains lies where it lay.
  shape_.kernel_height = rows_.count;
  shape_.kernel_width = columns_.count;
  shape_.pad_height -= rows_.first;
  shape_.pad_width -= columns_.first;
  // Where the two sides lose differently, one padding for both does not do.
  is_smaller_ = shape_.out_height() == s.out_height() && shape_.out_width() == s.out_width();
  if (!is_smaller_) shape_ = s;
}

std::size_t KernelCrop::weight_floats() const {
  return is_smaller_ ? whole_lines(shape_.out * shape_.window()) : 0;
}

template <typename Body>
void KernelCrop::for_rows(Body body) const {
  for (std::size_t row = 0; row < rows_.count; ++row) {
    body((rows_.first + row) * whole_.kernel_width + columns_.first, row * columns_.count);
  }
}

const float* KernelCrop::weight(const float* whole, float* memory) const {
  if (!is_smaller_) return whole;
  for_rows([&](std::size_t in_whole, std::size_t in_part) {
    copy_blocks(shape_.out * shape_.in, columns_.count, whole_.kernel_height * whole_.kernel_width,
                whole + in_whole, rows_.count * columns_.count, false, memory + in_part);
  });
  return memory;
}

void KernelCrop::spread_gradient(const float* part, Gradient to) const {
  if (!to.accumulate) std::fill_n(to.data, whole_.out * whole_.window(), 0.0f);
  for_rows([&](std::size_t in_whole, std::size_t in_part) {
    copy_blocks(shape_.out * shape_.in, columns_.count, rows_.count * columns_.count,
                part + in_part, whole_.kernel_height * whole_.kernel_width, true,
                to.data + in_whole);
  });
}

}  // namespace pulsecast::kernels
