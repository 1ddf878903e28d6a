#include "pulsecast/data/readers/read_table.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "pulsecast/data/readers/delimited_reader.h"
#include "pulsecast/data/readers/folder_reader.h"
#include "pulsecast/data/readers/gunzip.h"
#include "pulsecast/data/readers/npz_reader.h"
#include "pulsecast/data/readers/workbook/workbook.h"

namespace pulsecast {
namespace {

// The first bytes of a source, which is left as if they had not been read.
std::string peek(std::unique_ptr<ByteSource>& bytes) {
  std::string head(8, '\0');
  head.resize(bytes->read(head));
  bytes = chained_source(head, std::move(bytes));
  return head;
}

// A zip archive: a workbook, arrays, or one table of text.
Table read_archive(ByteSource& bytes, const std::string& source, const DataSettings& settings,
                   ThreadPool& threads, const ReadingProgress& progress) {
  const NpzArchive archive(read_all(bytes, kMostArchiveBytes, source), source);
  if (is_workbook(archive, source)) {
    const Workbook::Text text = Workbook(archive, source).read(settings.array);
    Table table = read_delimited(memory_source(text.lines), source, settings, threads, progress);
    table.notes.insert(table.notes.begin(), fmt::format("sheet '{}'", text.sheet));
    return table;
  }
  const std::optional<std::string> text = archive.text_entry();
  if (!text) return read_arrays(archive, source, settings);
  Table table = read_delimited(archive.open_entry(*text), source, settings, threads, progress);
  table.notes.insert(table.notes.begin(), fmt::format("zip, of which '{}'", *text));
  return table;
}

}  // namespace

Table read_table(const std::string& path, const DataSettings& settings, ThreadPool& threads,
                 const Watch& watch) {
  std::error_code ignored;
  if (path != "-" && std::filesystem::is_directory(path, ignored)) {
    return read_folder(path, settings, [&](const std::string& file, const DataSettings& own) {
      return read_table(open_file(file), file, own, threads, watch);
    });
  }
  return read_table(open_file(path), path == "-" ? "standard input" : path, settings, threads,
                    watch);
}

Table read_table(std::unique_ptr<ByteSource> bytes, const std::string& source,
                 const DataSettings& settings, ThreadPool& threads, const Watch& watch) {
  const ReadingProgress progress(bytes, watch);
  std::string head = peek(bytes);
  const bool is_compressed = is_gzip(head);
  if (is_compressed) {
    bytes = gunzip_source(std::move(bytes), source);
    head = peek(bytes);
  }
  Table table = head.starts_with("PK") ? read_archive(*bytes, source, settings, threads, progress)
                : is_array_file(head)
                    ? read_arrays(std::move(bytes), source, settings)
                    : read_delimited(std::move(bytes), source, settings, threads, progress);
  progress.tell();
  if (is_compressed) table.notes.insert(table.notes.begin(), "gzip");
  return table;
}

}  // namespace pulsecast
