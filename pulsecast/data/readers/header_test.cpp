#include "pulsecast/data/readers/header.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

Header header(const Sample& sample) { return find_header(sample, Dialect{}); }

TEST(Header, TextWithoutAStampIsAHeader) {
  EXPECT_TRUE(header({{"date", "0", "1"}, {"2024-01-01", "5", "6"}}).is_present);
  EXPECT_FALSE(header({{"2024-01-01", "5"}, {"2024-01-02", "6"}}).is_present);
  EXPECT_FALSE(header({{"1", "2"}, {"3", "4"}}).is_present);
  EXPECT_FALSE(header({{"A", "2024-01-01", "5"}, {"B", "2024-01-02", "6"}}).is_present);
  EXPECT_FALSE(header({{"1", "NA"}, {"3", "4"}}).is_present);
}

TEST(Header, WithoutOneColumnsAreNamedByTheirPlace) {
  EXPECT_EQ(header({{"1", "2"}}).names, (std::vector<std::string>{"1", "2"}));
}

TEST(Header, NamesAreMadeUniqueAndNeverEmpty) {
  const Header found = header({{"date", "OT", "", "OT", "OT (2)"}});
  EXPECT_EQ(found.names,
            (std::vector<std::string>{"date", "OT", "column 3", "OT (2)", "OT (2) (2)"}));
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_NE(found.notes[0].find("column 4 is called 'OT (2)'"), std::string::npos);
}

TEST(Header, BytesThatAreNotUtf8AreReadAsLatin1) {
  const Header found = header({{"date",
                                "T (\xB0"
                                "C)",
                                "PAR (\xC2\xB5mol)"}});
  EXPECT_EQ(found.names[1], "T (\u00B0C)");
  EXPECT_EQ(found.names[2], "PAR (\u00B5mol)");
  EXPECT_EQ(found.notes.size(), 1U);
}

TEST(ToUtf8, KeepsWhatIsValidAndConvertsTheRest) {
  bool was_latin1 = false;
  EXPECT_EQ(to_utf8("caf\u00E9 \U0001F600", was_latin1), "caf\u00E9 \U0001F600");
  EXPECT_FALSE(was_latin1);
  for (const char* bytes : {"\xFF", "\xC0\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xE2\x82"}) {
    was_latin1 = false;
    to_utf8(bytes, was_latin1);
    EXPECT_TRUE(was_latin1);
  }
}

}  // namespace
}  // namespace pulsecast
