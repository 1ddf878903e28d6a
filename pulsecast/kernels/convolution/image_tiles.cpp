#include "pulsecast/kernels/convolution/image_tiles.h"

#include <algorithm>

#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::kernels {

ImageTiles::Side ImageTiles::side_of(std::size_t out, std::size_t kernel, std::size_t pad,
                                     std::size_t length, std::size_t tiles) {
  if (tiles == 1) return {1, out, 0, length};
  const std::size_t step = (out + tiles - 1) / tiles;
  return {(out + step - 1) / step, step, pad, step + kernel - 1};
}

ImageTiles::ImageTiles(const ConvolutionShape& whole, std::size_t rows, std::size_t columns)
    : whole_(whole),
      rows_(side_of(whole.out_height(), whole.kernel_height, whole.pad_height, whole.height, rows)),
      columns_(
          side_of(whole.out_width(), whole.kernel_width, whole.pad_width, whole.width, columns)),
      shape_(whole) {
  shape_.samples *= rows_.tiles * columns_.tiles;
  shape_.height = rows_.length;
  shape_.width = columns_.length;
  if (rows_.tiles > 1) shape_.pad_height = 0;
  if (columns_.tiles > 1) shape_.pad_width = 0;
}

std::size_t ImageTiles::image_floats() const {
  return shape_.samples * shape_.in * shape_.height * shape_.width;
}
std::size_t ImageTiles::result_floats() const {
  return shape_.samples * shape_.out * shape_.positions();
}

ImageTiles::Plane ImageTiles::images() const {
  return {whole_.in,
          {whole_.height, rows_.length, rows_.step, rows_.before},
          {whole_.width, columns_.length, columns_.step, columns_.before}};
}
ImageTiles::Plane ImageTiles::results() const {
  return {whole_.out,
          {whole_.out_height(), rows_.step, rows_.step, 0},
          {whole_.out_width(), columns_.step, columns_.step, 0}};
}

// row(its place in the tiles, its place in the whole, steps before the whole begins, steps on it)
// for each row of each tile; a row off the whole has no step on it. All of a sample are of one
// part.
template <typename Row>
void ImageTiles::for_rows(const Plane& plane, const Team& team, Row row) const {
  const std::size_t channels = plane.channels;
  const Extent& rows = plane.rows;
  const Extent& columns = plane.columns;
  const std::size_t tile_floats = rows.tile * columns.tile;
  const std::size_t sample_floats = rows_.tiles * columns_.tiles * channels * tile_floats;
  const auto channel_rows = [&](std::size_t tile, std::size_t whole, std::size_t tile_row,
                                std::size_t tile_column) {
    const std::size_t left = tile_column * columns.step;
    const std::size_t skipped = left < columns.before ? columns.before - left : 0;
    const std::size_t first = left + skipped - columns.before;
    const std::size_t on =
        first < columns.whole ? std::min(columns.tile - skipped, columns.whole - first) : 0;
    for (std::size_t i = 0; i < rows.tile; ++i) {
      const std::size_t y = tile_row * rows.step + i;
      const bool is_on = y >= rows.before && y - rows.before < rows.whole;
      row(tile + i * columns.tile, is_on ? whole + (y - rows.before) * columns.whole + first : 0,
          skipped, is_on ? on : 0);
    }
  };
  team.split(whole_.samples, pass_rows(sample_floats), [&](const Team::Part& part) {
    for (std::size_t sample = part.first; sample < part.first + part.count; ++sample) {
      std::size_t tile = sample * sample_floats;
      for (std::size_t tile_row = 0; tile_row < rows_.tiles; ++tile_row) {
        for (std::size_t tile_column = 0; tile_column < columns_.tiles; ++tile_column) {
          for (std::size_t channel = 0; channel < channels; ++channel, tile += tile_floats) {
            const std::size_t whole = (sample * channels + channel) * rows.whole * columns.whole;
            channel_rows(tile, whole, tile_row, tile_column);
          }
        }
      }
    }
  });
}

void ImageTiles::cut(const Plane& plane, const float* from, float* to, const Team& team) const {
  const std::size_t width = plane.columns.tile;
  for_rows(plane, team,
           [&](std::size_t tile, std::size_t whole, std::size_t skipped, std::size_t on) {
             float* row = to + tile;
             if (on < width) std::fill_n(row, width, 0.0f);
             for (std::size_t i = 0; i < on; ++i) row[skipped + i] = from[whole + i];
           });
}

void ImageTiles::cut_images(const float* from, float* tiles, const Team& team) const {
  cut(images(), from, tiles, team);
}

void ImageTiles::cut_results(const float* from, float* tiles, const Team& team) const {
  cut(results(), from, tiles, team);
}

void ImageTiles::join_results(const float* tiles, float* to, const Team& team) const {
  for_rows(results(), team,
           [&](std::size_t tile, std::size_t whole, std::size_t skipped, std::size_t on) {
             for (std::size_t i = 0; i < on; ++i) to[whole + i] = tiles[tile + skipped + i];
           });
}

void ImageTiles::sum_images(const float* tiles, bool accumulate, float* to,
                            const Team& team) const {
  if (!accumulate) {
    std::fill_n(to, whole_.samples * whole_.in * whole_.height * whole_.width, 0.0f);
  }
  for_rows(images(), team,
           [&](std::size_t tile, std::size_t whole, std::size_t skipped, std::size_t on) {
             for (std::size_t i = 0; i < on; ++i) to[whole + i] += tiles[tile + skipped + i];
           });
}

}  // namespace pulsecast::kernels
