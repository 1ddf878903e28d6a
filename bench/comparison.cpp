#include "bench/comparison.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace pulsecast::bench {
namespace {

using Json = nlohmann::ordered_json;

std::string with_unit(const Statistic& s, const std::string& unit) {
  const double factor = unit == "us" ? 1e6 : unit == "ms" ? 1e3 : unit == "MB" ? 1e-6 : 1.0;
  const int digits = unit == "ms" ? 2 : unit == "s" ? 1 : 0;
  return fmt::format("{:.{}f} {}", s.median * factor, digits, unit);
}

}  // namespace

void print_tables(const std::vector<Measured>& results, const std::string& peer) {
  if (results.empty()) return;
  fmt::print(
      "peer: {}\n\nRatios are theirs over ours: median (quartiles) of the rounds.\n\n"
      "| measure | case | ours | peer | theirs | ratio | bar |\n"
      "|---|---|---|---|---|---|---|\n",
      peer);
  for (const Measured& one : results) {
    for (const Other& other : one.others) {
      const bool is_first = &other == &one.others.front();
      fmt::print("| {} | {} | {} | {} | {} | {} | {} |\n", one.measure, one.name,
                 with_unit(one.ours, one.unit), other.as,
                 other.seconds ? with_unit(*other.seconds, one.unit) : other.problem,
                 other.ratio ? fmt::format("{:.1f} ({:.1f}-{:.1f})", other.ratio->median,
                                           other.ratio->low, other.ratio->high)
                             : "-",
                 is_first ? one.bar : "");
    }
  }
}

void print_as_json(const std::vector<Measured>& results, const std::string& peer) {
  Json list = Json::array();
  const auto statistic = [](const Statistic& s) {
    return Json{{"median", s.median}, {"low", s.low}, {"high", s.high}};
  };
  for (const Measured& one : results) {
    Json others = Json::array();
    for (const Other& other : one.others) {
      others.push_back({{"as", other.as},
                        {"theirs", other.seconds ? statistic(*other.seconds) : Json(nullptr)},
                        {"ratio", other.ratio ? statistic(*other.ratio) : Json(nullptr)},
                        {"problem", other.problem}});
    }
    list.push_back({{"measure", one.measure},
                    {"case", one.name},
                    {"ours", statistic(one.ours)},
                    {"peers", others},
                    {"bar", one.bar}});
  }
  fmt::print("{}\n", Json{{"peer", peer}, {"results", list}}.dump(2));
}

}  // namespace pulsecast::bench
