#include "pulsecast/report/tsne.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"

namespace pulsecast::report {
namespace {

constexpr std::size_t kSize = 12;

// Three heaps, far apart.
std::vector<float> heaps(std::size_t count) {
  std::vector<float> points;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < kSize; ++d) {
      const double middle = d % 3 == i % 3 ? 10.0 : 0.0;
      points.push_back(static_cast<float>(middle + random::normal({.seed = 1}, i * kSize + d)));
    }
  }
  return points;
}

TEST(Tsne, NeighboursStayNeighbours) {
  constexpr std::size_t kCount = 150;
  const std::vector<float> points = heaps(kCount);
  ThreadPool pool(2);
  const PlanePlaces places = tsne(points, kCount, kSize, pool);
  std::size_t own = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    std::size_t nearest = i;
    double least = 1e30;
    for (std::size_t j = 0; j < kCount; ++j) {
      const double distance = std::hypot(places.x[i] - places.x[j], places.y[i] - places.y[j]);
      if (j != i && distance < least) {
        least = distance;
        nearest = j;
      }
    }
    own += nearest % 3 == i % 3 ? 1 : 0;
  }
  EXPECT_EQ(own, kCount) << "the nearest of each is of its own heap";
}

// Windows of a codebook that has learnt little: each phase is as far from every other.
TEST(Tsne, PointsThatAllAreEquallyFarAreNotDrawnIntoOne) {
  constexpr std::size_t kPlaces = 168, kTimes = 3, kCount = kPlaces * kTimes;
  std::vector<float> points(kCount * kPlaces, 0.0f);
  for (std::size_t i = 0; i < kCount; ++i) points[i * kPlaces + i % kPlaces] = 1.0f;
  ThreadPool pool(2);
  const PlanePlaces places = tsne(points, kCount, kPlaces, pool);
  const auto distance = [&](std::size_t i, std::size_t j) {
    return std::hypot(places.x[i] - places.x[j], places.y[i] - places.y[j]);
  };
  double apart = 0.0, together = 0.0;
  for (std::size_t i = 0; i + kPlaces < kCount; ++i) {
    together += distance(i, i + kPlaces);
    apart += distance(i, i + 1);
  }
  EXPECT_GT(apart / static_cast<double>(kCount), 1.0);
  EXPECT_LT(together, 0.3 * apart) << "points that are the same lie together";
}

TEST(Tsne, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<float> points = heaps(100);
  ThreadPool one(1), three(3);
  const PlanePlaces a = tsne(points, 100, kSize, one);
  const PlanePlaces b = tsne(points, 100, kSize, three);
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
}

TEST(Tsne, FewAndEqualPointsAreFinite) {
  ThreadPool pool(1);
  for (const std::size_t count : {0u, 1u, 2u, 3u, 5u}) {
    const std::vector<float> same(count * kSize, 2.0f);
    const PlanePlaces places = tsne(same, count, kSize, pool);
    ASSERT_EQ(places.x.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(std::isfinite(places.x[i]) && std::isfinite(places.y[i])) << count;
    }
  }
}

TEST(Tsne, CanBeCancelled) {
  const std::vector<float> points = heaps(30);
  ThreadPool pool(1);
  TsneOptions options;
  options.watch.is_cancelled = [] { return true; };
  EXPECT_THROW(tsne(points, 30, kSize, pool, options), Error);
}

}  // namespace
}  // namespace pulsecast::report
