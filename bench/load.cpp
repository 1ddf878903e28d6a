// Loading a model of six million weights, and what the comparison of its checksums takes of that.
//
// Loading computes checksums piece by piece while it copies the bytes, so what they cost is what a
// copy with them takes beyond one without; alone they would also wait for memory.

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/timing.h"
#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/crc32c.h"
#include "pulsecast/base/input_file.h"

namespace pulsecast::bench {
namespace {

artifact::Model large_model() {
  artifact::Model model;
  for (int i = 1; i <= 7; ++i) model.channels.push_back({fmt::format("c{}", i), Role::kTarget});
  model.calendar = {{CalendarFeature::kHourOfDay}, 24, PhaseSource::kTimestamp, 0};
  model.step = Step::parse("1h");
  model.ensemble =
      model::Ensemble(std::make_unique<model::Pulse>(model::ModelShape{.lookback = 720,
                                                                       .horizon = 720,
                                                                       .channels = 7,
                                                                       .features = 1,
                                                                       .period = 24,
                                                                       .hidden = 4096,
                                                                       .codebook_rows = 24,
                                                                       .time_kernel = 3,
                                                                       .time_width_a = 4,
                                                                       .time_width_b = 4,
                                                                       .patch = 24,
                                                                       .router_width = 8}));
  model.ensemble.lead().initialise(1);
  model.scaler = {std::vector<double>(7, 0.0), std::vector<double>(7, 1.0)};
  return model;
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + values.size() / 2);
  return values[values.size() / 2];
}

// Copies bytes as loading does, a piece at a time; with checksums or without.
std::uint32_t copy(std::span<const std::byte> bytes, std::span<std::byte> to, bool sums) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  std::uint32_t sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
    std::memcpy(to.data() + at, piece.data(), piece.size());
    if (sums) sum = crc32c(piece, sum);
  }
  return sum;
}

int run(int rounds, bool json) {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("pulsecast_load_{}.model", ::getpid());
  const artifact::Model model = large_model();
  artifact::save_model(path, model);
  const std::string bytes = read_whole(path, std::size_t{1} << 30, "model");
  std::vector<double> load, check, share;
  std::vector<std::byte> copied(bytes.size());
  const auto all = std::as_bytes(std::span(bytes));
  std::uint32_t sum = 0;
  for (int round = 0; round < rounds; ++round) {
    load.push_back(seconds_of([&] { artifact::load_model(path); }));
    const double plain = seconds_of([&] { copy(all, copied, false); });
    check.push_back(seconds_of([&] { sum ^= copy(all, copied, true); }) - plain);
    share.push_back(check.back() / load.back());
  }
  std::filesystem::remove(path);
  const std::size_t weights = model.ensemble.learned_count();
  const double rate = static_cast<double>(bytes.size()) / median(check) / 1e9;
  if (json) {
    fmt::print("{}\n", nlohmann::json{{"weights", weights},
                                      {"bytes", bytes.size()},
                                      {"load_seconds", median(load)},
                                      {"checksum_seconds", median(check)},
                                      {"checksum_share", median(share)},
                                      {"checksum", sum}}
                           .dump(2));
  } else {
    fmt::print(
        "{} weights, {:.1f} MB\n"
        "load      {:.2f} ms\n"
        "checksum  {:.2f} ms, {:.1f} GB/s, {:.1f} % of the load ({:08x})\n",
        weights, static_cast<double>(bytes.size()) / 1e6, 1e3 * median(load), 1e3 * median(check),
        rate, 100.0 * median(share), sum);
  }
  return 0;
}

}  // namespace
}  // namespace pulsecast::bench

int main(int argc, char** argv) {
  CLI::App app("Loading a large model, and its checksums' share of it.");
  int rounds = 31;
  bool json = false;
  std::string peer;
  app.add_option("--rounds", rounds, "medians of this many")->check(CLI::Range(1, 100000));
  app.add_flag("--json", json, "print for machines");
  app.add_option("--peer", peer, "not used here; every benchmark is given it");
  CLI11_PARSE(app, argc, argv);
  return pulsecast::bench::run(rounds, json);
}
