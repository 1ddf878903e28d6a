#include "pulsecast/data/readers/record_stream.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/data/readers/cell_cursor.h"

namespace pulsecast {
namespace {

std::vector<std::string> chunks(std::string_view text, std::size_t bytes) {
  RecordStream stream(memory_source(text), ',', "file.csv", bytes);
  std::vector<std::string> all;
  for (std::string chunk; stream.next(chunk);) all.push_back(chunk);
  return all;
}

TEST(RecordStream, ChunksJoinToTheTextWhateverTheirSize) {
  const std::string text =
      "date,a\n2024-01-01,\"x\ny\"\n\n2024-01-02,\"\"\"q\"\"\"\n2024-01-03,5\n";
  for (std::size_t bytes = 1; bytes < text.size() + 2; ++bytes) {
    std::string joined;
    for (const std::string& chunk : chunks(text, bytes)) {
      bool is_open = false;
      EXPECT_EQ(end_of_records(chunk, ',', is_open), chunk.size()) << bytes;
      joined += chunk;
    }
    EXPECT_EQ(joined, text) << bytes;
  }
}

TEST(RecordStream, TheLastLineGetsItsEnd) {
  EXPECT_EQ(chunks("a\nb", 100), (std::vector<std::string>{"a\nb\n"}));
}

TEST(RecordStream, AnOpenQuoteIsRefusedWithItsLine) {
  try {
    chunks("date,a\n2024-01-01,1\n2024-01-02,\"2\n2024-01-03,3\n", 8);
    FAIL() << "was not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.where(), "file.csv:3");
    EXPECT_NE(error.message().find("a quote is opened"), std::string::npos);
  }
}

}  // namespace
}  // namespace pulsecast
