// Validation over several blocks of the recent past instead of one at the end.
//
// One block tells how a model does in one season of one year. Several, spread evenly over the
// newest third of the rows, tell of more of them at the price of one training: between blocks rows
// are trained on, so that a model also learns from what came after a block. So that nothing it
// learnt from is what it is asked for, no target of training lies inside a block or within a
// horizon of one. The newest block ends where the rows that calibrate ranges begin, as one block
// alone would.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "pulsecast/data/series/row_range.h"
#include "pulsecast/train/reports.h"

namespace pulsecast::train {

struct ValidationBlocks {
  std::vector<RowRange> blocks;  // of targets, the oldest first
  RowRange calibrates;           // newer than all of them; may be empty
  std::vector<RowRange> trains;  // runs of rows that targets of training lie in

  const RowRange& newest() const { return blocks.back(); }
  // Of windows that are forecast, where no row lacks a value.
  std::size_t origins(std::size_t horizon) const;
  // The same of those to learn from, 1 at least.
  std::size_t training_windows(std::size_t lookback, std::size_t horizon) const;
};

// As many blocks as `wanted`, or fewer where the rows do not allow them: together they have as many
// rows as one would, each at least a horizon, and with what is kept clear they take no more than a
// fifth of the rows before. None where not even two are possible. `train` and `validation` are as
// for one block, of which `calibration` is the share that calibrates ranges.
std::optional<ValidationBlocks> spread_blocks(RowRange train, RowRange validation,
                                              double calibration, std::size_t horizon,
                                              std::size_t wanted);

// What is said of them.
Decision decision_of(const ValidationBlocks& spread, std::size_t horizon, std::size_t wanted);

}  // namespace pulsecast::train
