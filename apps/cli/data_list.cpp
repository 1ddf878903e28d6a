// pulsecast data list: the datasets of the paper.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/cli/verbs.h"
#include "pulsecast/data/paper/dataset.h"

namespace pulsecast::cli {
namespace {

// Null where the registry does not know.
template <typename T>
nlohmann::json known(const T& value, const T& unknown) {
  return value == unknown ? nlohmann::json(nullptr) : nlohmann::json(value);
}

nlohmann::json to_json(const Dataset& dataset) {
  return {{"name", dataset.name},
          {"file", dataset.file},
          {"rows", known(dataset.rows, std::size_t{0})},
          {"channels", dataset.channels},
          {"step", dataset.step},
          {"period", known(dataset.period, 0)},
          {"split", protocol_text(dataset)},
          {"start", known(dataset.start, std::string_view())},
          {"sha256", known(dataset.sha256, std::string_view())},
          {"from", dataset.from}};
}

std::string number_or(std::size_t number, const char* unknown) {
  return number == 0 ? unknown : fmt::format("{}", number);
}

int list(const Console& console) {
  if (console.json) {
    nlohmann::json all = nlohmann::json::array();
    for (const Dataset& dataset : datasets()) all.push_back(to_json(dataset));
    console.print_json({{"datasets", all}});
    return kDone;
  }
  constexpr const char* kRow = "{:<12} {:<16} {:>6} {:>8}  {:<6} {:>6}  {:<18} {}\n";
  console.print(fmt::format(fmt::runtime(kRow), "name", "file", "rows", "channels", "step",
                            "period", "split", "checksum"));
  for (const Dataset& dataset : datasets()) {
    console.print(fmt::format(
        fmt::runtime(kRow), dataset.name, dataset.file, number_or(dataset.rows, "?"),
        dataset.channels, dataset.step, number_or(static_cast<std::size_t>(dataset.period), "?"),
        protocol_text(dataset), dataset.sha256.empty() ? "?" : dataset.sha256.substr(0, 8)));
  }
  console.remark(
      "The split of a dataset is taken by its name (--split ETTh1). A period of '?' is found by\n"
      "autocorrelation. Checksums are the first digits of SHA-256; --json has them whole.\n");
  return kDone;
}

Action declare_data_list(CLI::App&) { return list; }

}  // namespace

const Verb kDataList = {"data list", "list the datasets of the paper: shape, step, split, period",
                        "  pulsecast data list\n"
                        "  pulsecast data list --json\n",
                        declare_data_list};

}  // namespace pulsecast::cli
