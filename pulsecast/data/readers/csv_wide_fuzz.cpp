// Any bytes as delimited text, a column per channel; and the same text cut into small chunks.

#include <cstdint>

#include "pulsecast/data/readers/fuzz_table.h"
#include "pulsecast/data/readers/record_stream.h"
#include "pulsecast/data/readers/row_block.h"

namespace {

using namespace pulsecast;

// However a text is cut into chunks, its records are the same.
void require_same_in_chunks(std::string_view text) {
  const Dialect dialect{';', ','};
  ColumnPlan plan;
  plan.uses = {ColumnPlan::Use::kTime, ColumnPlan::Use::kValue, ColumnPlan::Use::kSkip};
  plan.columns.resize(1);
  plan.has_time = true;
  RowBlock whole;
  std::string all;
  std::size_t rows = 0;
  std::size_t row_faults = 0;
  std::uint64_t lines = 0;
  try {
    RecordStream small(memory_source(text), dialect.separator, "fuzz", 5);
    RowBlock block;
    for (std::string chunk; small.next(chunk);) {
      all += chunk;
      parse_rows(chunk, dialect, plan, block);
      rows += block.rows();
      row_faults += block.row_faults.size();
      lines += block.line_count;
    }
  } catch (const Error&) {
    return;
  }
  fuzzing::require(all == text || all == std::string(text) + "\n");
  parse_rows(all, dialect, plan, whole);
  fuzzing::require(whole.rows() == rows && whole.row_faults.size() == row_faults);
  fuzzing::require(whole.line_count == lines);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  DataSettings settings;
  settings.layout = Layout::kWide;
  fuzzing::read_and_repair(text, settings);
  require_same_in_chunks(text);
  return 0;
}
