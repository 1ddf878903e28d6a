#include "pulsecast/data/readers/dialect.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

Dialect found(const char* head, const DataSettings& settings = {}) {
  return find_dialect(head, settings);
}

TEST(Dialect, SeparatorsAreFoundByWhatBecomesReadable) {
  EXPECT_EQ(found("date,a\n2024-01-01,1.5\n"), (Dialect{',', '.'}));
  EXPECT_EQ(found("date;a\n2024-01-01;1.5\n"), (Dialect{';', '.'}));
  EXPECT_EQ(found("date\ta\n2024-01-01\t1.5\n"), (Dialect{'\t', '.'}));
  EXPECT_EQ(found("1.5 2.5\n 3.5  4.5\n"), (Dialect{' ', '.'}));
}

TEST(Dialect, ADecimalCommaNeedsAnotherSeparator) {
  EXPECT_EQ(found("date;a;b\n2024-01-01;1,5;2,5\n"), (Dialect{';', ','}));
  EXPECT_EQ(found("date\ta\n2024-01-01\t1,5\n"), (Dialect{'\t', ','}));
  EXPECT_EQ(found("1,5\n2,5\n"), (Dialect{',', '.'}));  // two whole numbers a line
}

TEST(Dialect, SemicolonsInTextDoNotMislead) {
  EXPECT_EQ(found("date,a,b,note\n2024-01-01,1,2,x;y\n2024-01-02,3,4,z;w\n"), (Dialect{',', '.'}));
}

TEST(Dialect, SeparatorsInQuotesDoNotMislead) {
  EXPECT_EQ(found("date;\"a,b,c\"\n2024-01-01;\"1\"\n"), (Dialect{';', '.'}));
}

// A header of 60,000 names used to be all of the sample, and no column looked like stamps.
TEST(Dialect, AWideFileIsSeenWithSomeOfItsRows) {
  std::string names = "date";
  std::string row = "2024-01-01";
  for (int i = 0; i < 60'000; ++i) {
    names += ",c";
    row += ",1";
  }
  const Sample sample = take_sample(names + "\n" + row + "\n" + row + "\n", ',');
  ASSERT_EQ(sample.size(), 3u);
  EXPECT_EQ(sample[1].front(), "2024-01-01");
}

TEST(Dialect, SettingsAreObeyed) {
  DataSettings settings;
  settings.separator = Separator::kSemicolon;
  EXPECT_EQ(found("date,a\n2024-01-01,1\n", settings).separator, ';');
  settings.decimal = Decimal::kComma;
  EXPECT_EQ(found("date;a\n2024-01-01;1\n", settings).decimal, ',');
  settings.separator = Separator::kComma;
  EXPECT_THROW(found("date,a\n2024-01-01,1\n", settings), Error);
}

}  // namespace
}  // namespace pulsecast
