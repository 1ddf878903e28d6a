#include "pulsecast/data/paper/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pulsecast/base/near_miss.h"

namespace pulsecast {
namespace {

constexpr Dataset::Counts kHourly{8640, 2880, 2880};
constexpr Dataset::Counts kQuarterHourly{4 * 8640, 4 * 2880, 4 * 2880};
constexpr std::string_view kEtt = "ETDataset (Zhou et al. 2021)";
constexpr std::string_view kPems = "Caltrans PeMS, as in SCINet (Liu et al. 2022)";
constexpr std::string_view kTfb = "TFB (Qiu et al. 2024)";

// clang-format off
constexpr std::array kDatasets = std::to_array<Dataset>({
    {"ETTh1", "ETTh1.csv", 17420, 7, "1h", Protocol::kCounts, 24, "",
     "f18de3ad269cef59bb07b5438d79bb3042d3be49bdeecf01c1cd6d29695ee066", kEtt, kHourly},
    {"ETTh2", "ETTh2.csv", 17420, 7, "1h", Protocol::kCounts, 24, "",
     "a3dc2c597b9218c7ce1cd55eb77b283fd459a1d09d753063f944967dd6b9218b", kEtt, kHourly},
    {"ETTm1", "ETTm1.csv", 69680, 7, "15min", Protocol::kCounts, 96, "",
     "6ce1759b1a18e3328421d5d75fadcb316c449fcd7cec32820c8dafda71986c9e", kEtt, kQuarterHourly},
    {"ETTm2", "ETTm2.csv", 69680, 7, "15min", Protocol::kCounts, 96, "",
     "db973ca252c6410a30d0469b13d696cf919648d0f3fd588c60f03fdbdbadd1fd", kEtt, kQuarterHourly},
    {"Electricity", "electricity.csv", 26304, 321, "1h", Protocol::kSevenOneTwo, 168, "", "",
     "UCI ElectricityLoadDiagrams, as in Autoformer (Wu et al. 2021)"},
    {"Solar", "solar_AL.txt", 52560, 137, "10min", Protocol::kSevenOneTwo, 144,
     "2006-01-01 00:00", "", "NREL, as in LSTNet (Lai et al. 2018)"},
    {"Traffic", "traffic.csv", 17544, 862, "1h", Protocol::kSevenOneTwo, 168, "", "",
     "Caltrans PeMS, as in Autoformer (Wu et al. 2021)"},
    {"Weather", "weather.csv", 52696, 21, "10min", Protocol::kSevenOneTwo, 144, "",
     "34ee981d07313e51da2a50bb600072c8ae4a69cb4b0651f4cb93a069d7a2ba63",
     "Max Planck Institute for Biogeochemistry, as in Autoformer (Wu et al. 2021)"},
    {"PEMS03", "PEMS03.npz", 26208, 358, "5min", Protocol::kSixTwoTwo, 288,
     "2012-05-01 00:00", "", kPems},
    {"PEMS04", "PEMS04.npz", 16992, 307, "5min", Protocol::kSixTwoTwo, 288,
     "2017-07-01 00:00", "", kPems},
    {"PEMS07", "PEMS07.npz", 28224, 883, "5min", Protocol::kSixTwoTwo, 288,
     "2017-05-01 00:00", "", kPems},
    {"PEMS08", "PEMS08.npz", 17856, 170, "5min", Protocol::kSixTwoTwo, 288,
     "2016-07-01 00:00", "", kPems},
    {"SD", "SD.csv", 0, 716, "15min", Protocol::kSevenOneTwo, 0, "", "",
     "LargeST, San Diego (Liu et al. 2023)"},
    {"AQShunyi", "AQShunyi.csv", 35064, 11, "1h", Protocol::kSevenOneTwo, 24, "",
     "376377a0128595823a2b548c0726b05e94538d8431961e5a7f5a4033e7eee0aa",
     "UCI Beijing Multi-Site Air Quality, station Shunyi"},
    {"AQWan", "AQWan.csv", 35064, 11, "1h", Protocol::kSevenOneTwo, 0, "", "",
     "UCI Beijing Multi-Site Air Quality, station Wanliu"},
    {"ZafNoo", "ZafNoo.csv", 19225, 11, "30min", Protocol::kSevenOneTwo, 0, "", "", kTfb},
    {"CzeLan", "CzeLan.csv", 19934, 11, "30min", Protocol::kSevenOneTwo, 0, "", "", kTfb},
    {"Wind", "Wind.csv", 48673, 7, "15min", Protocol::kSevenOneTwo, 0, "", "", kTfb},
});
// clang-format on

}  // namespace

std::span<const Dataset> datasets() { return kDatasets; }

const Dataset* find_dataset(std::string_view name) {
  const auto found = std::ranges::find_if(
      kDatasets, [&](const Dataset& dataset) { return edit_distance(dataset.name, name) == 0; });
  return found == kDatasets.end() ? nullptr : &*found;
}

Split protocol_split(const Dataset& dataset, std::size_t rows) {
  switch (dataset.protocol) {
    case Protocol::kCounts:
      return split_by_counts(rows, dataset.counts.train, dataset.counts.validation,
                             dataset.counts.test);
    case Protocol::kSevenOneTwo:
      return split_by_shares(rows, 0.7, 0.1, 0.2);
    case Protocol::kSixTwoTwo:
      return split_by_shares(rows, 0.6, 0.2, 0.2);
  }
  return {};
}

RowRange mismatch_rows(const Dataset& dataset, std::size_t rows) {
  RowRange range = protocol_split(dataset, rows).train;
  if (dataset.name.starts_with("ETTm")) range.end = std::min(range.end, kHourly.train);
  return range;
}

std::string protocol_text(const Dataset& dataset) {
  switch (dataset.protocol) {
    case Protocol::kCounts:
      return fmt::format("{},{},{}", dataset.counts.train, dataset.counts.validation,
                         dataset.counts.test);
    case Protocol::kSevenOneTwo:
      return "0.7,0.1,0.2";
    case Protocol::kSixTwoTwo:
      return "0.6,0.2,0.2";
  }
  return "";
}

}  // namespace pulsecast
