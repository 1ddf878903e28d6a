#include "pulsecast/model/phase_anchor.h"

namespace pulsecast::model {
namespace {

std::int64_t modulo(std::int64_t value, std::int64_t divisor) {
  const std::int64_t rest = value % divisor;
  return rest < 0 ? rest + divisor : rest;
}

}  // namespace

void codebook_rows(const ModelShape& shape, std::int32_t p, std::uint32_t* rows) {
  const auto T = static_cast<std::int64_t>(shape.lookback);
  const auto L = static_cast<std::int64_t>(shape.codebook_rows);
  const auto W = static_cast<std::int64_t>(shape.period);
  // Stepping is many times cheaper than a division a step.
  if (shape.codebook_order == CodebookOrder::kReference) {
    std::int64_t row = modulo(p, L);
    for (std::int64_t j = 0; j < T; ++j) {
      rows[j] = static_cast<std::uint32_t>(row);
      row = row == 0 ? L - 1 : row - 1;
    }
    return;
  }
  std::int64_t phase = modulo(p - T, W);
  std::int64_t row = modulo(phase, L);
  for (std::int64_t j = 0; j < T; ++j) {
    rows[j] = static_cast<std::uint32_t>(row);
    phase = phase + 1 == W ? 0 : phase + 1;
    row = phase == 0 || row + 1 == L ? 0 : row + 1;
  }
}

}  // namespace pulsecast::model
