#include "pulsecast/search/blend.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

namespace pulsecast::search {
namespace {

// products[i][j]: the mean product of residuals i and j.
std::vector<std::vector<double>> mean_products(std::span<const std::span<const float>> residuals) {
  const std::size_t n = residuals.size();
  std::vector<std::vector<double>> products(n, std::vector<double>(n));
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      // Several sums, so that the additions do not wait for each other.
      constexpr std::size_t kSums = 8;
      double sums[kSums] = {};
      const std::size_t values = residuals[i].size();
      for (std::size_t v = 0; v < values; ++v) {
        sums[v % kSums] +=
            static_cast<double>(residuals[i][v]) * static_cast<double>(residuals[j][v]);
      }
      products[i][j] = products[j][i] =
          std::accumulate(sums, sums + kSums, 0.0) / static_cast<double>(values);
    }
  }
  return products;
}

// Least squares on the simplex, over the forecasts that are `allowed`: share is moved from the one
// whose share costs most to the one that would gain most, by as much as pays, until nothing does.
std::vector<double> least_squares(const std::vector<std::vector<double>>& products,
                                  const std::vector<bool>& allowed) {
  const std::size_t n = products.size();
  std::size_t best = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (allowed[i] && (best == n || products[i][i] < products[best][best])) best = i;
  }
  std::vector<double> shares(n, 0.0);
  shares[best] = 1.0;
  constexpr int kMostMoves = 10'000;
  for (int move = 0; move < kMostMoves; ++move) {
    std::size_t to = n;
    std::size_t from = n;
    std::vector<double> cost(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      if (!allowed[i]) continue;
      for (std::size_t j = 0; j < n; ++j) cost[i] += products[i][j] * shares[j];
      if (to == n || cost[i] < cost[to]) to = i;
      if (shares[i] > 0.0 && (from == n || cost[i] > cost[from])) from = i;
    }
    const double gain = cost[from] - cost[to];
    if (!(gain > 1e-9 * products[best][best])) break;
    const double curvature = products[to][to] + products[from][from] - 2.0 * products[to][from];
    const double amount = curvature > 0.0 ? std::min(shares[from], gain / curvature) : shares[from];
    shares[to] += amount;
    shares[from] -= amount;
  }
  return shares;
}

}  // namespace

std::vector<double> blend_shares(std::span<const std::span<const float>> residuals, double least) {
  return blend_of(mean_products(residuals), least);
}

std::vector<double> blend_of(const std::vector<std::vector<double>>& products, double least) {
  std::vector<bool> allowed(products.size(), true);
  for (;;) {
    std::vector<double> shares = least_squares(products, allowed);
    // The smallest goes first: the others share what it had.
    std::size_t smallest = shares.size();
    for (std::size_t i = 0; i < shares.size(); ++i) {
      if (shares[i] > 0.0 && shares[i] < least &&
          (smallest == shares.size() || shares[i] < shares[smallest])) {
        smallest = i;
      }
    }
    if (smallest == shares.size()) {
      const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
      for (double& share : shares) share /= sum;
      return shares;
    }
    allowed[smallest] = false;
  }
}

std::vector<double> even_shares(std::span<const double> errors, std::span<const std::size_t> kinds,
                                double farthest) {
  const double most = farthest * *std::ranges::min_element(errors);
  std::map<std::size_t, std::size_t> best;  // of a kind
  for (std::size_t i = 0; i < errors.size(); ++i) {
    if (!(errors[i] <= most)) continue;
    const auto own = best.try_emplace(kinds[i], i).first;
    if (errors[i] < errors[own->second]) own->second = i;
  }
  std::vector<double> shares(errors.size(), 0.0);
  for (const auto& [kind, index] : best) shares[index] = 1.0 / static_cast<double>(best.size());
  return shares;
}

}  // namespace pulsecast::search
