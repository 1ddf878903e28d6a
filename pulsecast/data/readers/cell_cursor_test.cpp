#include "pulsecast/data/readers/cell_cursor.h"

#include <gtest/gtest.h>

#include <vector>

namespace pulsecast {
namespace {

using Record = std::vector<std::string>;

std::vector<Record> records(const std::string& text, char separator = ',') {
  std::vector<Record> all;
  CellCursor cursor(text, separator);
  while (!cursor.at_end()) {
    if (cursor.skip_blank_line()) continue;
    Record& record = all.emplace_back();
    do {
      record.emplace_back(cursor.next());
    } while (!cursor.was_last() && !cursor.at_end());
  }
  return all;
}

TEST(CellCursor, PlainCells) {
  EXPECT_EQ(records("a,b\n1,,2\n,\n"), (std::vector<Record>{{"a", "b"}, {"1", "", "2"}, {"", ""}}));
}

TEST(CellCursor, CarriageReturnsBelongToTheLineEnd) {
  EXPECT_EQ(records("a,b\r\n\r\n1,2\r\n"), (std::vector<Record>{{"a", "b"}, {"1", "2"}}));
}

TEST(CellCursor, QuotesHoldSeparatorsLineEndsAndQuotes) {
  EXPECT_EQ(records("\"a,b\",\"c\nd\",\"e\"\"f\"\n \"g\" ,h\n"),
            (std::vector<Record>{{"a,b", "c\nd", "e\"f"}, {"g ", "h"}}));
}

TEST(CellCursor, AQuoteInsideACellIsACharacter) {
  EXPECT_EQ(records("5\" pipe,2\n"), (std::vector<Record>{{"5\" pipe", "2"}}));
}

TEST(CellCursor, TextAfterAClosingQuoteStaysInTheCell) {
  EXPECT_EQ(records("\"5\"x,2\n"), (std::vector<Record>{{"5x", "2"}}));
}

TEST(CellCursor, RunsOfBlanksAreOneSeparator) {
  EXPECT_EQ(records("  1.5  2\t3 \n4 5 6\r\n", ' '),
            (std::vector<Record>{{"1.5", "2", "3"}, {"4", "5", "6"}}));
}

TEST(CellCursor, LinesInsideQuotesAreCounted) {
  CellCursor cursor("\"a\nb\",c\nd\n", ',');
  cursor.next();
  EXPECT_EQ(cursor.lines(), 1U);
  cursor.next();
  EXPECT_EQ(cursor.lines(), 2U);
}

TEST(EndOfRecords, ALineEndInQuotesEndsNoRecord) {
  bool is_open = false;
  EXPECT_EQ(end_of_records("a,b\nc", ',', is_open), 4U);
  EXPECT_EQ(end_of_records("a,\"b\nc\"\nd", ',', is_open), 8U);
  EXPECT_FALSE(is_open);
  EXPECT_EQ(end_of_records("a\n\"b\nc", ',', is_open), 2U);
  EXPECT_TRUE(is_open);
  EXPECT_EQ(end_of_records("a;b\"\n", ',', is_open), 5U);  // a quote inside a cell
  EXPECT_FALSE(is_open);
}

}  // namespace
}  // namespace pulsecast
