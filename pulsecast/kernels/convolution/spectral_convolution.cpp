#include "pulsecast/kernels/convolution/spectral_convolution.h"

#include <algorithm>

#include "pulsecast/kernels/convolution/tile_convolution.h"

namespace pulsecast::kernels {

ImageTiles cheapest_tiles(const ConvolutionShape& s) {
  // A tile of fewer results than half a kernel sees mostly what its neighbours see too.
  const auto most_tiles = [](std::size_t out, std::size_t kernel) {
    return std::clamp<std::size_t>(2 * out / kernel, 1, out);
  };
  const std::size_t most_rows = most_tiles(s.out_height(), s.kernel_height);
  const std::size_t most_columns = most_tiles(s.out_width(), s.kernel_width);
  ImageTiles best(s, 1, 1);
  std::size_t least = tile_convolution_cost(best.shape());
  for (std::size_t rows = 1; rows <= most_rows; ++rows) {
    for (std::size_t columns = 1; columns <= most_columns; ++columns) {
      const ImageTiles tiles(s, rows, columns);
      const std::size_t cost = tile_convolution_cost(tiles.shape());
      if (cost < least) {
        best = tiles;
        least = cost;
      }
    }
  }
  return best;
}

bool is_spectral_cheaper(const ImageTiles& tiles) {
  const ConvolutionShape& s = tiles.whole();
  // Measured, in multiplications of large products: a column of the direct way is laid out row by
  // row, and short rows take longer.
  const std::size_t column_element = 4 + 240 / s.out_width();
  const std::size_t columns = s.samples * s.positions() * s.window();
  return tile_convolution_cost(tiles.shape()) < s.products() + column_element * columns;
}

std::size_t spectral_convolution_scratch_floats(const ImageTiles& tiles, const Team& team) {
  const std::size_t own = tile_convolution_scratch_floats(tiles.shape(), team);
  if (tiles.is_whole()) return own;
  return own + 2 * whole_lines(tiles.image_floats()) + whole_lines(tiles.result_floats());
}

void spectral_convolution(const ImageTiles& tiles, const float* x, const float* weight,
                          const float* bias, float* y, float* scratch, const Team& team) {
  if (tiles.is_whole()) return tile_convolution(tiles.whole(), x, weight, bias, y, scratch, team);
  float* images = scratch;
  float* results = images + whole_lines(tiles.image_floats());
  float* rest = results + whole_lines(tiles.result_floats());
  tiles.cut_images(x, images, team);
  tile_convolution(tiles.shape(), images, weight, bias, results, rest, team);
  tiles.join_results(results, y, team);
}

void spectral_convolution_backward(const ImageTiles& tiles, const float* x, const float* weight,
                                   const float* grad_y, const ConvolutionGradients& gradients,
                                   float* scratch, const Team& team) {
  if (tiles.is_whole())
    return tile_convolution_backward(tiles.whole(), x, weight, grad_y, gradients, scratch, team);
  float* images = scratch;
  float* results = images + whole_lines(tiles.image_floats());
  float* grad_images = results + whole_lines(tiles.result_floats());
  float* rest = grad_images + whole_lines(tiles.image_floats());
  if (gradients.weight.data != nullptr) tiles.cut_images(x, images, team);
  tiles.cut_results(grad_y, results, team);
  ConvolutionGradients inner = gradients;
  if (gradients.x.data != nullptr) inner.x = {grad_images, false};
  tile_convolution_backward(tiles.shape(), images, weight, results, inner, rest, team);
  if (gradients.x.data != nullptr) {
    tiles.sum_images(grad_images, gradients.x.accumulate, gradients.x.data, team);
  }
}

}  // namespace pulsecast::kernels
