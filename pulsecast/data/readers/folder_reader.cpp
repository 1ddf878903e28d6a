#include "pulsecast/data/readers/folder_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_of(const std::string& path) {
  std::vector<fs::path> files;
  try {
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && !name.starts_with('.')) files.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    throw_error(ErrorKind::kInputOutput, path, "cannot be listed: {}", error.code().message());
  }
  if (files.empty()) {
    throw_error(ErrorKind::kData, path, "the folder holds no file. Expected a file a series.");
  }
  std::ranges::sort(files);
  return files;
}

// "data/north.csv.gz" is "north".
std::string stem_of(const fs::path& file) {
  fs::path stem = file.filename();
  while (stem.has_extension() && stem.stem() != stem) stem = stem.stem();
  return stem.string();
}

std::vector<std::string> names_of(const Table& table) {
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  return names;
}

void append(Table more, Table& all) {
  const auto before = static_cast<std::uint32_t>(all.stamps.size());
  const auto series = static_cast<std::uint32_t>(all.series_names.size() - 1);
  all.stamps.append(more.stamps);
  all.lines.append(more.lines);
  for (std::size_t row = 0; row < more.rows(); ++row) all.series.push_back(series);
  for (std::size_t c = 0; c < all.columns.size(); ++c) {
    const ColumnValues& values = more.columns[c].values;
    all.columns[c].values.insert(all.columns[c].values.end(), values.begin(), values.end());
  }
  for (CellFault& fault : more.faults) {
    fault.row += before;
    all.faults.push_back(std::move(fault));
  }
  for (std::size_t i = 0; i < all.statics.size(); ++i) {
    std::vector<std::string>& said = more.statics[i].values;
    if (said.size() > 1) {
      throw_error(ErrorKind::kData, Place(more.source).in_column(more.statics[i].name),
                  "'{}' and '{}': what is static is the same in all rows of a series", said[0],
                  said[1]);
    }
    all.statics[i].values.push_back(said.empty() ? "" : std::move(said.front()));
  }
  std::ranges::move(more.row_faults, std::back_inserter(all.row_faults));
  for (TextColumn& column : more.text_columns) {
    if (std::ranges::count(all.text_columns, column.name, &TextColumn::name) == 0) {
      all.text_columns.push_back(std::move(column));
    }
  }
}

}  // namespace

Table read_folder(const std::string& path, const DataSettings& settings,
                  const std::function<Table(const std::string&, const DataSettings&)>& read) {
  DataSettings own = settings;
  // The folder is the long layout; a file of it is wide.
  if (own.layout != Layout::kNumbers) own.layout = Layout::kWide;
  Table all;
  for (const fs::path& file : files_of(path)) {
    Table table = read(file.string(), own);
    if (all.series_names.empty()) {
      all.zone = table.zone;
      all.shows_wall_clock = table.shows_wall_clock;
      all.notes = table.notes;
      all.found = table.found;
      for (const Column& column : table.columns) {
        all.columns.push_back({column.name, column.role, {}});
      }
      for (const StaticColumn& column : table.statics) all.statics.push_back({column.name, {}});
    } else if (names_of(table) != names_of(all)) {
      throw_error(ErrorKind::kData, file.string(),
                  "has the columns {}, and the files before it {}; those of a folder must be alike",
                  fmt::join(names_of(table), ", "), fmt::join(names_of(all), ", "));
    }
    all.series_names.push_back(stem_of(file));
    append(std::move(table), all);
  }
  all.source = path;
  // With one column a series is called by its file alone.
  if (all.columns.size() == 1) all.value_column = all.columns.front().name;
  all.notes.insert(all.notes.begin(),
                   counted(all.series_names.size(), "file") + " of a folder, each a series");
  return all;
}

}  // namespace pulsecast
