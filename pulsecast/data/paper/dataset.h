// The datasets of the paper: what their files hold, how they are split, how to know them.
//
// Shapes and steps are those of the files as they are passed around, which may be longer than what
// a protocol uses (ETTh1 has 17420 rows, its split takes 14400). Checksums are of the uncompressed
// file, and are here for the files that we could measure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pulsecast/data/series/split.h"

namespace pulsecast {

// How the paper's protocol cuts a dataset.
enum class Protocol {
  kCounts,       // fixed numbers of rows, in `Dataset::counts`
  kSevenOneTwo,  // floor(0.7 n) train, floor(0.2 n) test, validation the rest
  kSixTwoTwo,    // floor(0.6 n) train, floor(0.2 n) test, validation the rest
};

struct Dataset {
  struct Counts {
    std::size_t train = 0;
    std::size_t validation = 0;
    std::size_t test = 0;
  };

  std::string_view name;
  std::string_view file;  // usual name, without .gz
  std::size_t rows;       // 0 where the paper does not say
  std::size_t channels;
  std::string_view step;
  Protocol protocol;
  std::int32_t period;      // W in the paper; 0 where it gives none and autocorrelation finds it
  std::string_view start;   // first stamp of files that hold none, else empty
  std::string_view sha256;  // hexadecimal, or empty where it was not measured
  std::string_view from;    // who published it
  Counts counts = {};
};

// All 18, as the paper lists them.
std::span<const Dataset> datasets();

// By name, without case; null where there is none.
const Dataset* find_dataset(std::string_view name);

// The protocol's split of a file with that many rows. Throws Error(kData) when they are too few.
Split protocol_split(const Dataset& dataset, std::size_t rows);

// Rows of a file with that many of which the paper measures the mismatch of histories and futures:
// those of training, of ETTm only the first 8640.
RowRange mismatch_rows(const Dataset& dataset, std::size_t rows);

// "8640,2880,2880" or "0.7,0.1,0.2": the split as the setting takes it.
std::string protocol_text(const Dataset& dataset);

}  // namespace pulsecast
