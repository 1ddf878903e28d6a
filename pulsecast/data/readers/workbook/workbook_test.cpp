#include "pulsecast/data/readers/workbook/workbook.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/readers/workbook/shared_words.h"
#include "pulsecast/testing/made_workbook.h"

namespace pulsecast {
namespace {

using testing::made_workbook;
using testing::read_text;
using testing::refusal;
using testing::zipped;

const char* const kHourCells =
    "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='B1' t='inlineStr'><is><t>a</t></is></c></row>"
    "<row r='2'><c r='A2' s='2'><v>45292</v></c><c r='B2'><v>1.5</v></c></row>"
    "<row r='3'><c r='A3' s='2'><v>45292.041666666664</v></c><c r='B3'><v>1E-3</v></c></row>"
    "<row r='4'><c r='A4' s='2'><v>45292.08333333333</v></c></row>";

std::string sheet_lines(const std::string& cells, const std::vector<std::string>& words = {},
                        const std::vector<std::string>& formats = {}) {
  const NpzArchive archive(made_workbook({{"one", cells}}, words, formats), "book.xlsx");
  return Workbook(archive, "book.xlsx").read(std::nullopt).lines;
}

TEST(Workbook, ASheetIsReadAsATable) {
  const Table table = read_text(made_workbook({{"load", kHourCells}}, {"date"}));
  ASSERT_EQ(table.rows(), 3U);
  EXPECT_EQ(table.columns[0].name, "a");
  EXPECT_EQ(table.columns[0].values[1], 0.001);
  EXPECT_EQ(to_text(table.stamps[2], Zone()), "2024-01-01 02:00:00");
  EXPECT_EQ(table.lines[2], 4U);
  EXPECT_EQ(table.notes[0], "sheet 'load'");
}

TEST(Workbook, CellsAreKeptAsTheyAreWritten) {
  EXPECT_EQ(
      sheet_lines("<row><c t='s'><v>1</v></c><c t='s'><v>0</v></c></row>"
                  "<row><c t='b'><v>1</v></c><c t='b'><v>0</v></c></row>"
                  "<row><c t='e'><v>#N/A</v></c><c t='str'><v>x &amp; y</v></c></row>"
                  "<row><c><f>SUM(A1)</f><v>50.123000000000005</v></c><c t='n'><v>7</v></c></row>",
                  {"a \"b\", c", "two\nlines"}),
      "\"two lines\",\"a \"\"b\"\", c\"\nTRUE,FALSE\n#N/A,x & y\n50.123000000000005,7\n");
  // How a word is read aloud is no part of it; runs of letters in several fonts are one word.
  EXPECT_EQ(
      sheet_lines("<row><c t='s'><v>0</v></c></row>",
                  {"to</t></si><si><r><t>Kyo</t></r><r><t>to</t></r><rPh><t>kyouto</t></rPh></si>"
                   "<si><t>"}),
      "to\n");
}

TEST(Workbook, RowsAreLinesWhateverIsLeftOutAroundTheTable) {
  // A title, an empty row, and a table that begins in column C and has a gap at a row's end.
  EXPECT_EQ(
      sheet_lines("<row r='1'><c r='A1' t='str'><v>Load</v></c></row>"
                  "<row r='3'><c r='C3' t='str'><v>date</v></c><c r='E3' t='str'><v>b</v></c></row>"
                  "<row r='4'><c r='C4'><v>1</v></c><c r='D4'><v>2</v></c><c r='E4'/></row>"),
      "Load\n\ndate,,b\n1,2,\n");
}

TEST(Workbook, ASheetIsChosenByNameOrBecauseItIsTheOnlyOne) {
  const std::string rows = kHourCells;
  EXPECT_EQ(read_text(made_workbook({{"empty", ""}, {"x", rows}, {"y", rows, "hidden"}}, {"date"}))
                .notes[0],
            "sheet 'x'");
  const std::string two = made_workbook({{"north", rows}, {"south", rows}}, {"date"});
  EXPECT_NE(refusal(two).find("several sheets: north, south"), std::string::npos);
  DataSettings settings;
  settings.array = "south";
  EXPECT_EQ(read_text(two, settings).notes[0], "sheet 'south'");
  settings.array = "west";
  EXPECT_NE(refusal(two, settings).find("there are: north, south"), std::string::npos);
}

TEST(Workbook, WhatIsNoneOrBrokenIsRefusedWithTheReason) {
  const auto says = [](const std::string& bytes, const char* words) {
    const std::string message = refusal(bytes);
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says(made_workbook({{"empty", ""}}), "has no cells");
  says(made_workbook({{"x", "<row><c t='s'><v>9</v></c></row>"}}), "no word 9");
  says(made_workbook({{"x", "<row r='x'/>"}}), "'x' is no number");
  says(made_workbook({{"x", "<row><c r='7'><v>1</v></c></row>"}}), "no place");
  says(made_workbook({{"x", "<row><c r='XFE1'><v>1</v></c></row>"}}), "outside");
  says(made_workbook({{"x", "<row r='2'><c><v>1</v></c></row><row r='1'><c><v>1</v></c></row>"}}),
       "out of order");
  says(made_workbook({{"x", "<row><c></row>"}}), "damaged XML");
  says(zipped({{"xl/workbook.xml", "<!DOCTYPE x [<!ENTITY y 'z'>]><x>&y;</x>"}}, true),
       "document type");
  says(zipped({{"xl/workbook.xml", "<x/>"}}, true), "cannot be opened");
  says(zipped({{"[Content_Types].xml", "<x/>"}, {"xl/workbook.bin", "x"}}, true), ".xlsb");
  says(zipped({{"META-INF/manifest.xml", "<x/>"}, {"content.xml", "<x/>"}}, true), ".ods");
  says(zipped({{"[Content_Types].xml", "<x/>"}, {"word/document.xml", "<x/>"}}, true), "office");
}

// A million rows with one cell each in the last column would be sixteen thousand times as large.
TEST(Workbook, ASheetMayNotGrowWithoutBound) {
  std::string rows;
  for (int row = 1; row <= 70000; ++row)
    rows += fmt::format("<row r='{0}'><c r='A{0}'><v>1</v></c></row>", row);
  rows.replace(rows.find("'A1'"), 4, "'XFD1'");
  EXPECT_NE(refusal(made_workbook({{"x", rows}})).find("more than 1 GiB"), std::string::npos);
}

// A spreadsheet writes 32,767 characters at most; deflate makes a thousand bytes of one.
TEST(Workbook, ACellMayNotGrowWithoutBound) {
  const auto cell = [](std::size_t bytes) {
    return made_workbook(
        {{"x", "<row><c t='str'><v>" + std::string(bytes, 'a') + "</v></c></row>"}});
  };
  EXPECT_EQ(refusal(cell(std::size_t{1} << 20)).find("of text"), std::string::npos);
  EXPECT_NE(refusal(cell((std::size_t{1} << 20) + 1)).find("a cell has more than 1 MiB of text"),
            std::string::npos);
}

// An empty word takes memory too.
TEST(Workbook, WordsMayNotGrowWithoutBound) {
  const auto read = [](int words, const std::string& word) {
    std::string list = "<sst>";
    for (int i = 0; i < words; ++i) list += word;
    return read_words(*memory_source(list + "</sst>"), "book.xlsx", 100 * sizeof(std::string));
  };
  EXPECT_EQ(read(100, "<si/>").size(), 100U);
  EXPECT_THROW(read(101, "<si/>"), Error);
  EXPECT_THROW(read(60, "<si><t>" + std::string(sizeof(std::string), 'a') + "</t></si>"), Error);
}

TEST(Workbook, WhatAWorkbookListsMayNotGrowWithoutBound) {
  const auto many = [](const std::string& element, const std::string& number) {
    std::string all;
    for (int i = 0; i <= 65536; ++i)
      all += element + (number.empty() ? "" : std::to_string(i)) + number;
    return all;
  };
  const auto says = [](const std::map<std::string, std::string>& others, const char* words) {
    std::map<std::string, std::string> files = {
        {"xl/workbook.xml", "<workbook><sheet name='x' id='1'/></workbook>"},
        {"xl/_rels/workbook.xml.rels", "<x><Relationship Id='1' Target='worksheets/1.xml'/></x>"},
        {"xl/worksheets/1.xml", "<x><row><c><v>1</v></c></row></x>"}};
    for (const auto& [name, bytes] : others) files[name] = bytes;
    const std::string message = refusal(zipped(files, true));
    EXPECT_NE(message.find(words), std::string::npos) << message;
  };
  says({{"xl/workbook.xml", "<x>" + many("<sheet name='x' id='1'/>", "") + "</x>"}},
       "more than 65,536 sheets");
  says({{"xl/_rels/workbook.xml.rels", "<x>" + many("<Relationship Id='", "'/>") + "</x>"}},
       "more than 65,536 relations");
  says({{"xl/styles.xml", "<x><cellXfs>" + many("<xf/>", "") + "</cellXfs></x>"}},
       "more than 65,536 formats");
  says({{"xl/styles.xml", "<x>" + many("<numFmt numFmtId='", "'/>") + "</x>"}},
       "more than 65,536 formats");
}

TEST(SerialStamp, FormatsSayWhatANumberIs) {
  for (const char* code :
       {"General", "0.00", "#,##0.00 \"days\"", "0.00E+00", "[$EUR-407] 0", "0\\d", "_(* 0", "0.0%",
        "@", "[Red]0;[Blue]-0", "[h]:mm", "[mm]:ss", ""}) {
    EXPECT_FALSE(stamp_format(code).is_stamp()) << code;
  }
  for (const char* code : {"yyyy-mm-dd", "dd/mm/yyyy", "mmm yy", "[$-407]d. mmmm yyyy", "mmm"}) {
    EXPECT_TRUE(stamp_format(code).has_date) << code;
    EXPECT_FALSE(stamp_format(code).has_time) << code;
  }
  EXPECT_TRUE(stamp_format("yyyy-mm-dd hh:mm").has_time);
  EXPECT_FALSE(stamp_format("hh:mm:ss").has_date);
  EXPECT_TRUE(stamp_format("hh:mm:ss.000").has_fraction);
}

TEST(SerialStamp, NumbersOfDaysAreStamps) {
  const StampFormat date{.has_date = true};
  const StampFormat both{.has_date = true, .has_time = true};
  const StampFormat time{.has_time = true};
  const StampFormat fine{.has_date = true, .has_time = true, .has_fraction = true};
  EXPECT_EQ(serial_stamp(45292, date, false), "2024-01-01");
  EXPECT_EQ(serial_stamp(45292.5, date, false), "2024-01-01 12:00:00");
  EXPECT_EQ(serial_stamp(45292, both, false), "2024-01-01 00:00:00");
  EXPECT_EQ(serial_stamp(0.75, time, false), "18:00:00");
  EXPECT_EQ(serial_stamp(45292.75, time, false), "2024-01-01 18:00:00");
  EXPECT_EQ(serial_stamp(43830, date, true), "2024-01-01");
  // Excel has a 29th of February in 1900.
  EXPECT_EQ(serial_stamp(1, date, false), "1900-01-01");
  EXPECT_EQ(serial_stamp(61, date, false), "1900-03-01");
  // A sum of hours: 45292 + 1 / 24 + ... is never quite whole.
  EXPECT_EQ(serial_stamp(45292.04166665, both, false), "2024-01-01 01:00:00");
  EXPECT_EQ(serial_stamp(45292.0000028935, fine, false), "2024-01-01 00:00:00.250");
  EXPECT_EQ(serial_stamp(-1, date, false), std::nullopt);
  EXPECT_EQ(serial_stamp(3e6, date, false), std::nullopt);
  EXPECT_EQ(serial_stamp(2958465.9999999, both, false), std::nullopt);
}

}  // namespace
}  // namespace pulsecast
