#include "pulsecast/train/validation_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "pulsecast/base/counted.h"
#include "pulsecast/train/calibration_split.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kRecentPart = 3;  // a third of the rows
constexpr std::size_t kMostPart = 5;    // a fifth of them, with what is kept clear

// `rows` without what is within `clear` rows of a block.
std::vector<RowRange> between(RowRange rows, std::span<const RowRange> blocks, std::size_t clear) {
  std::vector<RowRange> runs;
  std::size_t begin = rows.begin;
  for (const RowRange& block : blocks) {
    if (block.begin > begin + clear) runs.push_back({begin, block.begin - clear});
    begin = block.end + clear;
  }
  return runs;
}

}  // namespace

std::size_t ValidationBlocks::origins(std::size_t horizon) const {
  std::size_t count = 0;
  for (const RowRange& block : blocks) count += block.size() - horizon + 1;
  return count;
}

std::size_t ValidationBlocks::training_windows(std::size_t lookback, std::size_t horizon) const {
  std::size_t count = 0;
  for (const RowRange& run : trains) {
    // A history may reach over the blocks, but not before the first row.
    const std::size_t before = std::min(lookback, run.begin - trains.front().begin);
    const std::size_t rows = run.size() + before;
    if (rows >= lookback + horizon) count += rows - lookback - horizon + 1;
  }
  return std::max<std::size_t>(1, count);
}

std::optional<ValidationBlocks> spread_blocks(RowRange train, RowRange validation,
                                              double calibration, std::size_t horizon,
                                              std::size_t wanted) {
  const CalibrationSplit one = split_for_calibration(validation, calibration, horizon);
  if (one.stops.size() < horizon) return std::nullopt;
  const RowRange rows{train.begin, one.stops.end};
  for (std::size_t count = wanted; count >= 2; --count) {
    const std::size_t size = std::max(one.stops.size() / count, horizon);
    if (count * (size + 2 * horizon) > rows.size() / kMostPart) continue;
    const std::size_t apart = rows.size() / kRecentPart / count;
    ValidationBlocks found;
    for (std::size_t i = count; i-- > 0;) {
      const std::size_t end = rows.end - i * apart;
      found.blocks.push_back({end - size, end});
    }
    found.calibrates = one.calibrates;
    found.trains = between(rows, found.blocks, horizon);
    return found;
  }
  return std::nullopt;
}

Decision decision_of(const ValidationBlocks& spread, std::size_t horizon, std::size_t wanted) {
  return {"validation-blocks", std::to_string(spread.blocks.size()),
          fmt::format("{} in runs of {}, one every {} rows; no target that trains is within {} of "
                      "one{}",
                      counted(spread.origins(horizon), "origin"),
                      counted(spread.newest().size(), "row"),
                      spread.blocks[1].begin - spread.blocks[0].begin, horizon,
                      spread.blocks.size() < wanted ? "; the rows allow no more" : "")};
}

}  // namespace pulsecast::train
