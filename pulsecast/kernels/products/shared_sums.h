// Sums down the columns that a team shares: each part sums its rows, and the parts' sums are added
// in their order.
#pragma once

#include <cstddef>

#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::kernels {

// Floats that a part of an elementwise pass has at least: some microseconds of work.
inline constexpr std::size_t kPassGrain = 8192;
// The same in rows.
inline constexpr std::size_t pass_rows(std::size_t width) {
  return (kPassGrain + width - 1) / (width == 0 ? 1 : width);
}

// Floats of scratch that a shared sum of `columns` columns needs.
inline std::size_t shared_sums_scratch_floats(const Team& team, std::size_t rows,
                                              std::size_t columns) {
  return team.parts(rows, pass_rows(columns)) * columns;
}

// sums (columns) of rows (rows, columns). body(part, to) puts the sums of the part's rows; with one
// part it puts them at once where they are wanted.
template <typename Body>
void shared_sums(const Team& team, std::size_t rows, std::size_t columns, Gradient sums,
                 float* scratch, Body body);

// sums = column sums of x (rows, columns).
void shared_column_sums(const Team& team, std::size_t rows, std::size_t columns, const float* x,
                        Gradient sums, float* scratch);

// Adds up partial sums (parts, columns).
void add_partial_sums(std::size_t parts, std::size_t columns, const float* partial, Gradient sums);

template <typename Body>
void shared_sums(const Team& team, std::size_t rows, std::size_t columns, Gradient sums,
                 float* scratch, Body body) {
  const std::size_t parts = team.parts(rows, pass_rows(columns));
  if (parts == 1) {
    body(Team::Part{0, 0, 0, rows}, sums);
    return;
  }
  team.run(parts, rows, [&](const Team::Part& part) {
    body(part, Gradient{scratch + part.index * columns, false});
  });
  add_partial_sums(parts, columns, scratch, sums);
}

}  // namespace pulsecast::kernels
