#include "pulsecast/train/schedule.h"

#include <gtest/gtest.h>

namespace pulsecast::train {
namespace {

void expect_rates(ScheduleKind schedule, const std::vector<double>& rates, double beta1) {
  for (std::uint32_t epoch = 1; epoch <= rates.size(); ++epoch) {
    const kernels::AdamSettings adam = adam_of_epoch(schedule, 0.005, epoch);
    EXPECT_NEAR(adam.learning_rate, rates[epoch - 1], 1e-15) << "epoch " << epoch;
    EXPECT_EQ(adam.beta1, beta1);
    EXPECT_EQ(adam.beta2, 0.999);
    EXPECT_EQ(adam.epsilon, 1e-8);
  }
}

TEST(Schedule, ReferenceIsWhatTheAuthorsRan) {
  expect_rates(ScheduleKind::kReference,
               {0.0002, 0.005, 0.005, 0.005, 0.004, 0.0032, 0.00256, 0.002048}, 0.95);
}

TEST(Schedule, PlainHasNoTraces) {
  expect_rates(ScheduleKind::kPlain, {0.005, 0.005, 0.005, 0.005, 0.004, 0.0032, 0.00256, 0.002048},
               0.9);
}

TEST(Schedule, HalvingBeginsAfterTheSecondEpoch) {
  expect_rates(ScheduleKind::kHalving, {0.005, 0.005, 0.0025, 0.00125, 0.000625}, 0.9);
}

TEST(Schedule, GentleBeginsAfterTheThirdEpoch) {
  expect_rates(ScheduleKind::kGentle, {0.005, 0.005, 0.005, 0.0045, 0.00405}, 0.9);
}

}  // namespace
}  // namespace pulsecast::train
