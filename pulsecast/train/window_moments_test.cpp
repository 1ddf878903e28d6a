#include "pulsecast/train/window_moments.h"

#include <gtest/gtest.h>

#include "pulsecast/base/random.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kHistory = 9;
constexpr std::size_t kFuture = 4;
constexpr std::size_t kWindows = 50;

std::vector<float> walk() {
  std::vector<float> values(kWindows + kHistory + kFuture - 1);
  float level = 0.0f;
  for (std::size_t i = 0; i < values.size(); ++i) {
    level += static_cast<float>(random::normal(random::Stream{.seed = 5}, i));
    values[i] = level;
  }
  return values;
}

// The same windows one by one.
WindowMoments by_rows(const std::vector<float>& values, ThreadPool& pool) {
  std::vector<float> x;
  std::vector<float> y;
  for (std::size_t window = 0; window < kWindows; ++window) {
    const float* first = values.data() + window;
    double sum = 0.0;
    for (std::size_t t = 0; t < kHistory; ++t) sum += static_cast<double>(first[t]);
    const auto mean = static_cast<float>(sum / static_cast<double>(kHistory));
    for (std::size_t t = 0; t < kHistory; ++t) x.push_back(first[t] - mean);
    for (std::size_t h = 0; h < kFuture; ++h) y.push_back(first[kHistory + h] - mean);
  }
  WindowMoments moments(kHistory, kFuture);
  moments.add_rows(kWindows, kWindows, x.data(), y.data(), pool);
  moments.centre();
  return moments;
}

TEST(WindowMoments, ARunHasTheMomentsOfItsWindows) {
  ThreadPool pool(1);
  const std::vector<float> values = walk();
  WindowMoments run(kHistory, kFuture);
  run.add_run(kWindows, values);
  run.centre();
  const WindowMoments rows = by_rows(values, pool);
  EXPECT_EQ(run.rows(), rows.rows());
  const LinearMap found = run.solve(0.01);
  const LinearMap expected = rows.solve(0.01);
  for (std::size_t i = 0; i < found.weights.size(); ++i) {
    EXPECT_NEAR(found.weights[i], expected.weights[i], 1e-4);
  }
  for (std::size_t h = 0; h < kFuture; ++h) {
    EXPECT_NEAR(found.constant[h], expected.constant[h], 1e-4);
  }
  const double error = rows.mean_squared_error(expected);
  EXPECT_NEAR(run.mean_squared_error(expected), error, 1e-4 * error);
}

TEST(WindowMoments, RunsAddUp) {
  const std::vector<float> values = walk();
  WindowMoments whole(kHistory, kFuture);
  whole.add_run(kWindows, values);
  constexpr std::size_t kFirst = 17;
  constexpr std::size_t kMore = kHistory + kFuture - 1;
  WindowMoments parts(kHistory, kFuture);
  parts.add_run(kFirst, std::span(values).first(kFirst + kMore));
  WindowMoments rest(kHistory, kFuture);
  rest.add_run(kWindows - kFirst, std::span(values).subspan(kFirst));
  parts.add(rest);
  whole.centre();
  parts.centre();
  const LinearMap a = whole.solve(0.1);
  const LinearMap b = parts.solve(0.1);
  for (std::size_t i = 0; i < a.weights.size(); ++i) EXPECT_NEAR(a.weights[i], b.weights[i], 1e-9);
}

TEST(WindowMoments, AStrongPullLeavesTheMapItPullsTowards) {
  WindowMoments moments(kHistory, kFuture);
  moments.add_run(kWindows, walk());
  moments.centre();
  LinearMap towards{std::vector<double>(kHistory * kFuture, 0.125), std::vector<double>(kFuture)};
  const LinearMap strong = moments.solve(1e9, &towards);
  for (const double weight : strong.weights) EXPECT_NEAR(weight, 0.125, 1e-6);
  const LinearMap weak = moments.solve(1e-9, &towards);
  EXPECT_LT(moments.mean_squared_error(weak), moments.mean_squared_error(strong));
}

}  // namespace
}  // namespace pulsecast::train
