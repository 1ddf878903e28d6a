// For tests: files made from numbers, under the names and of the shapes of the paper's datasets.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>
#include <vector>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/testing/zipped.h"

namespace pulsecast::testing {

inline std::string made_rows(const Dataset& dataset, std::int64_t rows) {
  SyntheticSettings settings;
  settings.rows = rows;
  settings.channels = static_cast<std::int64_t>(dataset.channels);
  settings.step = std::string(dataset.step);
  std::string text;
  write_csv(Synthetic(settings), settings.decimals, [&](std::string_view piece) { text += piece; });
  return text;
}

// Numbers alone, as the solar file has them.
inline std::string without_stamps(const std::string& csv) {
  std::string text;
  for (std::size_t from = csv.find('\n') + 1; from < csv.size();) {
    const std::size_t end = csv.find('\n', from);
    const std::size_t comma = csv.find(',', from);
    text += csv.substr(comma + 1, end - comma);
    from = end + 1;
  }
  return text;
}

// (rows, channels, 1), as the PEMS files have them.
inline std::string made_archive(const Dataset& dataset, std::int64_t rows) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::size_t c = 0; c < dataset.channels; ++c) {
      const auto phase = static_cast<double>(i % 288) / 288.0;
      values.push_back(100.0 + static_cast<double>(c % 7) +
                       (phase < 0.5 ? phase : 1.0 - phase) * 50.0 +
                       static_cast<double>((i * 31 + static_cast<std::int64_t>(c) * 17) % 11));
    }
  }
  return zipped(
      {{"data.npy", npy("<f8", fmt::format("({}, {}, 1)", rows, dataset.channels), values)}},
      false);
}

// As few rows as its protocol and a horizon of 96 allow.
inline std::int64_t fewest_rows(const Dataset& dataset) {
  if (dataset.protocol != Protocol::kCounts) return 1200;
  return static_cast<std::int64_t>(dataset.counts.train + dataset.counts.validation +
                                   dataset.counts.test);
}

inline void write_made(const std::filesystem::path& folder, const Dataset& dataset) {
  const std::int64_t rows = fewest_rows(dataset);
  std::string bytes;
  if (dataset.file.ends_with(".npz")) {
    bytes = made_archive(dataset, rows);
  } else {
    bytes = made_rows(dataset, rows);
    if (dataset.file.ends_with(".txt")) bytes = without_stamps(bytes);
  }
  write_file(folder / dataset.file, std::string_view(bytes));
}

}  // namespace pulsecast::testing
