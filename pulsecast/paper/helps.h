// What helps when: by how much each part of PULSE lowers the error, beside how far the futures of a
// file lie from their histories.
//
// A cell is a dataset at a horizon. The gain of a part is the per cent by which the test MSE is
// higher without it, over the seeds that both have.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pulsecast/evaluate/mismatch.h"
#include "pulsecast/paper/document.h"

namespace pulsecast::paper {

using CellName = std::pair<std::string, std::int64_t>;  // dataset and horizon

struct Gain {
  std::string part;  // "phase anchor"
  CellName cell;
  std::size_t seeds = 0;
  double percent = 0.0;
};

struct HelpsEvidence {
  std::vector<CellName> cells;
  std::map<CellName, Mismatch> mismatches;
  std::vector<Gain> gains;
};

// The parts that are asked about, in the order of columns.
std::vector<std::string> helping_parts();

// Tables of gains and of their rank correlation with each mismatch, what they say and what is
// missing.
void add_helps(const HelpsEvidence& evidence, std::vector<Block>& out);

// Spearman's, ties sharing their mean rank; NaN of fewer than three pairs or where one side does
// not vary.
double rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace pulsecast::paper
