#include "pulsecast/data/paper/dataset_check.h"

#include <fmt/format.h>

#include <system_error>

#include "pulsecast/base/sha256.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/byte_source.h"
#include "pulsecast/data/readers/gunzip.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;
using Verdict = DatasetCheck::Verdict;

std::string sha256_of(const std::string& path) {
  std::unique_ptr<ByteSource> bytes = open_file(path);
  if (path.ends_with(".gz")) bytes = gunzip_source(std::move(bytes), path);
  Sha256 sum;
  std::string piece(1 << 16, '\0');
  while (const std::size_t count = bytes->read(piece)) {
    sum.add(std::string_view(piece).substr(0, count));
  }
  return sum.digest();
}

// What differs between the file and the registry, empty where nothing does.
std::string shape_difference(const std::string& path, const Dataset& dataset, ThreadPool& threads) {
  DataSettings settings;
  if (!dataset.start.empty()) {
    settings.start = dataset.start;
    settings.step = dataset.step;
  }
  const Table table = read_table(path, settings, threads);
  const std::size_t rows = table.rows() + table.row_faults.size();
  if ((dataset.rows == 0 || rows == dataset.rows) && table.columns.size() == dataset.channels) {
    return {};
  }
  const std::string expected_rows = dataset.rows == 0 ? "any" : fmt::format("{}", dataset.rows);
  return fmt::format("expected {} rows and {} channels, found {} and {}", expected_rows,
                     dataset.channels, rows, table.columns.size());
}

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAbsent:
      return "absent";
    case Verdict::kSame:
      return "same";
    case Verdict::kShapeAgrees:
      return "shape agrees";
    case Verdict::kDiffers:
      return "differs";
    case Verdict::kUnreadable:
      return "unreadable";
  }
  return "";
}

std::string dataset_file(const fs::path& folder, const Dataset& dataset) {
  for (const char* ending : {"", ".gz"}) {
    const fs::path path = folder / (std::string(dataset.file) + ending);
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored)) return path.string();
  }
  return {};
}

DatasetCheck check_dataset(const fs::path& folder, const Dataset& dataset, ThreadPool& threads) {
  DatasetCheck result;
  result.dataset = &dataset;
  result.path = dataset_file(folder, dataset);
  if (result.path.empty()) return result;
  try {
    result.sha256 = sha256_of(result.path);
    if (dataset.sha256.empty()) {
      result.detail = shape_difference(result.path, dataset, threads);
      result.verdict = result.detail.empty() ? Verdict::kShapeAgrees : Verdict::kDiffers;
    } else if (result.sha256 == dataset.sha256) {
      result.verdict = Verdict::kSame;
    } else {
      result.verdict = Verdict::kDiffers;
      result.detail = fmt::format("expected checksum {}, found {}", dataset.sha256, result.sha256);
      const std::string shape = shape_difference(result.path, dataset, threads);
      if (!shape.empty()) result.detail += "; " + shape;
    }
  } catch (const Error& error) {
    result.verdict = Verdict::kUnreadable;
    result.detail = error.what();
  }
  return result;
}

std::vector<DatasetCheck> check_datasets(const std::string& folder, ThreadPool& threads) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    throw_error(ErrorKind::kInputOutput, folder, "is not a folder that can be read{}",
                error ? ": " + error.message() : "");
  }
  std::vector<DatasetCheck> checks;
  for (const Dataset& dataset : datasets())
    checks.push_back(check_dataset(folder, dataset, threads));
  return checks;
}

}  // namespace pulsecast
