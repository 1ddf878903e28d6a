#include "apps/cli/profile_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pulsecast::cli {
namespace {

double seconds_of_all(std::span<const profile::Entry> entries) {
  double sum = 0.0;
  for (const profile::Entry& entry : entries) sum += entry.seconds;
  return sum;
}

std::string lanes_text(std::size_t lanes) {
  if (lanes == 1) return "a batch is one part of a step, whose operations share the threads";
  return fmt::format("a batch is cut into {} parts of a step, and so many threads may share them",
                     lanes);
}

}  // namespace

std::string profile_text(std::span<const profile::Entry> entries, double seconds,
                         std::size_t threads, std::size_t lanes) {
  const double had = seconds * static_cast<double>(threads);
  double gflop = 0.0;
  std::string text = fmt::format("{:<18} {:>9} {:>7} {:>10} {:>9} {:>9}\n", "operation", "seconds",
                                 "share", "calls", "GFLOP", "GFLOP/s");
  const auto line = [&](std::string_view name, double took, std::string_view calls) {
    text += fmt::format("{:<18} {:>9.3f} {:>6.1f}% {:>10}", name, took, 100.0 * took / had, calls);
  };
  for (const profile::Entry& entry : entries) {
    line(entry.name, entry.seconds, fmt::format("{}", entry.calls));
    if (entry.flop > 0.0) {
      text += fmt::format(" {:>9.1f} {:>9.1f}", entry.flop / 1e9, entry.flop / 1e9 / entry.seconds);
      gflop += entry.flop / 1e9;
    }
    text += '\n';
  }
  line("everything else", std::max(0.0, had - seconds_of_all(entries)), "");
  text += '\n';
  line("all", had, "");
  text += fmt::format(" {:>9.1f} {:>9.1f}\n", gflop, gflop / had);
  return text + fmt::format(
                    "{:.3f} s by the clock on {} thread{}; seconds are summed over threads, and "
                    "GFLOP/s are of one thread\n{}\n",
                    seconds, threads, threads == 1 ? "" : "s", lanes_text(lanes));
}

nlohmann::ordered_json profile_json(std::span<const profile::Entry> entries, double seconds,
                                    std::size_t threads, std::size_t lanes) {
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for (const profile::Entry& entry : entries) {
    operations.push_back({{"operation", entry.name},
                          {"seconds", entry.seconds},
                          {"calls", entry.calls},
                          {"gflop", entry.flop / 1e9}});
  }
  return {{"seconds", seconds},
          {"threads", threads},
          {"parts_at_once", lanes},
          {"operations", operations}};
}

}  // namespace pulsecast::cli
