#include "pulsecast/data/series/split.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/settings/recipes.h"

namespace pulsecast {
namespace {

// Hours from 2017-06-30 00:00 UTC on.
std::vector<Instant> hours(std::size_t count) {
  std::vector<Instant> stamps;
  for (std::size_t i = 0; i < count; ++i) {
    stamps.push_back({1498780800000 + static_cast<std::int64_t>(i) * 3600000});
  }
  return stamps;
}

Split of_rows(std::string_view text, std::size_t rows) {
  return parse_split(text, hours(rows), Zone());
}

std::string refusal(std::string_view text, std::size_t rows, ErrorKind kind) {
  try {
    of_rows(text, rows);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.message();
  }
  return "taken";
}

TEST(Split, SharesFloorTrainAndTest) {
  // 52696 rows as Weather: 36887.2 and 10539.2.
  EXPECT_EQ(of_rows("0.7,0.1,0.2", 52696), (Split{{0, 36887}, {36887, 42157}, {42157, 52696}}));
  EXPECT_EQ(of_rows("weather", 52696), of_rows("0.7,0.1,0.2", 52696));
  EXPECT_EQ(of_rows("PEMS04", 16992), (Split{{0, 10195}, {10195, 13594}, {13594, 16992}}));
}

TEST(Split, ProtocolOfETTLeavesTheRestUnused) {
  EXPECT_EQ(of_rows("ETTh1", 17420), (Split{{0, 8640}, {8640, 11520}, {11520, 14400}}));
  EXPECT_EQ(of_rows("ETTm2", 69680), (Split{{0, 34560}, {34560, 46080}, {46080, 57600}}));
  EXPECT_EQ(refusal("ETTh1", 14399, ErrorKind::kData),
            "8640 rows for training, 2880 for validation and 2880 for test were asked for, but "
            "the file has 14399 rows");
}

TEST(Split, CountsAreTakenAsTheyAre) {
  EXPECT_EQ(of_rows("10,5,5", 100), (Split{{0, 10}, {10, 15}, {15, 20}}));
  EXPECT_NE(refusal("18446744073709551615,1,1", 100, ErrorKind::kData), "taken");
}

TEST(Split, DatesBeginValidationAndTest) {
  EXPECT_EQ(of_rows("2017-07-01,2017-07-02 12:00", 100), (Split{{0, 24}, {24, 60}, {60, 100}}));
  // A date between two rows begins with the next one.
  EXPECT_EQ(of_rows("2017-06-30 23:30,2017-07-02", 100), (Split{{0, 24}, {24, 48}, {48, 100}}));
  EXPECT_EQ(refusal("2017-07-01,2018-01-01", 100, ErrorKind::kData),
            "validation is to begin at 2017-07-01 00:00:00 and test at 2018-01-01 00:00:00, but "
            "training before them and test after them need rows, and the stamps go from "
            "2017-06-30 00:00:00 to 2017-07-04 03:00:00");
  EXPECT_NE(refusal("2017-07-02,2017-07-01", 100, ErrorKind::kData), "taken");
  EXPECT_NE(refusal("2017-06-30,2017-07-01", 100, ErrorKind::kData), "taken");
}

// Known columns that run ahead of the targets are not rows to learn from or to score.
TEST(Split, OfASeriesEndsWithItsTargets) {
  Series series;
  series.stamps = hours(12);
  series.channels.push_back({"load", Role::kTarget, std::vector<double>(12, 1.0)});
  series.channels.push_back({"holiday", Role::kKnown, std::vector<double>(12, 0.0)});
  series.channels[0].values[10] = series.channels[0].values[11] = NAN;
  EXPECT_EQ(parse_split("0.6,0.2,0.2", series), of_rows("0.6,0.2,0.2", 10));
}

TEST(Split, RefusesWhatIsNoSplit) {
  EXPECT_EQ(refusal("0.7,0.2,0.2", 100, ErrorKind::kUsage),
            "the shares of training, validation and test must be above 0 and add up to 1; 0.7 + "
            "0.2 + 0.2 = 1.0999999999999999");
  EXPECT_NE(refusal("nan,0.1,0.2", 100, ErrorKind::kUsage), "taken");
  EXPECT_NE(refusal("1.0,0.0,0.0", 100, ErrorKind::kUsage), "taken");
  const std::string message = refusal("ETTh3", 100, ErrorKind::kUsage);
  EXPECT_NE(message.find("got 'ETTh3'. Did you mean 'ETTh1' or 'ETTh2'?"), std::string::npos)
      << message;
  EXPECT_NE(refusal("", 100, ErrorKind::kUsage), "taken");
  EXPECT_NE(refusal("1,2,3,4", 100, ErrorKind::kUsage), "taken");
}

TEST(Dataset, AreTheEighteenOfThePaper) {
  std::set<std::string_view> names;
  for (const Dataset& dataset : datasets()) {
    EXPECT_TRUE(names.insert(dataset.name).second) << dataset.name;
    EXPECT_GT(dataset.channels, 0u) << dataset.name;
    EXPECT_TRUE(dataset.sha256.empty() || dataset.sha256.size() == 64) << dataset.name;
    if (dataset.rows == 0) continue;
    // What the registry prints is what its protocol does.
    EXPECT_EQ(of_rows(protocol_text(dataset), dataset.rows), of_rows(dataset.name, dataset.rows))
        << dataset.name;
  }
  EXPECT_EQ(names.size(), 18u);
  EXPECT_EQ(find_dataset("electricity")->channels, 321u);
  EXPECT_EQ(find_dataset("nothing"), nullptr);
}

TEST(Dataset, RecipesUseItsPeriods) {
  for (const Recipe& recipe : recipes()) {
    const Dataset* dataset = find_dataset(recipe.dataset);
    ASSERT_NE(dataset, nullptr) << recipe.dataset;
    EXPECT_EQ(dataset->period, recipe.period) << recipe.dataset;
  }
}

}  // namespace
}  // namespace pulsecast
