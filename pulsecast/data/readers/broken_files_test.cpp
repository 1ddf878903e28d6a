// Broken files, each with what a person is told: refused at once, or read with the fault listed.
// A row here is a file, the settings that go with it, and words that the message must have.

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <regex>

#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/settings/door_words.h"

namespace pulsecast {
namespace {

using namespace std::string_literals;

struct BrokenFile {
  const char* name;
  std::string text;
  std::vector<std::string> words;  // all of them, in the one message
  std::function<void(DataSettings&)> change = [](DataSettings&) {};
};

// What reading and repairing are refused with.
std::optional<Error> refusal_of(const BrokenFile& file) {
  DataSettings settings;
  file.change(settings);
  try {
    repair(testing::read_text(file.text, settings), settings);
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

// As the program shows it.
std::string message_of(const BrokenFile& file) {
  const std::optional<Error> error = refusal_of(file);
  return error ? to_text(*error, CommandLineWords()) : "";
}

const std::vector<BrokenFile>& broken_files() {
  static const std::vector<BrokenFile> files = {
      // Not a table at all.
      {"empty", "", {"file.csv", "the file is empty"}},
      {"only a byte-order mark", "\xEF\xBB\xBF", {"the file is empty"}},
      {"blank lines", "\n\n  \n", {"nothing but blank lines"}},
      {"header alone", "date,a,b\n", {"file.csv", "a header of 3 columns and no rows below it"}},
      {"header without a line end", "load", {"file.csv", "a header of 1 column and no rows"}},
      {"header alone, stamps named",
       "when,a\n\n\n",
       {"file.csv", "a header of 2 columns and no rows below it"},
       [](DataSettings& s) { s.time_column = "when"; }},
      {"header and blank rows",
       "date,a\n" + std::string(300'000, '\n'),
       {"file.csv", "a header of 2 columns and no rows below it"},
       [](DataSettings& s) { s.time_column = "date"; }},
      {"zero bytes", "date,a\n2024-01-01,\0\n"s, {"not text", "bytes of zero"}},
      {"UTF-16", "\xFF\xFE"s + "d\0a\0t\0e\0"s, {"UTF-16", "iconv -f UTF-16"}},
      {"Parquet", "PAR1\x15\x04\x15", {"Parquet", "as CSV"}},
      {"HDF5", "\x89HDF\r\n\x1A\n", {"HDF5"}},
      {"old Excel", "\xD0\xCF\x11\xE0\xA1\xB1", {"Excel", "Save it as .xlsx or CSV"}},
      {"bzip2", "BZh91AY&SY", {"compressed", "gzip"}},
      {"xz", "\xFD"s + "7zXZ\0"s, {"compressed", "gzip"}},
      {"zstandard", "\x28\xB5\x2F\xFD\x04", {"compressed", "gzip"}},
      {"cut gzip", "\x1f\x8b\x08\x00\x00"s, {"gzip data end in the middle", "cut short"}},
      {"damaged gzip", "\x1f\x8b\x07\x00\x00\x00\x00\x00\x00\x03zz"s, {"gzip data are damaged"}},
      {"carriage returns alone", "date,a\r2024-01-01,1\r", {"carriage return", "tr '\\r' '\\n'"}},
      {"prose", "It was a dark night.\nThe wind blew.\n", {"no column of stamps"}},
      {"JSON", "{\"a\": [1, 2]}\n{\"a\": [3, 4]}\n", {"no column of stamps"}},
      // Stamps.
      {"no time column", "a,b\n1,2\n3,4\n", {"no column of stamps", "--start", "--step", "a, b"}},
      {"time column misnamed",
       "date,a\n2024-01-01,1\n",
       {"file.csv: --time-column: there is no column 'dat'", "Did you mean 'date'"},
       [](DataSettings& s) { s.time_column = "dat"; }},
      {"start beside a time column",
       "date,a\n2024-01-01,1\n",
       {"--time-column: contradicts 'start'", "Give one of them"},
       [](DataSettings& s) {
         s.time_column = "date";
         s.start = "2024-01-01";
       }},
      {"day or month first",
       "date,a\n01/02/2024,1\n02/02/2024,2\n",
       {"file.csv:2", "01/02/2024", "--day-order day-first", "--day-order month-first"}},
      {"two orders",
       "date,a\n25/01/2024,1\n01/26/2024,2\n27/01/2024,3\n",
       {"file.csv:3", "two orders", "25/01/2024", "01/26/2024"}},
      {"seconds and milliseconds",
       "ts,a\n1719835200,1\n1719838800000,2\n",
       {"cannot be told apart", "1 of them look like seconds, 1 like milliseconds"}},
      {"row numbers as time", "time,a\n1,1\n2,2\n3,3\n", {"cannot be told apart", "--time-column"}},
      {"a stamp that is none",
       "date,a\n2024-01-01,1\nsoon,2\n2024-01-03,3\n",
       {"file.csv:3", "'soon' cannot be read", "2024-07-01 13:45", "--bad-rows drop"}},
      {"an empty stamp",
       "date,a\n2024-01-01,1\n,2\n2024-01-03,3\n",
       {"file.csv:3", "the stamp is empty", "--bad-rows drop"}},
      {"30 February",
       "date,a\n2024-02-28,1\n2024-02-30,2\n2024-03-01,3\n",
       {"file.csv:3", "'2024-02-30' cannot be read"}},
      {"25 o'clock",
       "date,a\n2024-01-01 23:00,1\n2024-01-01 25:00,2\n",
       {"file.csv:3", "'2024-01-01 25:00' cannot be read"}},
      {"year of two digits",
       "date,a\n2024-01-01,1\n01/02/24,2\n2024-01-03,3\n",
       {"file.csv:3", "'01/02/24' cannot be read"}},
      {"another form",
       "date,a\n2024-01-01,1\n13/01/2024,2\n2024-01-03,3\n",
       {"file.csv:3", "another form than the rest"}},
      {"an offset missing",
       "date,a\n2024-01-01T00:00Z,1\n2024-01-01T01:00,2\n2024-01-01T02:00Z,3\n",
       {"file.csv:3", "has no offset while the rest have one"}},
      {"skipped hour",
       "date,a\n2016-03-27 01:00,1\n2016-03-27 02:00,2\n2016-03-27 03:00,3\n",
       {"file.csv:3", "the clocks of Europe/Berlin skip 2016-03-27 02:00", "--bad-rows drop"},
       [](DataSettings& s) { s.time_zone = "Europe/Berlin"; }},
      {"unknown zone",
       "date,a\n2024-01-01,1\n",
       {"'Europe/Berln' is not a zone", "Europe/Berlin"},
       [](DataSettings& s) { s.time_zone = "Europe/Berln"; }},
      {"no stamp that can be read",
       "date,a\nx,1\n2024-01-01,2\n",
       {"file.csv:2", "'x' cannot be read"}},
      {"newest first",
       "date,a\n2024-01-03,1\n2024-01-02,2\n2024-01-01,3\n",
       {"file.csv:3", "--order sort"}},
      {"one row out of order",
       "date,a\n2024-01-01,1\n2024-01-03,3\n2024-01-02,2\n2024-01-04,4\n",
       {"file.csv:4", "2024-01-02 00:00:00 comes after 2024-01-03", "--order sort"}},
      {"repeated stamp",
       "date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-02,3\n2024-01-03,4\n",
       {"file.csv:4", "was in line 3 already", "--duplicates first", "--duplicates mean"}},
      {"missing row",
       "date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-04,4\n2024-01-05,5\n",
       {"1 value is missing", "'a' has none at 2024-01-03", "--fill previous"}},
      {"between two steps",
       "date,a\n2024-01-01 00:00,1\n2024-01-01 01:00,2\n2024-01-01 02:07,3\n2024-01-01 03:00,4\n"
       "2024-01-01 04:00,5\n2024-01-01 05:00,6\n",
       {"file.csv:4", "2024-01-01 02:07:00 lies between two steps of 1h", "--resample 1h"}},
      {"mistyped year",
       "date,a\n2024-01-01,1\n2024-01-02,2\n2924-01-03,3\n",
       {"3 rows spread over", "a stamp is wrong"}},
      {"a single row", "date,a\n2024-01-01,1\n", {"no step can be found", "1 row has", "--step"}},
      {"all stamps the same", "date,a\n2024-01-01,1\n2024-01-01,2\n", {"no step can be found"}},
      // Cells.
      {"a cell too few",
       "date,a,b\n2024-01-01,1,2\n2024-01-02,3\n",
       {"file.csv:3", "2 cells where the first line has 3", "--bad-rows drop"}},
      {"a cell too many",
       "date,a\n2024-01-01,1\n2024-01-02,3,4\n",
       {"file.csv:3", "3 cells where the first line has 2"}},
      {"header shorter than every row",
       "date,a\n2024-01-01,1,2\n2024-01-02,3,4\n",
       {"file.csv:2", "no row can be read from 2 lines", "3 cells where the first line has 2"}},
      {"header shorter than its one row",
       "date,a\n2024-01-01,1,2\n",
       {"file.csv:2", "no row can be read from 1 line;"}},
      {"a cell alone",
       "date,a\n2024-01-01,1\n2024-01-02\n2024-01-03,3\n",
       {"file.csv:3", "1 cell where the first line has 2", "1 line cannot become a row."}},
      {"open quote",
       "date,a\n2024-01-01,1\n2024-01-02,\"2\n2024-01-03,3\n",
       {"file.csv:3", "a quote is opened in this line and not closed"}},
      {"empty cell",
       "date,a\n2024-01-01,1\n2024-01-02,\n2024-01-03,3\n",
       {"1 value is missing in 1 of 1 channel;", "2024-01-02", "--fill"}},
      {"text in a cell",
       "date,a\n2024-01-01,1\n2024-01-02,oops\n2024-01-03,3\n",
       {"1 value is missing", "2024-01-02", "--fill"}},
      {"infinite cell",
       "date,a\n2024-01-01,1\n2024-01-02,inf\n2024-01-03,3\n",
       {"1 value is missing", "--fill"}},
      {"thousands with commas in quotes",
       "date,a\n2024-01-01,\"1,234\"\n2024-01-02,5\n2024-01-03,6\n",
       {"1 value is missing", "2024-01-01"}},
      {"a column of text",
       "date,a,comment\n2024-01-01,1,fine\n2024-01-02,2,fine\n2024-01-03,3,rain\n",
       {"file.csv:2", "column 'comment'", "a column of text: 3 cells hold no number",
        "--ignore comment"}},
      {"rows of many series",
       "store,day,a,b\nx,2024-01-01,1,5\nx,2024-01-02,2,6\ny,2024-01-01,1,7\ny,2024-01-02,4,6\n",
       {"once for each value of 'store'", "--layout long --id-column store --value-column a",
        "--value-column b"}},
      {"a wall clock without its zone",
       "date,a\n2023-10-29 00:00,1\n2023-10-29 01:00,2\n2023-10-29 02:00,3\n2023-10-29 02:00,4\n"
       "2023-10-29 03:00,5\n2023-10-29 04:00,6\n",
       {"2023-10-29 02:00:00 comes twice", "--time-zone Europe/Berlin",
        "--time-zone Europe/Paris"}},
      {"nothing but stamps", "date\n2024-01-01\n2024-01-02\n", {"no column of values"}},
      {"no period to fill by",
       "date,a\n2024-01-01,1\n2024-01-02,\n2024-01-03,3\n",
       {"--fill: seasonal needs a period", "--period 24"},
       [](DataSettings& s) { s.fill = Fill::kSeasonal; }},
      // Settings that do not go with the file.
      {"separator and decimal both comma",
       "date,a\n2024-01-01,1\n",
       {"--separator: a comma cannot be the decimal mark too", "--decimal"},
       [](DataSettings& s) {
         s.separator = Separator::kComma;
         s.decimal = Decimal::kComma;
       }},
      {"role of a column that is not there",
       "date,load\n2024-01-01,1\n",
       {"--target: there is no column 'laod'", "Did you mean 'load'"},
       [](DataSettings& s) { s.target = {"laod"}; }},
      {"two roles",
       "date,load\n2024-01-01,1\n",
       {"'load' is given two roles, target and known"},
       [](DataSettings& s) {
         s.target = {"load"};
         s.known = {"load"};
       }},
      {"a role for the stamps",
       "date,load\n2024-01-01,1\n",
       {"--known: column 'date' holds the stamps"},
       [](DataSettings& s) { s.known = {"date"}; }},
      {"drop of a column that is not there",
       "date,load\n2024-01-01,1\n2024-01-02,1\n",
       {"--drop: there is no column or series 'x'"},
       [](DataSettings& s) { s.drop = {"x"}; }},
      {"everything dropped",
       "date,load\n2024-01-01,1\n2024-01-02,1\n",
       {"--drop: leaves nothing over"},
       [](DataSettings& s) { s.drop = {"load"}; }},
      {"long without its columns",
       "date,load\n2024-01-01,1\n",
       {"--id-column: there is no column 'unique_id'; the columns are: date, load"},
       [](DataSettings& s) { s.layout = Layout::kLong; }},
      {"start without step",
       "1,2\n3,4\n",
       {"no column of stamps", "--step"},
       [](DataSettings& s) { s.start = "2024-01-01"; }},
      {"start that is no stamp",
       "1,2\n3,4\n",
       {"--start", "'monday'", "cannot be read"},
       [](DataSettings& s) {
         s.start = "monday";
         s.step = "1h";
       }},
      {"past the year 9999",
       "1,2\n3,4\n",
       {"2 rows of", "go past the year 9999"},
       [](DataSettings& s) {
         s.start = "9999-12-30";
         s.step = "5d";
       }},
      {"step that is no step",
       "1,2\n3,4\n",
       {"'often'"},
       [](DataSettings& s) {
         s.start = "2024-01-01";
         s.step = "often";
       }},
      {"grid of rows over several series",
       "unique_id,ds,y\nA,2024-01-01,1\nB,2024-01-01,2\nA,2024-01-02,1\nB,2024-01-02,2\n",
       {"--grid: rows as they come are those of one series, and there are 2"},
       [](DataSettings& s) { s.grid = Grid::kRows; }},
  };
  return files;
}

TEST(BrokenFiles, ThereAreEnoughOfThem) { EXPECT_GE(broken_files().size(), 50U); }

TEST(BrokenFiles, EachIsRefusedWithTheMessageAPersonWants) {
  for (const BrokenFile& file : broken_files()) {
    const std::string message = message_of(file);
    EXPECT_FALSE(message.empty()) << file.name << " was not refused";
    for (const std::string& word : file.words) {
      EXPECT_NE(message.find(word), std::string::npos)
          << file.name << ": expected '" << word << "' in:\n  " << message;
    }
  }
}

// A refusal names the file, and is a sentence or more, never a bare code.
TEST(BrokenFiles, EveryMessageSaysWhere) {
  for (const BrokenFile& file : broken_files()) {
    const std::optional<Error> error = refusal_of(file);
    ASSERT_TRUE(error.has_value()) << file.name;
    EXPECT_FALSE(error->where().empty()) << file.name << ": " << error->what();
    EXPECT_GT(message_of(file).size(), 20U) << file.name;
  }
}

TEST(BrokenFiles, NoMessageSaysOneInThePlural) {
  const std::regex plural(
      "(^|[^0-9.:-])1 (rows|lines|cells|values|steps|columns|channels|stamps)\\b");
  for (const BrokenFile& file : broken_files()) {
    const std::string message = message_of(file);
    EXPECT_FALSE(std::regex_search(message, plural)) << file.name << ": " << message;
  }
}

}  // namespace
}  // namespace pulsecast
