// Columns that are plain pointers of the caller's.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "pulsecast/data/readers/typed_column.h"

namespace pulsecast::c {

// `stride` elements from one value to the next.
std::unique_ptr<TypedColumn> plain_column(std::string name, const double* values, std::size_t count,
                                          std::size_t stride);
std::unique_ptr<TypedColumn> plain_column(std::string name, const float* values, std::size_t count,
                                          std::size_t stride);

// Milliseconds; without a zone what a wall clock shows.
std::unique_ptr<TypedColumn> plain_stamps(std::string name, const std::int64_t* milliseconds,
                                          std::size_t count, std::optional<Zone> zone);

// Of each row the number of its label, -1 where there is none. Throws Error(kData) where there is
// no such label.
std::unique_ptr<TypedColumn> plain_labels(std::string name, const std::int32_t* codes,
                                          std::size_t count, std::vector<std::string> labels);

}  // namespace pulsecast::c
