#include "pulsecast/data/readers/text_head.h"

#include <algorithm>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/stamp.h"
#include "pulsecast/data/readers/cell_cursor.h"
#include "pulsecast/data/readers/number_cell.h"
#include "pulsecast/data/readers/record_stream.h"

namespace pulsecast {
namespace {

constexpr std::size_t kHeadBytes = std::size_t{1} << 18;

void refuse_binary(std::string_view bytes, const std::string& source) {
  const auto refuse = [&](const char* what) { throw_error(ErrorKind::kData, source, "{}", what); };
  if (bytes.starts_with("PAR1")) {
    refuse(
        "this is a Parquet file, which is not read. Write it as CSV first, for example with: "
        "python3 -c \"import pandas; pandas.read_parquet('FILE').to_csv('FILE.csv', "
        "index=False)\"");
  }
  if (bytes.starts_with("\x89HDF")) {
    refuse("this is an HDF5 file, which is not read. Write it as CSV or .npz first.");
  }
  if (bytes.starts_with("\xD0\xCF\x11\xE0")) {
    refuse("this is an old Excel file (.xls), which is not read. Save it as .xlsx or CSV first.");
  }
  if (bytes.starts_with("BZh") ||
      bytes.starts_with("\xFD"
                        "7zXZ") ||
      bytes.starts_with("\x28\xB5\x2F\xFD")) {
    refuse("this is compressed in a way that is not read. Decompress it, or compress with gzip.");
  }
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    refuse("this text is UTF-16. Convert it with: iconv -f UTF-16 -t UTF-8");
  }
  if (bytes.find('\0') != std::string_view::npos) {
    refuse(
        "this is not text: it holds bytes of zero. Expected CSV, text, .npz, .xlsx, or gzip of "
        "these.");
  }
}

}  // namespace

TextHead take_head(ByteSource& bytes, const std::string& source) {
  TextHead head;
  // A file that is known to be small needs no large buffer; a byte more shows that it has ended.
  const std::size_t first_bytes =
      std::min<std::size_t>(kHeadBytes, bytes.size().value_or(kHeadBytes) + 1);
  for (std::size_t wanted = first_bytes; !head.is_all; wanted = head.bytes.size()) {
    const std::size_t before = head.bytes.size();
    head.bytes.resize(before + wanted);
    const std::size_t count = bytes.read({head.bytes.data() + before, wanted});
    head.bytes.resize(before + count);
    head.is_all = count < wanted;
    refuse_binary(head.bytes, source);
    // Two lines at least: a header, and a row to see what it heads.
    const auto lines = std::count(head.bytes.begin(), head.bytes.end(), '\n');
    if (lines >= 2 || head.bytes.size() > RecordStream::kLongestRecord) break;
  }
  if (head.bytes.starts_with("\xEF\xBB\xBF")) head.bytes.erase(0, 3);
  if (head.bytes.empty()) throw_error(ErrorKind::kData, source, "the file is empty");
  const std::size_t last = head.bytes.rfind('\n');
  if (last == std::string::npos && head.bytes.find('\r') != std::string::npos &&
      head.bytes.find('\r') + 1 < head.bytes.size()) {
    throw make_error(ErrorKind::kData, source, "lines end with a carriage return alone")
        .with(remedy::advice("convert them with: tr '\\r' '\\n'"));
  }
  if (head.is_all) {
    head.records = head.bytes;
    if (head.records.back() != '\n') head.records += '\n';
  } else if (last != std::string::npos) {
    head.records = head.bytes.substr(0, last + 1);
  } else {
    throw_error(ErrorKind::kData, Place(source).at_line(1),
                "the line does not end within {} bytes. Is this a text file with a row a line?",
                head.bytes.size());
  }
  return head;
}

std::size_t expected_rows(const TextHead& head, std::uint64_t size, std::size_t columns) {
  const auto lines =
      static_cast<double>(std::count(head.records.begin(), head.records.end(), '\n'));
  const double mean = static_cast<double>(head.records.size()) / lines;
  const auto likely = static_cast<std::size_t>(1.05 * static_cast<double>(size) / mean) + 16;
  return std::min<std::size_t>(likely, size / columns + 1);
}

std::uint64_t cut_preamble(TextHead& head, const Dialect& dialect) {
  const Sample sample = take_sample(head.records, dialect.separator);
  // Records of one cell may be titles or rows.
  if (sample.size() < 3 || sample.back().size() < 2) return 0;
  CellCursor cursor(head.records, dialect.separator);
  const char* end = head.records.data();
  std::uint64_t lines = 0;
  bool is_first = true;
  for (;; is_first = false) {
    while (!cursor.at_end() && cursor.skip_blank_line()) {
    }
    if (cursor.at_end()) return 0;
    std::size_t cells = 0;
    std::size_t filled = 0;
    bool is_title = false;
    bool names_separator = false;
    do {
      const std::string_view cell = trimmed(cursor.next());
      if (cells == 0) {
        names_separator =
            is_first && (cell == "sep=" || cell == std::string("sep=") + dialect.separator);
        is_title = !cell.empty() &&
                   read_number(cell, dialect.decimal).kind == NumberCell::Kind::kUnreadable &&
                   read_stamp(cell).form == Stamp::Form::kUnreadable;
      }
      ++cells;
      filled += cell.empty() ? 0 : 1;
    } while (!cursor.was_last() && !cursor.at_end());
    const std::size_t body = sample.back().size();
    const bool is_comment = *end == '#' && cells != body;
    const bool is_short = is_title && filled == 1 && (cells == 1 || (cells == body && body > 2));
    if (!is_comment && !is_short && !(names_separator && filled == 1)) break;
    end = cursor.at();
    lines = cursor.lines();
  }
  const auto bytes = static_cast<std::size_t>(end - head.records.data());
  head.records.erase(0, bytes);
  head.bytes.erase(0, bytes);
  return lines;
}

std::uint64_t cut_header(std::string& chunk, const Dialect& dialect) {
  CellCursor cursor(chunk, dialect.separator);
  while (!cursor.at_end() && cursor.skip_blank_line()) {
  }
  if (!cursor.at_end()) {
    do {
      cursor.next();
    } while (!cursor.was_last() && !cursor.at_end());
  }
  const std::uint64_t lines = cursor.lines();
  chunk.erase(0, static_cast<std::size_t>(cursor.at() - chunk.data()));
  return lines;
}

}  // namespace pulsecast
