// A convolution cut into tiles that overlap: a transform along a side of some hundred steps takes
// several times as many products as those of its tiles.
//
// A tile is so many results on a side, and of the image what they see: their steps and a kernel
// less one more. Sides that are not cut keep their padding; where one is cut, the tiles bring it
// along.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/convolution/convolution_shape.h"

namespace pulsecast::kernels {

class ImageTiles {
 public:
  // Into so many rows and columns of tiles, 1 for a side that is not to be cut; at most the results
  // on that side.
  ImageTiles(const ConvolutionShape& whole, std::size_t rows, std::size_t columns);

  bool is_whole() const { return rows_.tiles * columns_.tiles == 1; }
  const ConvolutionShape& whole() const { return whole_; }
  // The convolution of all tiles, which are its samples.
  const ConvolutionShape& shape() const { return shape_; }
  std::size_t image_floats() const;
  std::size_t result_floats() const;

  // (samples, in, height, width) -> its tiles, with zeros beyond the edges
  void cut_images(const float* images, float* tiles, const Team& team) const;
  // The same of results, which do not overlap.
  void cut_results(const float* results, float* tiles, const Team& team) const;
  void join_results(const float* tiles, float* results, const Team& team) const;
  // What tiles share is summed; written or added.
  void sum_images(const float* tiles, bool accumulate, float* images, const Team& team) const;

 private:
  struct Side {
    std::size_t tiles;
    std::size_t step;    // results of a tile, and steps from one to the next
    std::size_t before;  // steps of the first tile before the image
    std::size_t length;  // of a tile of the image
  };
  static Side side_of(std::size_t out, std::size_t kernel, std::size_t pad, std::size_t length,
                      std::size_t tiles);
  // Of the whole and of a tile, on one side: images or results.
  struct Extent {
    std::size_t whole;
    std::size_t tile;
    std::size_t step;
    std::size_t before;
  };
  struct Plane {
    std::size_t channels;
    Extent rows;
    Extent columns;
  };
  Plane images() const;
  Plane results() const;
  template <typename Row>
  void for_rows(const Plane& plane, const Team& team, Row row) const;
  void cut(const Plane& plane, const float* from, float* to, const Team& team) const;

  ConvolutionShape whole_;
  Side rows_;
  Side columns_;
  ConvolutionShape shape_;
};

}  // namespace pulsecast::kernels
