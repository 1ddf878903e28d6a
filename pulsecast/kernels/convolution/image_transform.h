// Spectra of small images, continued with zeros, by matrix products: at lengths of a dozen to a few
// hundred steps that is quicker than a fast transform, and takes any length.
//
// A spectrum is laid out frequency by frequency: (frequencies, 2, count), the real parts of all
// images and then their imaginary ones. Inside, too, images run innermost, so that every pass is
// over contiguous floats; images are turned when they are read and when they are written.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"

namespace pulsecast::kernels {

// Which way a transform turns, and which step of the circle the first of an image is.
struct Turn {
  double sign;
  std::ptrdiff_t first;
};

class ImageTransform {
 public:
  // Over circles of so many rows and columns.
  ImageTransform(std::size_t row_size, std::size_t column_size, const Team& team)
      : row_size_(row_size),
        column_size_(column_size),
        row_bins_(row_size / 2 + 1),
        bins_(column_size / 2 + 1),
        team_(team) {}

  // Of real rows only half of the frequencies are needed.
  std::size_t frequencies() const { return row_size_ * bins_; }
  std::size_t spectrum_floats(std::size_t count) const { return frequencies() * 2 * count; }
  std::size_t scratch_floats(std::size_t count, std::size_t height, std::size_t width) const;
  // Multiplications of a transform, either way.
  std::size_t products(std::size_t count, std::size_t height, std::size_t width) const {
    return count * height * 2 * bins_ * (width + 2 * row_bins_);
  }

  // images (count, height, width) -> spectrum
  void forward(std::size_t count, std::size_t height, std::size_t width, Turn row_turn,
               Turn column_turn, const float* images, float* spectrum, float* scratch) const;
  // spectrum -> the first height x width of each image, written or added.
  void backward(std::size_t count, std::size_t height, std::size_t width, std::ptrdiff_t first_row,
                std::ptrdiff_t first_column, const float* spectrum, bool accumulate, float* images,
                float* scratch) const;

 private:
  // Whether another frequency of the rows has the same bin: all but the first, and the middle one
  // of an even number.
  bool has_mirror(std::size_t row_bin) const { return row_bin != 0 && 2 * row_bin != row_size_; }

  // Matrices that all images share, and memory of each worker.
  struct Parts {
    float* column_angles;
    float* row_angles;
    float* columns;  // a transform along the columns as a matrix
    float* rows;     // and one along the rows
    float* between;
  };
  Parts cut(std::size_t height, std::size_t width, float* memory) const;

  // Some images: turned (height * width, count), transformed along the columns (height, 2 bins,
  // count), and along both: cosines and sines of the rows' bins (2 row_bins, 2 bins, count), of
  // which a frequency and the one as far below the last are the sum and the difference.
  struct Some {
    std::size_t first;
    std::size_t count;
    float* turned;
    float* lines;
    float* planes;
  };
  std::size_t between_floats(std::size_t images, std::size_t height, std::size_t width) const;
  std::size_t at_once(std::size_t count, std::size_t height, std::size_t width) const;
  template <typename Body>
  void for_images(std::size_t count, std::size_t height, std::size_t width, const Parts& parts,
                  Body body) const;

  std::size_t row_size_;
  std::size_t column_size_;
  std::size_t row_bins_;
  std::size_t bins_;
  Team team_;
};

}  // namespace pulsecast::kernels
