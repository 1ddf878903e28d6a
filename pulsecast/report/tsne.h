// Points of many dimensions on a plane, neighbours beside neighbours: t-SNE (van der Maaten and
// Hinton, 2008), exact, the same every time.
//
// It begins at the two principal components, so that no draw is needed and what is far apart stays
// so. Every pair is computed in every round: for the two thousand points of a page that takes a
// second or two, and a tree (Barnes-Hut) would buy little at the price of another approximation.
// Each point's forces are summed by one thread in one order: the result does not depend on how many
// threads there are.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"

namespace pulsecast::report {

struct PlanePlaces {
  std::vector<float> x;  // (points)
  std::vector<float> y;
};

struct TsneOptions {
  double perplexity = 30.0;  // how many neighbours a point is drawn to; less where points are few
  std::size_t rounds = 500;
  Watch watch = {};
};

// points (count, size).
PlanePlaces tsne(std::span<const float> points, std::size_t count, std::size_t size,
                 ThreadPool& pool, const TsneOptions& options = {});

}  // namespace pulsecast::report
