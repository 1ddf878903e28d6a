#include "pulsecast/data/doctor/doctor.h"

#include <fmt/format.h>

#include <gtest/gtest.h>
#include <algorithm>

#include <cmath>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/testing.h"

namespace pulsecast {
namespace {

using Kind = Finding::Kind;
using testing::read_text;

Diagnosis diagnosis_of(std::string_view text, DataSettings settings = {}) {
  settings.lookback = "2";
  settings.horizon = "1";
  return examine(read_text(text, settings), settings);
}

std::vector<Finding> of_kind(const Diagnosis& diagnosis, Kind kind) {
  std::vector<Finding> found;
  for (const Finding& finding : diagnosis.findings) {
    if (finding.kind == kind) found.push_back(finding);
  }
  return found;
}

bool offers(const Diagnosis& diagnosis, const std::string& setting, const std::string& value) {
  const std::vector<Assignment> wanted{{setting, value}};
  return std::ranges::any_of(diagnosis.remedies,
                             [&](const Remedy& remedy) { return remedy.settings == wanted; });
}

// Hours from 2024-01-01 on; `cell` gives the rest of each line.
template <typename Cell>
std::string hours(std::size_t rows, Cell cell, const char* header = "date,a") {
  std::string text = std::string(header) + "\n";
  for (std::size_t i = 0; i < rows; ++i) {
    const Instant stamp{1'704'067'200'000 + static_cast<std::int64_t>(i) * 3'600'000};
    text += to_text(stamp, Zone()) + "," + cell(i) + "\n";
  }
  return text;
}

TEST(Doctor, ACleanTableHasNoFindings) {
  const Diagnosis diagnosis =
      diagnosis_of(hours(50, [](std::size_t i) { return fmt::format("{}", i); }));
  EXPECT_TRUE(diagnosis.is_clean());
  EXPECT_TRUE(diagnosis.remedies.empty());
  EXPECT_EQ(diagnosis.rows, 50U);
  ASSERT_TRUE(diagnosis.frequency.has_value());
  EXPECT_EQ(diagnosis.frequency->step.to_string(), "1h");
}

TEST(Doctor, CellsWithTheirLineColumnAndCause) {
  const Diagnosis diagnosis = diagnosis_of(
      "date,a,b\n2024-01-01,1,1\n2024-01-02,x,2\n2024-01-03,3,inf\n2024-01-04,4,\n"
      "2024-01-05,5,\n2024-01-06,6,6\n");
  const auto unreadable = of_kind(diagnosis, Kind::kUnreadableCell);
  ASSERT_EQ(unreadable.size(), 1U);
  EXPECT_EQ(unreadable[0].first_line, 3U);
  EXPECT_EQ(unreadable[0].column, "a");
  EXPECT_EQ(unreadable[0].cause, "'x' is no number");
  const auto infinite = of_kind(diagnosis, Kind::kInfiniteCell);
  ASSERT_EQ(infinite.size(), 1U);
  EXPECT_EQ(infinite[0].column, "b");
  const auto empty = of_kind(diagnosis, Kind::kEmptyCells);
  ASSERT_EQ(empty.size(), 1U);  // the infinite cell before it is not counted twice
  EXPECT_EQ(empty[0].first_line, 5U);
  EXPECT_EQ(empty[0].last_line, 6U);
  EXPECT_EQ(empty[0].count, 2U);
  EXPECT_TRUE(offers(diagnosis, "fill", "linear"));
}

TEST(Doctor, RowsOutOfOrderRepeatedAndUnreadable) {
  const Diagnosis diagnosis = diagnosis_of(
      "date,a\n2024-01-01,1\n2024-01-03,3\n2024-01-02,2\n2024-01-03,3\n2024-01-03,9\nnever,1\n"
      "2024-01-04,4\n2024-01-05,5\n");
  const auto order = of_kind(diagnosis, Kind::kOutOfOrder);
  ASSERT_EQ(order.size(), 1U);
  EXPECT_EQ(order[0].first_line, 4U);
  const auto duplicates = of_kind(diagnosis, Kind::kDuplicateStamp);
  ASSERT_EQ(duplicates.size(), 2U);
  EXPECT_NE(duplicates[0].cause.find("line 3 already, with the same values"), std::string::npos);
  EXPECT_NE(duplicates[1].cause.find("with other values"), std::string::npos);
  EXPECT_EQ(of_kind(diagnosis, Kind::kUnreadableRow).size(), 1U);
  EXPECT_TRUE(offers(diagnosis, "order", "sort"));
  EXPECT_TRUE(offers(diagnosis, "duplicates", "mean"));
  EXPECT_TRUE(offers(diagnosis, "bad-rows", "drop"));
}

TEST(Doctor, AFileThatRunsBackwardsIsOneFinding) {
  const Diagnosis diagnosis =
      diagnosis_of("date,a\n2024-01-04,1\n2024-01-03,2\n2024-01-02,3\n2024-01-01,4\n");
  ASSERT_EQ(of_kind(diagnosis, Kind::kOutOfOrder).size(), 1U);
  EXPECT_NE(diagnosis.findings[0].cause.find("newest to the oldest"), std::string::npos);
}

TEST(Doctor, GapsUnevenAndChangingSteps) {
  const Diagnosis diagnosis = diagnosis_of(
      "date,a\n2024-01-01 00:00,1\n2024-01-01 01:00,2\n2024-01-01 02:00,3\n2024-01-01 05:00,4\n"
      "2024-01-01 06:00,5\n2024-01-01 07:00,6\n2024-01-01 08:10,7\n2024-01-01 09:10,8\n"
      "2024-01-01 10:10,1\n2024-01-01 11:10,2\n2024-01-01 11:25,3\n2024-01-01 11:40,4\n"
      "2024-01-01 11:55,5\n2024-01-01 12:10,6\n");
  const auto gaps = of_kind(diagnosis, Kind::kGap);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].count, 2U);
  EXPECT_EQ(gaps[0].first_line, 4U);
  EXPECT_EQ(gaps[0].last_line, 5U);
  const auto uneven = of_kind(diagnosis, Kind::kUnevenStep);
  ASSERT_EQ(uneven.size(), 1U);
  EXPECT_EQ(uneven[0].first_line, 8U);
  const auto changes = of_kind(diagnosis, Kind::kChangingStep);
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_EQ(changes[0].count, 4U);
  EXPECT_NE(changes[0].cause.find("15min apart, while the step is 1h"), std::string::npos);
}

TEST(Doctor, GapsAreFoundPerSeries) {
  const Diagnosis diagnosis = diagnosis_of(
      "unique_id,ds,y\nA,2024-01-01,1\nA,2024-01-02,2\nA,2024-01-03,1\nB,2024-01-02,1\n"
      "B,2024-01-03,3\nB,2024-01-05,2\n");
  const auto gaps = of_kind(diagnosis, Kind::kGap);
  ASSERT_EQ(gaps.size(), 1U);
  EXPECT_EQ(gaps[0].series, "B");
  EXPECT_EQ(gaps[0].last_line, 7U);
}

// The stamps and values of another series; those that never change are said to do just that.
TEST(Doctor, SeriesThatAreThereTwice) {
  std::string text = "unique_id,ds,y\n";
  for (const char* shop : {"a", "b", "c", "d", "e", "f"}) {
    for (int day = 1; day < 9; ++day) {
      const bool is_still = *shop == 'e' || *shop == 'f';
      const int sold = is_still ? 4 : *shop == 'b' ? day * day % 7 : day * 3 % 8;
      text += fmt::format("{},2024-01-{:02},{}\n", shop, *shop == 'd' ? day + 1 : day, sold);
    }
  }
  const Diagnosis diagnosis = diagnosis_of(text);
  const auto twins = of_kind(diagnosis, Kind::kTwinSeries);
  ASSERT_EQ(twins.size(), 1U);
  EXPECT_EQ(twins[0].series, "c");
  EXPECT_EQ(twins[0].cause, "it has the stamps and values of 'a'");
  const auto summary =
      std::ranges::find(diagnosis.summary, Kind::kTwinSeries, &Diagnosis::KindSummary::kind);
  ASSERT_NE(summary, diagnosis.summary.end());
  EXPECT_EQ(summary->series, 1U);
  EXPECT_EQ(of_kind(diagnosis, Kind::kConstantColumn).size(), 2U);
}

TEST(Doctor, ColumnsOfTextThatNeverChangeOrDied) {
  const Diagnosis diagnosis = diagnosis_of(hours(
      600,
      [](std::size_t i) {
        const double wave = std::sin(static_cast<double>(i));
        return fmt::format("{},north,7,{},{}", wave, i < 400 ? fmt::format("{}", wave) : "",
                           i < 400 ? wave : 0.5);
      },
      "date,load,region,flat,ended,stuck"));
  const auto text = of_kind(diagnosis, Kind::kTextColumn);
  ASSERT_EQ(text.size(), 1U);
  EXPECT_EQ(text[0].column, "region");
  EXPECT_EQ(text[0].count, 600U);
  EXPECT_TRUE(of_kind(diagnosis, Kind::kUnreadableCell).empty());  // not listed cell by cell
  const auto constant = of_kind(diagnosis, Kind::kConstantColumn);
  ASSERT_EQ(constant.size(), 1U);
  EXPECT_EQ(constant[0].column, "flat");
  const auto dead = of_kind(diagnosis, Kind::kDeadChannel);
  ASSERT_EQ(dead.size(), 2U);
  EXPECT_EQ(dead[0].column, "ended");
  EXPECT_NE(dead[0].cause.find("the 200 rows after it have none"), std::string::npos);
  EXPECT_EQ(dead[1].column, "stuck");
  EXPECT_NE(dead[1].cause.find("the last 200 values are all 0.5"), std::string::npos);
}

TEST(Doctor, TargetsThatAreNotYetKnownAreNoFault) {
  DataSettings settings;
  settings.known = {"holiday"};
  const Diagnosis diagnosis = diagnosis_of(
      "date,load,holiday\n2024-01-01,1,0\n2024-01-02,2,1\n2024-01-03,3,0\n2024-01-04,,1\n",
      settings);
  EXPECT_TRUE(diagnosis.is_clean()) << diagnosis.findings[0].cause;
}

TEST(Doctor, TooShortForLookbackAndHorizon) {
  DataSettings settings;
  settings.lookback = "96";
  settings.horizon = "24";
  const std::string text = hours(100, [](std::size_t i) { return fmt::format("{}", i); });
  const Diagnosis diagnosis = examine(read_text(text), settings);
  ASSERT_EQ(diagnosis.findings.size(), 1U);
  EXPECT_EQ(diagnosis.findings[0].kind, Kind::kTooShort);
  EXPECT_NE(diagnosis.findings[0].cause.find("100 steps, but a look-back of 96 and a horizon of 24 "
                                             "need 120"),
            std::string::npos);
}

TEST(Doctor, AllEmptyCellsOfAQShunyiAreFound) {
  const std::string file = testing::benchmark_file("AQShunyi.csv.gz");
  if (file.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
  ThreadPool threads(2);
  const Table table = read_table(file, {}, threads);
  const Diagnosis diagnosis = examine(table, {});
  std::size_t cells = 0;
  std::size_t longest = 0;
  for (const Finding& finding : diagnosis.findings) {
    ASSERT_EQ(finding.kind, Kind::kEmptyCells);
    cells += finding.count;
    longest = std::max(longest, finding.count);
    // The cells are empty in the file: every line of a run has no value in that column.
    for (const Column& column : table.columns) {
      if (column.name != finding.column) continue;
      for (std::uint64_t line = finding.first_line; line <= finding.last_line; ++line) {
        ASSERT_TRUE(std::isnan(column.values[line - 2])) << column.name << " line " << line;
      }
    }
  }
  EXPECT_EQ(cells, 8040U);
  EXPECT_EQ(longest, 749U);
  ASSERT_TRUE(diagnosis.period.period.has_value());
  EXPECT_EQ(diagnosis.period.period->lag, 24U);
}

TEST(Doctor, TheRepeatedStampAndTheGapOfWeatherAreFound) {
  const std::string file = testing::benchmark_file("weather.csv.gz");
  if (file.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
  ThreadPool threads(2);
  const Diagnosis diagnosis = examine(read_table(file, {}, threads), {});
  EXPECT_EQ(diagnosis.rows, 52696U);
  const std::vector<Finding>& findings = diagnosis.findings;
  ASSERT_EQ(findings.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(findings[i].kind, Kind::kCodedValue);
    EXPECT_EQ(findings[i].cause.find("-9999 comes"), 0U) << findings[i].cause;
  }
  EXPECT_EQ(findings[3].kind, Kind::kDuplicateStamp);
  EXPECT_EQ(findings[3].first_line, 19046U);
  EXPECT_EQ(findings[4].kind, Kind::kGap);
  EXPECT_EQ(findings[4].count, 9U);
  ASSERT_TRUE(diagnosis.period.period.has_value());
  EXPECT_EQ(diagnosis.period.period->lag, 144U);
}

}  // namespace
}  // namespace pulsecast
