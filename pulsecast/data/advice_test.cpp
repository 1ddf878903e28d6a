// Files as people have them, each with its truth beside it: what the doctor advises is followed
// until the file is read, and the values must be those that it was made from. No advice may change
// a value, and no file may be refused without the setting that mends it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/testing/files/followed_advice.h"
#include "pulsecast/testing/files/true_files.h"

namespace pulsecast {
namespace {

using testing::follow_advice;
using testing::Followed;
using testing::true_files;
using testing::TrueFile;

TEST(Advice, ThereAreFilesOfEveryKind) { EXPECT_GE(true_files().size(), 60U); }

TEST(Advice, ChangesNoValueOfAnyFile) {
  for (const TrueFile& file : true_files()) {
    SCOPED_TRACE(file.name);
    const Followed followed = follow_advice(file);
    if (!followed.repaired) {
      ADD_FAILURE() << "is not read after all advice: " << followed.refusal;
      continue;
    }
    if (file.advised.empty()) {
      EXPECT_TRUE(followed.settings.empty()) << followed.settings.front();
    } else {
      EXPECT_EQ(std::ranges::count(followed.settings, file.advised), 1);
    }
    const Series& series = followed.repaired->series;
    EXPECT_EQ(series.step.to_string(), file.step);
    ASSERT_EQ(series.channels.size(), file.series.size());
    for (const Channel& channel : series.channels) {
      ASSERT_TRUE(file.series.contains(channel.name)) << channel.name;
      ASSERT_EQ(channel.values.size(), file.rows);
      for (std::size_t row = 0; row < file.rows; ++row) {
        const double truth = file.truth(file.series.at(channel.name), row);
        ASSERT_EQ(std::isnan(channel.values[row]), std::isnan(truth)) << row;
        if (!std::isnan(truth)) {
          ASSERT_EQ(channel.values[row], truth) << row;
        }
      }
    }
  }
}

// Means over shops, or over the two hours of an autumn night, are what must not be advised.
TEST(Advice, NeverMixesRowsThatBelongApart) {
  for (const TrueFile& file : true_files()) {
    SCOPED_TRACE(file.name);
    const DataSettings nothing_told;
    try {
      const Diagnosis diagnosis =
          examine(testing::read_text(file.text, nothing_told), nothing_told);
      for (const Remedy& remedy : diagnosis.remedies) {
        for (const Assignment& assignment : remedy.settings) {
          if (assignment.setting != file.advised) {
            EXPECT_NE(assignment.setting, "duplicates");
            EXPECT_NE(assignment.setting, "order");
          }
          EXPECT_FALSE(assignment.setting == "ignore" && assignment.value == "store");
        }
      }
    } catch (const Error& error) {
      EXPECT_EQ(file.advised, "day-order") << error.what();
    }
  }
}

TEST(Advice, ZonesThatFitAreNamedTheBestKnownFirst) {
  const Diagnosis diagnosis = examine(testing::read_text(testing::berlin(600, testing::kHour)), {});
  ASSERT_FALSE(diagnosis.remedies.empty());
  EXPECT_EQ(diagnosis.remedies[0].settings[0].value, "Europe/Berlin");
  ASSERT_EQ(diagnosis.findings.size(), 1U);
  EXPECT_NE(diagnosis.findings[0].cause.find("2023-10-29 02:00:00 comes twice"), std::string::npos);
}

// What was found of the layout goes with the series, so that a model reads new rows the same way.
TEST(Advice, WhatWasFoundIsKept) {
  const Repaired shops = repair(testing::read_text(true_files()[1].text), {});
  EXPECT_TRUE(shops.is_long);
  EXPECT_EQ(shops.found.id_column, "store");
  EXPECT_EQ(shops.found.value_column, "sales");
}

// A day that was loaded twice has twice as many rows as there are shops.
TEST(Advice, ADayThatWasWrittenTwiceDoesNotHideTheSeries) {
  const std::string text = testing::panel(
      "store,day,sales", false, [](std::size_t s, std::size_t row, const std::string& day) {
        const std::string line = fmt::format("shop{},{},{}", s, day, testing::truth_at(s, row));
        return row == 30 ? line + "\n" + line : line;
      });
  const Table table = testing::read_text(text);
  EXPECT_EQ(table.found.id_column, "store");
  std::size_t repeated = 0;
  for (const Finding& finding : examine(table, {}).findings) {
    EXPECT_EQ(finding.kind, Finding::Kind::kDuplicateStamp) << finding.cause;
    ++repeated;
  }
  EXPECT_EQ(repeated, 3U);
}

TEST(Advice, SeriesOfAPanelAreSummarised) {
  std::string text = "unique_id,ds,y\n";
  for (std::size_t s = 0; s < 20; ++s) {
    for (std::size_t row = 0; row < 60; ++row) {
      if (s < 5 && row > 10 && row < 12 + s) continue;  // gaps of 1 .. 5
      const Instant day{testing::kStart.milliseconds +
                        static_cast<std::int64_t>(row) * testing::kDay};
      const double value = s == 7   ? 3.0
                           : s == 8 ? (row % 10 == 0 ? 5.0 : 0.0)
                                    : testing::truth_at(s, row);
      text += fmt::format("s{},{},{}\n", s, testing::date_text(day), value);
    }
  }
  const Diagnosis diagnosis = examine(testing::read_text(text), {});
  std::map<Finding::Kind, Diagnosis::KindSummary> summary;
  for (const Diagnosis::KindSummary& kind : diagnosis.summary) summary[kind.kind] = kind;
  const Diagnosis::KindSummary& gaps = summary[Finding::Kind::kGap];
  EXPECT_EQ(gaps.series, 5U);
  EXPECT_EQ(gaps.count, 15U);
  ASSERT_EQ(gaps.worst.size(), 3U);
  EXPECT_EQ(gaps.worst[0], (std::pair<std::string, std::size_t>("s4", 5U)));
  EXPECT_EQ(summary[Finding::Kind::kConstantColumn].series, 1U);
  EXPECT_EQ(summary[Finding::Kind::kIntermittent].worst[0].first, "s8");
}

}  // namespace
}  // namespace pulsecast
