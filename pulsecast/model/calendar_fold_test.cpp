#include "pulsecast/model/calendar_fold.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "pulsecast/base/random.h"

namespace pulsecast::model {
namespace {

std::vector<float> random_floats(std::size_t count, std::uint64_t salt) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(random::normal({.seed = salt}, i));
  }
  return values;
}

StepPattern pattern_of(const std::vector<float>& features, std::size_t width) {
  StepPattern pattern;
  PatternFinder(features.size() / width, width).find(features.data(), pattern);
  return pattern;
}

// Hour of day and, on request, day of week of `steps` steps of so many minutes.
std::vector<float> calendar(std::size_t steps, std::size_t minutes, std::size_t first_minute,
                            bool with_days) {
  std::vector<float> features;
  for (std::size_t s = 0; s < steps; ++s) {
    const std::size_t minute = first_minute + s * minutes;
    features.push_back(static_cast<float>(minute / 60 % 24));
    if (with_days) features.push_back(static_cast<float>(minute / 1440 % 7));
  }
  return features;
}

TEST(PatternFinder, HourlyStepsComeRoundAfterADay) {
  const StepPattern pattern = pattern_of(calendar(720, 60, 300, false), 1);
  EXPECT_EQ(pattern.period, 24U);
  EXPECT_EQ(pattern.classes, 24U);
}

TEST(PatternFinder, StepsWithinAnHourAreAlike) {
  const StepPattern pattern = pattern_of(calendar(96, 10, 20, true), 2);
  EXPECT_EQ(pattern.period, 96U);
  EXPECT_EQ(pattern.classes, 17U);
  EXPECT_EQ(std::vector<std::uint16_t>(pattern.labels.begin(), pattern.labels.begin() + 6),
            (std::vector<std::uint16_t>{0, 0, 0, 0, 1, 1}));
}

TEST(PatternFinder, BothAtOnce) {
  const StepPattern pattern = pattern_of(calendar(720, 10, 0, false), 1);
  EXPECT_EQ(pattern.period, 144U);
  EXPECT_EQ(pattern.classes, 24U);
}

TEST(PatternFinder, ThereAreAsManyPatternsAsStepsAnHour) {
  std::set<std::vector<std::uint16_t>> labels;
  for (std::size_t first = 0; first < 7 * 1440; first += 10) {
    labels.insert(pattern_of(calendar(96, 10, first, true), 2).labels);
  }
  EXPECT_EQ(labels.size(), 6U);
}

TEST(PatternFinder, NoStepsAlike) {
  const StepPattern pattern = pattern_of(random_floats(50 * 3, 1), 3);
  EXPECT_EQ(pattern.period, 50U);
  EXPECT_EQ(pattern.classes, 50U);
}

TEST(PatternFinder, AllStepsAlikeAndBothZeros) {
  const StepPattern pattern = pattern_of({0.0f, -0.0f, 0.0f, -0.0f, 0.0f}, 1);
  EXPECT_EQ(pattern.period, 1U);
  EXPECT_EQ(pattern.classes, 1U);
}

TEST(PatternFinder, LabelsAreTheSameExactlyWhereFeaturesAre) {
  constexpr std::size_t kSteps = 200, kWidth = 2;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    std::vector<float> features(kSteps * kWidth);
    for (std::size_t i = 0; i < features.size(); ++i) {
      features[i] = std::floor(4.0f * static_cast<float>(random::uniform({.seed = seed}, i)));
    }
    const StepPattern pattern = pattern_of(features, kWidth);
    const auto label = [&](std::size_t s) { return pattern.labels[s % pattern.period]; };
    for (std::size_t a = 0; a < kSteps; ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool are_alike =
            features[2 * a] == features[2 * b] && features[2 * a + 1] == features[2 * b + 1];
        ASSERT_EQ(label(a) == label(b), are_alike) << "steps " << a << " and " << b;
      }
    }
  }
}

// Folding sums the weights of each class; unfolding gives every step its class's gradient.
TEST(CalendarFold, SumsAndRepeats) {
  constexpr std::size_t kSteps = 288, kOut = 5, kKernel = 3;
  const std::vector<StepPattern> patterns = {
      pattern_of(calendar(kSteps, 10, 0, false), 1), pattern_of(calendar(kSteps, 10, 30, false), 1),
      pattern_of(calendar(kSteps, 60, 0, false), 1), pattern_of(calendar(kSteps, 10, 0, true), 2)};
  const std::vector<float> weight = random_floats(kOut * kSteps * kKernel, 1);
  std::vector<const StepPattern*> pointers;
  std::vector<std::vector<float>> folded;
  for (const StepPattern& pattern : patterns) {
    pointers.push_back(&pattern);
    folded.emplace_back(kOut * pattern.classes * kKernel);
  }
  std::vector<float*> to;
  for (std::vector<float>& one : folded) to.push_back(one.data());
  std::vector<float> scratch(kSteps * kKernel);
  fold_weight(weight.data(), 0, 2, kSteps, kKernel, pointers, to, scratch.data());
  fold_weight(weight.data(), 2, kOut, kSteps, kKernel, pointers, to, scratch.data());

  std::vector<double> repeated(weight.size());
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    std::vector<double> sums(folded[p].size());
    for (std::size_t o = 0; o < kOut; ++o) {
      for (std::size_t s = 0; s < kSteps; ++s) {
        const std::size_t label = patterns[p].labels[s % patterns[p].period];
        for (std::size_t j = 0; j < kKernel; ++j) {
          const std::size_t at = (o * patterns[p].classes + label) * kKernel + j;
          sums[at] += weight[(o * kSteps + s) * kKernel + j];
          repeated[(o * kSteps + s) * kKernel + j] += folded[p][at];
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) ASSERT_NEAR(folded[p][i], sums[i], 1e-4);
  }
  std::vector<float> gradient(weight.size());
  const std::vector<const float*> from(to.begin(), to.end());
  add_unfolded(from, 0, 3, kSteps, kKernel, pointers, gradient.data(), scratch.data());
  add_unfolded(from, 3, kOut, kSteps, kKernel, pointers, gradient.data(), scratch.data());
  for (std::size_t i = 0; i < gradient.size(); ++i) ASSERT_NEAR(gradient[i], repeated[i], 1e-4);
}

}  // namespace
}  // namespace pulsecast::model
