// Matrix products of the shapes of a training step, one thread, beside MKL through PyTorch: as this
// machine's vectors do them, and with AVX2 where it has wider ones.
//
// Ours are given both factors as they lie, and pack what they want packed inside the measured time,
// as MKL does; with packed weights, as a step has them, they are a little faster still.

#include <hwy/highway.h>
#include <hwy/targets.h>

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <vector>

#include "bench/peer.h"
#include "bench/report.h"
#include "bench/timing.h"
#include "pulsecast/kernels/products/matrix_product.h"

namespace pulsecast::bench {
namespace {

struct Sizes {
  std::size_t m, k, n;
};
// Both layers of the mlp and a gradient of theirs at H=96, its second layer at H=720, the router.
constexpr Sizes kProducts[] = {
    {224, 96, 512}, {224, 512, 96}, {512, 224, 96}, {231, 720, 512}, {1344, 32, 64}};

std::vector<float> values(std::size_t count) {
  std::vector<float> all(count);
  for (std::size_t i = 0; i < count; ++i) all[i] = 0.5f * std::sin(static_cast<float>(i % 10007));
  return all;
}

Row measure(const Sizes& s, std::int64_t target, Peer& peer, int rounds) {
  const std::vector<float> a = values(s.m * s.k), b = values(s.k * s.n);
  std::vector<float> c(s.m * s.n);
  const double gflop = 2e-9 * static_cast<double>(s.m * s.k * s.n);
  const int repeats = std::max(1, static_cast<int>(1.0 / gflop));  // some milliseconds
  std::vector<double> ours, theirs;
  for (int round = 0; round < rounds; ++round) {
    hwy::SetSupportedTargetsForTest(target);
    const double seconds = seconds_of([&] {
      for (int i = 0; i < repeats; ++i) {
        kernels::matrix_product(s.m, s.n, s.k, {a.data(), s.k}, {b.data(), s.n},
                                {.data = c.data(), .stride = s.n});
      }
    });
    hwy::SetSupportedTargetsForTest(0);
    ours.push_back(seconds / repeats);
    const auto peer_seconds = peer.seconds(fmt::format("{}_{}_{}_1", s.m, s.k, s.n), repeats);
    if (peer_seconds) theirs.push_back(*peer_seconds);
  }
  Row row;
  row.name = fmt::format("{} x {} x {}, {}", s.m, s.k, s.n,
                         target == 0 ? "widest vectors" : hwy::TargetName(target));
  row.gflop = gflop;
  row.ours = summarise(ours);
  row.bar = "0.85x";
  if (theirs.size() == ours.size()) {
    row.peer = summarise(theirs);
    row.ratio_to_peer = summarise_ratios(theirs, ours);
  }
  return row;
}

}  // namespace
}  // namespace pulsecast::bench

int main(int argc, char** argv) {
  using namespace pulsecast::bench;
  const Arguments arguments =
      parse_arguments(argc, argv, "Matrix products, one thread, beside MKL through PyTorch.");
  Peer peer(arguments.peer, "torch_products.py");
  std::vector<std::int64_t> targets = {0};
  if (HWY_AVX2 > (hwy::SupportedTargets() & -hwy::SupportedTargets())) targets.push_back(HWY_AVX2);
  std::vector<Row> rows;
  for (const std::int64_t target : targets) {
    for (const Sizes& sizes : kProducts) {
      rows.push_back(measure(sizes, target, peer, arguments.rounds));
    }
  }
  print(arguments, "matrix products (m x k x n), one thread", peer.description(), rows);
}
