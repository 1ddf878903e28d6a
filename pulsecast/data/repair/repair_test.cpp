#include "pulsecast/data/repair/repair.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/testing.h"

namespace pulsecast {
namespace {

using testing::read_text;
using Values = std::vector<double>;

Repaired mend(std::string_view text, const DataSettings& settings) {
  return repair(read_text(text, settings), settings);
}

bool mentions(const Repaired& repaired, const char* words) {
  for (const std::string& repair : repaired.repairs) {
    if (repair.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(Resample, ByWhatEachColumnIs) {
  const std::string text =
      "date,a,b,c\n2024-01-01 00:00,1,1,9\n2024-01-01 00:30,3,2,4\n2024-01-01 01:00,5,3,1\n"
      "2024-01-01 01:30,7,4,2\n";
  DataSettings settings;
  settings.resample = "1h";
  settings.resample_by = {"last", "b=sum", "c=max"};
  const Series series = repair(testing::read_text(text, settings), settings).series;
  EXPECT_EQ(series.channels[0].values, (std::vector<double>{3, 7}));
  EXPECT_EQ(series.channels[1].values, (std::vector<double>{3, 7}));
  EXPECT_EQ(series.channels[2].values, (std::vector<double>{9, 2}));
  for (const char* wrong : {"median", "x=sum"}) {
    settings.resample_by = {wrong};
    EXPECT_THROW(repair(testing::read_text(text, settings), settings), Error) << wrong;
  }
}

TEST(Resample, RowsWithoutAStepAreBroughtToARoundOne) {
  std::string text = "date,a\n";
  std::int64_t at = 1'704'067'200'000;
  for (std::int64_t i = 0; i < 50; ++i) {
    text += to_text(Instant{at}, Zone()) + ",1\n";
    at += (26 + i % 5) * 60'000;
  }
  const Diagnosis diagnosis = examine(testing::read_text(text), {});
  ASSERT_EQ(std::ranges::count(diagnosis.findings, Finding::Kind::kUnevenStep, &Finding::kind), 1);
  EXPECT_TRUE(std::ranges::any_of(diagnosis.remedies, [](const Remedy& remedy) {
    return remedy.settings[0].setting == "resample" && remedy.settings[0].value == "30min";
  }));
}

TEST(Repair, ACleanTableIsTakenAsItIs) {
  const Repaired result = mend("date,a,b\n2024-01-01,1,2\n2024-01-02,3,4\n", {});
  EXPECT_TRUE(result.repairs.empty());
  EXPECT_EQ(result.series.step.to_string(), "1d");
  ASSERT_EQ(result.series.channels.size(), 2U);
  EXPECT_EQ(result.series.channels[1].values, (Values{2, 4}));
  EXPECT_EQ(result.series.rows(), 2U);
}

TEST(Repair, EveryFlagDoesItsRepairAndSaysSo) {
  const char* text =
      "date,a\n2024-01-02,2\n2024-01-01,1\n2024-01-04,4\n2024-01-04,6\nsoon,9\n2024-01-06,6\n"
      "2024-01-07,7\n2024-01-08,8\n";
  DataSettings settings;
  settings.bad_rows = BadRows::kDrop;
  settings.order = Order::kSort;
  settings.duplicates = Duplicates::kMean;
  settings.fill = Fill::kLinear;
  const Repaired result = mend(text, settings);
  EXPECT_EQ(result.series.channels[0].values, (Values{1, 2, 3.5, 5, 5.5, 6, 7, 8}));
  EXPECT_TRUE(mentions(result, "1 line left out"));
  EXPECT_TRUE(mentions(result, "1 row sorted into its place"));
  EXPECT_TRUE(mentions(result, "1 repeated stamp: the mean kept"));
  EXPECT_TRUE(mentions(result, "2 missing values filled with a straight line"));
  settings.duplicates = Duplicates::kFirst;
  EXPECT_EQ(mend(text, settings).series.channels[0].values[3], 4);
}

TEST(Repair, OneOfAThingIsSingular) {
  DataSettings settings;
  settings.fill = Fill::kNone;
  EXPECT_TRUE(mentions(mend("date,a\n2024-01-01,1\n2024-01-02,\n2024-01-03,3\n", settings),
                       "1 missing value left as a gap"));
  settings.fill = Fill::kLinear;
  EXPECT_TRUE(mentions(mend("date,a\n2024-01-01,1\n2024-01-02,\n2024-01-03,3\n", settings),
                       "1 missing value filled with"));
  EXPECT_TRUE(mentions(mend("date,a,b\n2024-01-01,,1\n2024-01-02,2,2\n2024-01-03,3,3\n", settings),
                       "1 missing value at the edges has nothing to fill from and stays a gap"));
}

TEST(Repair, NoFlagTakenAwayGoesUnnoticed) {
  const char* text =
      "date,a\n2024-01-02,2\n2024-01-01,1\n2024-01-04,4\n2024-01-04,6\nsoon,9\n2024-01-06,6\n"
      "2024-01-07,7\n2024-01-08,8\n";
  DataSettings all;
  all.bad_rows = BadRows::kDrop;
  all.order = Order::kSort;
  all.duplicates = Duplicates::kMean;
  all.fill = Fill::kLinear;
  for (int flag = 0; flag < 4; ++flag) {
    DataSettings settings = all;
    if (flag == 0) settings.bad_rows = BadRows::kRefuse;
    if (flag == 1) settings.order = Order::kRefuse;
    if (flag == 2) settings.duplicates = Duplicates::kRefuse;
    if (flag == 3) settings.fill = Fill::kRefuse;
    EXPECT_THROW(mend(text, settings), Error) << flag;
  }
}

TEST(Repair, FillNoneLeavesGapsPerChannel) {
  DataSettings settings;
  settings.fill = Fill::kNone;
  const Repaired result =
      mend("date,a,b\n2024-01-01,1,1\n2024-01-02,,2\n2024-01-03,3,3\n2024-01-05,5,5\n", settings);
  const auto& channels = result.series.channels;
  ASSERT_EQ(result.series.rows(), 5U);
  EXPECT_TRUE(std::isnan(channels[0].values[1]));
  EXPECT_EQ(channels[1].values[1], 2);
  EXPECT_TRUE(std::isnan(channels[1].values[3]));
}

TEST(Repair, SeasonalFillUsesThePeriodGiven) {
  DataSettings settings;
  settings.fill = Fill::kSeasonal;
  settings.period = 2;
  EXPECT_EQ(mend("date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-03,\n2024-01-04,4\n", settings)
                .series.channels[0]
                .values,
            (Values{1, 2, 1, 4}));
}

TEST(Repair, LongSeriesBeginAndEndAtTheirOwnTimes) {
  const Repaired result =
      mend("unique_id,ds,y\nA,2024-01-01,1\nA,2024-01-02,2\nB,2024-01-02,5\nB,2024-01-03,6\n", {});
  ASSERT_EQ(result.series.channels.size(), 2U);
  EXPECT_EQ(result.series.channels[0].name, "A");
  EXPECT_EQ(result.series.rows(), 3U);
  EXPECT_EQ(result.series.channels[0].rows(), (RowRange{0, 2}));  // A has ended
  EXPECT_EQ(result.series.channels[1].rows(), (RowRange{1, 3}));  // B has not begun
  EXPECT_EQ(result.series.channels[1].values, (Values{5, 6}));
  EXPECT_TRUE(std::isnan(result.series.channels[1].at(0)));
  EXPECT_TRUE(result.repairs.empty());
}

TEST(Repair, AGapInsideALongSeriesIsAGap) {
  EXPECT_THROW(mend("unique_id,ds,y\nA,2024-01-01,1\nA,2024-01-02,2\nA,2024-01-03,3\n"
                    "B,2024-01-01,5\nB,2024-01-03,6\n",
                    {}),
               Error);
}

TEST(Repair, KnownColumnsRunAheadOfTheTargets) {
  DataSettings settings;
  settings.known = {"holiday"};
  const Repaired result =
      mend("date,load,holiday\n2024-01-01,1,0\n2024-01-02,2,1\n2024-01-03,,0\n2024-01-04,,1\n",
           settings);
  EXPECT_TRUE(result.repairs.empty());
  ASSERT_EQ(result.series.rows(), 4U);
  EXPECT_TRUE(std::isnan(result.series.channels[0].values[3]));
  EXPECT_EQ(result.series.channels[1].values, (Values{0, 1, 0, 1}));
  // The same rows without a known column are gaps.
  DataSettings none;
  none.ignore = {"holiday"};
  EXPECT_THROW(mend("date,load,holiday\n2024-01-01,1,0\n2024-01-02,2,1\n2024-01-03,,0\n", none),
               Error);
}

TEST(Repair, ChannelsComeByRole) {
  DataSettings settings;
  settings.target = {"c"};
  settings.known = {"b"};
  const Series series = mend("date,a,b,c\n2024-01-01,1,2,3\n2024-01-02,4,5,6\n", settings).series;
  EXPECT_EQ(series.channels[0].name, "c");
  EXPECT_EQ(series.channels[1].name, "b");
  EXPECT_EQ(series.channels[2].name, "a");
}

TEST(Repair, ResamplingTakesMeansOverWholeHours) {
  DataSettings settings;
  settings.resample = std::string("1h");
  const Series series = mend(
                            "date,a\n2024-01-01 00:20,1\n2024-01-01 00:40,3\n"
                            "2024-01-01 01:05,5\n2024-01-01 02:59,7\n",
                            settings)
                            .series;
  EXPECT_EQ(series.channels[0].values, (Values{2, 5, 7}));
  EXPECT_EQ(to_text(series.stamps[0], Zone()), "2024-01-01 00:00:00");
}

TEST(Repair, GridRowsTakesRowsAsTheyCome) {
  DataSettings settings;
  settings.grid = Grid::kRows;
  const Series series =
      mend("date,a\n2024-01-01,1\n2024-01-02,2\n2024-01-02,3\n2024-01-09,4\n", settings).series;
  EXPECT_EQ(series.rows(), 4U);
  EXPECT_EQ(series.channels[0].values, (Values{1, 2, 3, 4}));
}

TEST(Repair, DaysOf23And25HoursHaveNoGap) {
  DataSettings settings;
  settings.time_zone = std::string("Europe/Berlin");
  std::string text = "date,a\n";
  const Zone berlin = Zone::named("Europe/Berlin");
  // A year of hours as the wall clock shows them.
  for (std::int64_t hour = 0; hour < 8784; ++hour) {
    text += to_text(Instant{1'451'602'800'000 + hour * 3'600'000}, berlin) + ",1\n";
  }
  const Repaired result = mend(text, settings);
  EXPECT_TRUE(result.repairs.empty());
  EXPECT_EQ(result.series.rows(), 8784U);
}

TEST(Repair, MonthEndsAreAnEvenGrid) {
  const Series series =
      mend("date,a\n2024-01-31,1\n2024-02-29,2\n2024-03-31,3\n2024-04-30,4\n2024-05-31,5\n", {})
          .series;
  EXPECT_EQ(series.step.to_string(), "1me");
  EXPECT_EQ(series.channels[0].values, (Values{1, 2, 3, 4, 5}));
}

TEST(Repair, DropTakesOutAColumnOrASeries) {
  DataSettings settings;
  settings.drop = {"b"};
  EXPECT_EQ(mend("date,a,b\n2024-01-01,1,\n2024-01-02,3,x\n", settings).series.channels.size(), 1U);
  settings.drop = {"B"};
  EXPECT_EQ(mend("unique_id,ds,y\nA,2024-01-01,1\nA,2024-01-02,2\nB,2024-01-02,x\n", settings)
                .series.channels.size(),
            1U);
}

}  // namespace
}  // namespace pulsecast
