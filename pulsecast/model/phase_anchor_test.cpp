#include "pulsecast/model/phase_anchor.h"

#include <gtest/gtest.h>

namespace pulsecast::model {
namespace {

// The mathematical modulo, in [0, divisor).
std::int64_t mod(std::int64_t value, std::int64_t divisor) {
  return ((value % divisor) + divisor) % divisor;
}

std::vector<std::uint32_t> rows_of(CodebookOrder order, std::int64_t p, std::int64_t T,
                                   std::int64_t L, std::int64_t W) {
  ModelShape shape;
  shape.lookback = static_cast<std::size_t>(T);
  shape.codebook_rows = static_cast<std::size_t>(L);
  shape.period = static_cast<std::size_t>(W);
  shape.codebook_order = order;
  std::vector<std::uint32_t> rows(shape.lookback);
  codebook_rows(shape, static_cast<std::int32_t>(p), rows.data());
  return rows;
}

template <typename Check>
void for_many_shapes(Check check) {
  for (const std::int64_t W : {1, 2, 7, 24, 25, 96}) {
    for (const std::int64_t L : {1, 2, 5, 24, 32, 97}) {
      for (const std::int64_t T : {2, 3, 24, 97, 200}) {
        for (std::int64_t p = 0; p<W; p += W> 30 ? 5 : 1) check(p, T, L, W);
      }
    }
  }
}

TEST(PhaseAnchor, ReferenceOrderRunsBackwards) {
  for_many_shapes([](std::int64_t p, std::int64_t T, std::int64_t L, std::int64_t W) {
    const auto rows = rows_of(CodebookOrder::kReference, p, T, L, W);
    for (std::int64_t j = 0; j < T; ++j) {
      ASSERT_EQ(rows[static_cast<std::size_t>(j)], mod(p - j, L))
          << "p " << p << " T " << T << " L " << L << " W " << W << " j " << j;
    }
  });
}

TEST(PhaseAnchor, CalendarOrderFollowsThePhase) {
  for_many_shapes([](std::int64_t p, std::int64_t T, std::int64_t L, std::int64_t W) {
    const auto rows = rows_of(CodebookOrder::kCalendar, p, T, L, W);
    for (std::int64_t i = 0; i < T; ++i) {  // steps before the window's last
      ASSERT_EQ(rows[static_cast<std::size_t>(T - 1 - i)], mod(mod(p - 1 - i, W), L))
          << "p " << p << " T " << T << " L " << L << " W " << W << " i " << i;
    }
  });
}

// In calendar order a step of the series reads the same row in every window that holds it.
TEST(PhaseAnchor, CalendarOrderDoesNotMoveWithTheWindow) {
  const auto first = rows_of(CodebookOrder::kCalendar, 3, 20, 5, 24);
  const auto next = rows_of(CodebookOrder::kCalendar, 4, 20, 5, 24);
  for (std::size_t j = 0; j + 1 < 20; ++j) EXPECT_EQ(next[j], first[j + 1]);
  EXPECT_NE(rows_of(CodebookOrder::kReference, 3, 20, 5, 24)[1],
            rows_of(CodebookOrder::kReference, 4, 20, 5, 24)[0]);
}

}  // namespace
}  // namespace pulsecast::model
