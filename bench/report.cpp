#include "bench/report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

namespace pulsecast::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Statistic& statistic) {
  return {{"median", statistic.median}, {"low", statistic.low}, {"high", statistic.high}};
}

Json to_json(const std::optional<Statistic>& statistic) {
  return statistic ? to_json(*statistic) : Json(nullptr);
}

// "4.21 (4.10-4.40)" in milliseconds.
std::string milliseconds(const std::optional<Statistic>& statistic) {
  if (!statistic) return "-";
  char text[64];
  std::snprintf(text, sizeof(text), "%.3f (%.3f-%.3f)", statistic->median * 1e3,
                statistic->low * 1e3, statistic->high * 1e3);
  return text;
}

std::string formatted(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// "5.86x (5.60-6.10)"
std::string ratio(const std::optional<Statistic>& statistic) {
  if (!statistic) return "-";
  char text[64];
  std::snprintf(text, sizeof(text), "%.2fx (%.2f-%.2f)", statistic->median, statistic->low,
                statistic->high);
  return text;
}

[[noreturn]] void usage(const char* purpose, int code) {
  std::fprintf(code == 0 ? stdout : stderr,
               "%s\n\nusage: bench [--json] [--rounds N] [--peer PYTHON]\n"
               "  --json         print JSON instead of a table\n"
               "  --rounds N     interleaved rounds, medians are over them (default 25)\n"
               "  --peer PYTHON  a Python with the frameworks to compare with (./dev peers)\n",
               purpose);
  std::exit(code);
}

void print_table(const std::string& title, const std::string& peer, const std::vector<Row>& rows) {
  std::printf("%s\npeer: %s\nmilliseconds and ratios: median (quartiles) over the rounds\n\n",
              title.c_str(), peer.c_str());
  const char* format = "%-42s %-22s %8s %-22s %9s %-24s %-20s %s\n";
  std::printf(format, "case", "ours", "GFLOP/s", "bare sgemm", "of sgemm", "peer", "peer / ours",
              "bar");
  for (const Row& row : rows) {
    std::printf(format, row.name.c_str(), milliseconds(row.ours).c_str(),
                row.gflop > 0 ? formatted(row.gflop / row.ours.median, "%.1f").c_str() : "-",
                milliseconds(row.blas).c_str(),
                row.fraction_of_blas
                    ? formatted(100 * row.fraction_of_blas->median, "%.0f %%").c_str()
                    : "-",
                milliseconds(row.peer).c_str(), ratio(row.ratio_to_peer).c_str(), row.bar.c_str());
  }
}

void print_json(const std::string& title, const std::string& peer, const std::vector<Row>& rows) {
  Json cases = Json::array();
  for (const Row& row : rows) {
    cases.push_back({{"name", row.name},
                     {"gflop", row.gflop > 0 ? Json(row.gflop) : Json(nullptr)},
                     {"ours_seconds", to_json(row.ours)},
                     {"sgemm_seconds", to_json(row.blas)},
                     {"peer_seconds", to_json(row.peer)},
                     {"fraction_of_sgemm", to_json(row.fraction_of_blas)},
                     {"ratio_to_peer", to_json(row.ratio_to_peer)},
                     {"bar", row.bar}});
  }
  std::printf("%s\n", Json{{"title", title}, {"peer", peer}, {"cases", cases}}.dump(2).c_str());
}

}  // namespace

Statistic summarise(std::vector<double> samples) {
  std::sort(samples.begin(), samples.end());
  const auto at = [&](double share) {
    return samples[static_cast<std::size_t>(share * static_cast<double>(samples.size() - 1) + 0.5)];
  };
  return {at(0.5), at(0.25), at(0.75)};
}

Statistic summarise_ratios(const std::vector<double>& theirs, const std::vector<double>& ours) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(theirs[i] / ours[i]);
  return summarise(ratios);
}

Arguments parse_arguments(int argc, char** argv, const char* purpose) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    const bool has_value = i + 1 < argc;
    if (std::strcmp(argv[i], "--json") == 0) {
      arguments.json = true;
    } else if (std::strcmp(argv[i], "--peer") == 0 && has_value) {
      arguments.peer = argv[++i];
    } else if (std::strcmp(argv[i], "--rounds") == 0 && has_value && std::atoi(argv[i + 1]) > 0) {
      arguments.rounds = std::atoi(argv[++i]);
    } else {
      usage(purpose, std::strcmp(argv[i], "--help") == 0 ? 0 : 2);
    }
  }
  return arguments;
}

void print(const Arguments& arguments, const std::string& title, const std::string& peer,
           const std::vector<Row>& rows) {
  if (arguments.json) {
    print_json(title, peer, rows);
  } else {
    print_table(title, peer, rows);
  }
}

}  // namespace pulsecast::bench
