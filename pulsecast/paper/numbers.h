// What the paper prints, cell by cell, compiled in from numbers/*.csv. The source is its tables, of
// which each line names one (PULSE, ICML 2026).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pulsecast::paper {

// NaN where the paper does not print that error.
struct Errors {
  double mse = 0.0;
  double mae = 0.0;
  double mase = 0.0;
};

struct Cell {
  std::string table;  // "main"; parts.h says what each is
  std::string dataset;
  std::int64_t lookback = 96;
  std::int64_t horizon = 0;  // 0: the mean of 96, 192, 336 and 720
  std::string model;         // as a study names it: "pulse:dlinear"
  std::string setting;       // that differs from the model's own, "router=false", or ""
  Errors paper;
};
const std::vector<Cell>& cells();

// Means over the four horizons; latency and memory are of a graphics card (RTX 4090).
struct CostCell {
  std::string dataset;
  std::string model;
  double mse = 0.0;
  double mae = 0.0;
  double milliseconds = 0.0;
  double gigabytes = 0.0;
};
const std::vector<CostCell>& cost_cells();

struct MismatchCell {
  std::string dataset;
  std::int64_t horizon = 0;
  double mean_shift = 0.0;
  double deviation_shift = 0.0;
  double spectral = 0.0;
};
const std::vector<MismatchCell>& mismatch_cells();

}  // namespace pulsecast::paper
