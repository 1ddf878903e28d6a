#include "pulsecast/data/readers/delimited_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/readers/column_plan.h"
#include "pulsecast/data/readers/even_stamps.h"
#include "pulsecast/data/readers/fault_flood.h"
#include "pulsecast/data/readers/record_stream.h"
#include "pulsecast/data/readers/row_block.h"
#include "pulsecast/data/readers/row_stamps.h"
#include "pulsecast/data/readers/settle_labels.h"
#include "pulsecast/data/readers/text_head.h"

namespace pulsecast {
namespace {

// Past so many the file is no table but something else.
constexpr std::size_t kMostColumns = 100'000;

// Shrinking copies, and the copy is as dear as the page faults it brings; a little slack is
// cheaper.
void give_back_slack(ColumnValues& values) {
  if (values.capacity() - values.size() > values.size() / 4) values.shrink_to_fit();
}

[[noreturn]] void refuse_header_alone(const std::string& source, std::size_t columns) {
  throw_error(ErrorKind::kData, source,
              "has a header of {} and no rows below it. Expected a line a row, with a stamp and "
              "numbers",
              counted(columns, "column"));
}

// Collects blocks in order; finish() settles what only the whole file can.
class TableBuilder {
 public:
  TableBuilder(const std::string& source, const Dialect& dialect, const Header& header,
               ColumnPlan plan)
      : dialect_(dialect), plan_(std::move(plan)) {
    table_.source = source;
    table_.columns = plan_.columns;
    table_.notes.push_back(to_text(dialect));
    table_.notes.insert(table_.notes.end(), header.notes.begin(), header.notes.end());
    table_.notes.insert(table_.notes.end(), plan_.notes.begin(), plan_.notes.end());
    for (const std::string& name : plan_.labels) labels_.push_back({name, {}});
  }

  const Dialect& dialect() const { return dialect_; }
  const ColumnPlan& plan() const { return plan_; }

  // `rows` are a guess from the head of a text of `text_bytes`. It is far too high where the head's
  // cells are shorter than the rest, a sensor's zeros before its first value, say; and in huge
  // pages room that is never used is memory all the same. So only cells of some length have a
  // region.
  void reserve(std::size_t rows, std::uint64_t text_bytes) {
    rows = (rows + 7) / 8 * 8;  // parts of a region are whole cache lines
    const std::size_t bytes = rows * table_.columns.size() * sizeof(double);
    const bool is_likely = bytes <= text_bytes + text_bytes / 2;
    const auto region = std::make_shared<ColumnRegion>(is_likely ? bytes : 0);
    for (Column& column : table_.columns) {
      column.values = ColumnValues(ColumnAllocator<double>(region));
      column.values.reserve(rows);
    }
  }

  void skip_lines(std::uint64_t count) { first_line_ += count; }

  void leave_out_above(std::uint64_t lines) {
    skip_lines(lines);
    if (lines == 0) return;
    table_.notes.push_back(counted(lines, "line") + " above the header left out");
  }

  // Takes all of the blocks but their values: those follow, in the same order, by append_values().
  void append(std::span<RowBlock> blocks) {
    for (RowBlock& block : blocks) {
      refuse_more_rows_than(std::numeric_limits<std::uint32_t>::max(), block.rows());
      for (CellFault& fault : block.faults) {
        fault.row += static_cast<std::uint32_t>(table_.lines.size());
        table_.faults.push_back(std::move(fault));
      }
      for (RowFault& fault : block.row_faults) {
        fault.line += first_line_;
        table_.row_faults.push_back(std::move(fault));
      }
      for (const std::uint64_t line : block.lines) table_.lines.push_back(line + first_line_);
      for (const Stamp& stamp : block.stamps) stamps_.push_back(stamp);
      for (std::size_t i = 0; i < labels_.size(); ++i) labels_[i].labels.append(block.labels[i]);
      trailing_blank_rows_ = block.trailing_blank_rows == block.rows()
                                 ? trailing_blank_rows_ + block.rows()
                                 : block.trailing_blank_rows;
      first_line_ += block.line_count;
      dressed_ += block.dressed;
    }
    refuse_fault_flood(table_);
  }

  // Columns take their values in strips, which threads may do at the same time.
  std::size_t strips() const { return (table_.columns.size() + kStrip - 1) / kStrip; }

  // [row][column] to columns, for one strip: a few cache lines of a row at a time.
  void append_values(std::span<const RowBlock> blocks, std::size_t strip) {
    const std::size_t width = table_.columns.size();
    const std::size_t from = strip * kStrip;
    const std::size_t to = std::min(width, from + kStrip);
    std::size_t added = 0;
    for (const RowBlock& block : blocks) added += block.rows();
    std::array<double*, kStrip> out{};
    for (std::size_t c = from; c < to; ++c) {
      ColumnValues& values = table_.columns[c].values;
      values.resize(values.size() + added);
      out[c - from] = values.data() + values.size() - added;
    }
    for (const RowBlock& block : blocks) {
      const double* row = block.values.data();
      for (std::size_t r = 0; r < block.rows(); ++r, row += width) {
        for (std::size_t c = from; c < to; ++c) *out[c - from]++ = row[c];
      }
    }
  }

  Table finish(const DataSettings& settings) && {
    drop_trailing_blank_rows();
    if (table_.lines.empty()) refuse_empty();
    if (dressed_ > 0) {
      table_.notes.push_back(counted(dressed_, "number is", "numbers are") +
                             " written with thousands marks, a sign of currency or percent, or as "
                             "true and false, and read without");
    }
    table_.zone = settings.time_zone ? Zone::named(*settings.time_zone) : Zone();
    settle_labels(std::move(labels_), stamps_, plan_, settings, dialect_.decimal, table_);
    if (plan_.has_time) {
      place_rows_in_time(std::move(stamps_), settings, table_);
      if (table_.rows() == 0) refuse_empty();
    } else {
      table_.stamps = even_stamps(table_.lines.size(), settings, table_.source);
    }
    for (Column& column : table_.columns) give_back_slack(column.values);
    return std::move(table_);
  }

 private:
  static constexpr std::size_t kStrip = 16;

  void refuse_more_rows_than(std::size_t most, std::size_t added) const {
    if (table_.lines.size() + added <= most) return;
    throw_error(ErrorKind::kData, table_.source, "holds more than {} rows, which is the most",
                most);
  }

  [[noreturn]] void refuse_empty() const {
    if (table_.row_faults.empty()) {
      if (first_line_ > 1) refuse_header_alone(table_.source, plan_.uses.size());
      throw_error(ErrorKind::kData, table_.source,
                  "there are no rows. Expected lines with a stamp and numbers.");
    }
    const RowFault& first = table_.row_faults.front();
    throw_error(ErrorKind::kData, Place(table_.source).at_line(first.line),
                "no row can be read from {}; the first: {}",
                counted(table_.row_faults.size(), "line"), first.cause);
  }

  void drop_trailing_blank_rows() {
    if (trailing_blank_rows_ == 0) return;
    const std::size_t rows = table_.lines.size() - trailing_blank_rows_;
    table_.lines.truncate(rows);
    for (Column& column : table_.columns) column.values.resize(rows);
  }

  Dialect dialect_;
  ColumnPlan plan_;
  Table table_;
  PackedStamps stamps_;
  std::vector<LabelColumn> labels_;
  std::uint64_t first_line_ = 1;
  std::size_t trailing_blank_rows_ = 0;
  std::size_t dressed_ = 0;
};

// Runs over the chunks, batch by batch. While one batch is parsed, the next is read (and
// decompressed) and the values of the one before go to their columns: all of it in one job for the
// threads, so that they wait for each other once a batch, and its smallest tasks last.
void read_blocks(RecordStream& records, bool has_header, TableBuilder& builder, ThreadPool& threads,
                 const ReadingProgress& progress) {
  constexpr std::size_t kMostAtOnce = 32;
  const std::size_t at_once = std::min(4 * threads.size(), kMostAtOnce);
  // Chunks and blocks are used again and again: fresh memory for each would cost more than parsing.
  std::vector<std::string> now(at_once);
  std::vector<std::string> ahead(at_once);
  const auto fill = [&](std::vector<std::string>& chunks) {
    std::size_t filled = 0;
    while (filled < at_once && records.next(chunks[filled])) ++filled;
    return filled;
  };
  std::size_t filled = fill(now);
  if (has_header && filled > 0) builder.skip_lines(cut_header(now.front(), builder.dialect()));
  std::vector<RowBlock> blocks(at_once);
  std::vector<RowBlock> blocks_before(at_once);
  std::size_t filled_before = 0;
  while (filled + filled_before > 0) {
    std::size_t filled_ahead = 0;
    const std::span before = std::span(blocks_before).first(filled_before);
    const std::size_t strips = before.empty() ? 0 : builder.strips();
    threads.run(1 + filled + strips, [&](std::size_t task, std::size_t) {
      if (task == 0) {
        filled_ahead = fill(ahead);
      } else if (task <= filled) {
        parse_rows(now[task - 1], builder.dialect(), builder.plan(), blocks[task - 1]);
      } else {
        builder.append_values(before, task - 1 - filled);
      }
    });
    builder.append(std::span(blocks).first(filled));
    progress.tell();
    now.swap(ahead);
    blocks.swap(blocks_before);
    filled_before = filled;
    filled = filled_ahead;
  }
}

}  // namespace

Table read_delimited(std::unique_ptr<ByteSource> bytes, const std::string& source,
                     const DataSettings& settings, ThreadPool& threads,
                     const ReadingProgress& progress) {
  const std::optional<std::uint64_t> size = bytes->size();
  TextHead head = take_head(*bytes, source);
  const Dialect dialect = find_dialect(head.records, settings);
  const std::uint64_t lines_above = cut_preamble(head, dialect);
  const Sample sample = take_sample(head.records, dialect.separator);
  if (sample.empty()) {
    throw_error(ErrorKind::kData, source, "holds nothing but blank lines; expected rows of data");
  }
  if (sample.front().size() > kMostColumns) {
    throw_error(ErrorKind::kData, Place(source).at_line(1), "has {} columns; the most are {}",
                sample.front().size(), kMostColumns);
  }
  const Header header = find_header(sample, dialect);
  // Before columns are looked for by what is in them.
  if (header.is_present && head.is_all && sample.size() == 1) {
    refuse_header_alone(source, header.names.size());
  }
  TableBuilder builder(source, dialect, header, plan_columns(header, sample, settings, source));
  builder.leave_out_above(lines_above);
  if (size) builder.reserve(expected_rows(head, *size, sample.front().size()), *size);
  const std::size_t chunk_bytes = head.is_all ? head.bytes.size() + 1 : RecordStream::kChunkBytes;
  RecordStream records(chained_source(std::move(head.bytes), std::move(bytes)), dialect.separator,
                       source, chunk_bytes);
  read_blocks(records, header.is_present, builder, threads, progress);
  return std::move(builder).finish(settings);
}

}  // namespace pulsecast
