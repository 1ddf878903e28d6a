// Files as people have them, each with its truth beside it: what the doctor advises is followed
// until the file is read, and the values must be those that it was made from. No advice may change
// a value, and no file may be refused without the setting that mends it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>

#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/data/doctor/doctor.h"
#include "pulsecast/data/readers/testing.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast {
namespace {

constexpr std::int64_t kHour = 3'600'000;
constexpr std::int64_t kDay = 24 * kHour;
constexpr Instant kStart{1'704'067'200'000};  // 2024-01-01, a Monday

// A weekly wave; no two series are alike.
double truth_at(std::size_t series, std::size_t row) {
  const double wave = std::sin(static_cast<double>(row) * 2 * M_PI / 7.0);
  return std::round(1000 * (10.0 * static_cast<double>(series + 1) + wave)) / 1000;
}

struct TrueFile {
  const char* name;
  std::string text;
  std::map<std::string, std::size_t> series;  // name of a channel, and which series it is
  std::string step = "1d";
  std::size_t rows = 60;
  std::string advised = "";  // a setting that must be among the advice; empty: none is needed
  std::function<void(DataSettings&)> change = [](DataSettings&) {};
};

WallTime wall(Instant instant) { return Zone().to_wall(instant); }

std::string date_text(Instant instant) { return to_text(instant, Zone()).substr(0, 10); }

// A line a row, as `line(row, stamp)` writes it.
std::string lines(std::string header, std::size_t rows, std::int64_t step,
                  const std::function<std::string(std::size_t, Instant)>& line) {
  std::string text = std::move(header) + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += line(row, {kStart.milliseconds + static_cast<std::int64_t>(row) * step}) + "\n";
  }
  return text;
}

// `wanted(series, row, date)` for every shop and day, shop by shop or day by day.
std::string panel(std::string header, bool by_day,
                  const std::function<std::string(std::size_t, std::size_t, std::string)>& wanted) {
  std::string text = std::move(header) + "\n";
  for (std::size_t i = 0; i < 180; ++i) {
    const std::size_t series = by_day ? i % 3 : i / 60;
    const std::size_t row = by_day ? i / 3 : i % 60;
    const Instant day{kStart.milliseconds + static_cast<std::int64_t>(row) * kDay};
    text += wanted(series, row, date_text(day)) + "\n";
  }
  return text;
}

// What clocks of Berlin show, from 2023-10-20 on, for `rows` steps.
std::string berlin(std::size_t rows, std::int64_t step) {
  const Zone zone = Zone::named("Europe/Berlin");
  std::string text = "date,a\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const Instant instant{1'697'760'000'000 + static_cast<std::int64_t>(row) * step};
    text += to_text(instant, zone) + fmt::format(",{}\n", truth_at(0, row));
  }
  return text;
}

std::vector<TrueFile> true_files() {
  const char* const shops[] = {"north", "south", "west"};
  const std::map<std::string, std::size_t> three = {{"north", 0}, {"south", 1}, {"west", 2}};
  const std::map<std::string, std::size_t> numbered = {{"1", 0}, {"2", 1}, {"3", 2}};
  const std::map<std::string, std::size_t> one = {{"a", 0}};
  return {
      {"plain",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{}", date_text(t), truth_at(0, row));
             }),
       one},
      // Rows of many series under names that nobody declared.
      {"shops, one after another",
       panel("store,day,sales", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", shops[s], day, truth_at(s, row));
             }),
       three},
      {"shops, day by day",
       panel("day,store,sales", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", day, shops[s], truth_at(s, row));
             }),
       three},
      {"shops with what is true of each",
       panel("SystemCodeNumber,Capacity,Occupancy,LastUpdated", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", shops[s], 100 * (s + 1), truth_at(s, row), day);
             }),
       three},
      {"shops with their town and weekday in words",
       panel("day,weekday,town,shop,sold", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{},{}", day, row % 7 < 5 ? "work" : "rest",
                                  s < 2 ? "Ulm" : "Kiel", shops[s], truth_at(s, row));
             }),
       three},
      {"shops with two columns of numbers",
       panel("store,day,sales,price", false,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", shops[s], day, truth_at(s, row), row % 11);
             }),
       three, "1d", 60, "id-column"},
      {"shops that are numbers",
       panel("store,day,sales", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{}", s + 1, day, truth_at(s, row));
             }),
       numbered, "1d", 60, "id-column"},
      {"shops and goods",
       panel("day,shop,item,sold", true,
             [&](std::size_t s, std::size_t row, const std::string& day) {
               return fmt::format("{},{},{},{}", day, s < 2 ? "a" : "b", s == 1 ? "y" : "x",
                                  truth_at(s, row));
             }),
       {{"a/x", 0}, {"a/y", 1}, {"b/x", 2}}},
      // Stamps in several columns.
      {"a date and a finer stamp",
       lines("date,ts,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), to_text(t, Zone()), truth_at(0, row));
             }),
       one, "1h", 200},
      {"date and time",
       lines("Date;Time;a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{:02}/{:02}/{};{:02}:00:00;{}", wall(t).day, wall(t).month,
                                  wall(t).year, wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200, "day-order"},
      {"time before date, with points",
       lines("Time;Date;a", 800, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{:02}.00.00;{:02}/{:02}/{};{}", wall(t).hour, wall(t).day,
                                  wall(t).month, wall(t).year, truth_at(0, row));
             }),
       one, "1h", 800},
      {"date and hour",
       lines("date,hour,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200},
      {"year, month, day, hour",
       lines("year,month,day,hour,a", 200, kHour,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{},{},{}", wall(t).year, wall(t).month, wall(t).day,
                                  wall(t).hour, truth_at(0, row));
             }),
       one, "1h", 200},
      {"row numbers without a name",
       lines(",date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", row, date_text(t), truth_at(0, row));
             }),
       one},
      // What people put around numbers and tables.
      {"thousands with points and decimal commas",
       lines("date;a", 60, kDay,
             [](std::size_t row, Instant t) {
               std::string cell = fmt::format("{:.3f}", truth_at(0, row));
               std::replace(cell.begin(), cell.end(), '.', ',');
               return fmt::format("{};{}", date_text(t), cell);
             }),
       one},
      {"prices with a sign",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},${}", date_text(t), truth_at(0, row));
             }),
       one},
      {"percent",
       lines("date,a", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{} %", date_text(t), truth_at(0, row));
             }),
       one},
      {"lines of comment above the header",
       "# made by hand\n# units: kW\n\n" + lines("date,a", 60, kDay,
                                                 [](std::size_t row, Instant t) {
                                                   return fmt::format("{},{}", date_text(t),
                                                                      truth_at(0, row));
                                                 }),
       one},
      {"a title above the header",
       "Load of the north\n" + lines("date,a", 60, kDay,
                                     [](std::size_t row, Instant t) {
                                       return fmt::format("{},{}", date_text(t), truth_at(0, row));
                                     }),
       one},
      {"a title padded by a spreadsheet",
       "Load of the north,,\n" + lines("date,a,b", 60, kDay,
                                       [](std::size_t row, Instant t) {
                                         return fmt::format("{},{},{}", date_text(t),
                                                            truth_at(0, row), truth_at(1, row));
                                       }),
       {{"a", 0}, {"b", 1}}},
      // Words.
      {"a column of remarks",
       lines("date,a,comment", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},remark {}", date_text(t), truth_at(0, row), row);
             }),
       one, "1d", 60, "ignore"},
      {"remarks here and there",
       lines("date,a,comment", 60, kDay,
             [](std::size_t row, Instant t) {
               return fmt::format("{},{},{}", date_text(t), truth_at(0, row),
                                  row % 9 == 4 ? "closed early" : "");
             }),
       one, "1d", 60, "ignore"},
      // Wall clocks.
      {"hours of Berlin in autumn", berlin(600, kHour), one, "1h", 600, "time-zone"},
      {"quarters of an hour of Berlin", berlin(1500, kHour / 4), one, "15min", 1500, "time-zone"},
      {"hours of Berlin until April", berlin(4300, kHour), one, "1h", 4300, "time-zone"},
  };
}

void apply(const Remedy& remedy, DataSettings& settings) {
  for (const Assignment& assignment : remedy.settings) {
    for (const BoundSetting& setting : data_settings().bind(settings)) {
      if (setting.info->name != assignment.setting) continue;
      const std::vector<std::string> values = {assignment.value};
      setting.assign(values, "advice");
    }
  }
}

// The first remedy that says every value, of an error.
std::optional<Remedy> first_definite(const std::vector<Remedy>& remedies) {
  for (const Remedy& remedy : remedies) {
    const auto is_this = [](const Assignment& assignment) {
      return assignment.kind == Assignment::Value::kThis;
    };
    if (!remedy.settings.empty() && std::ranges::all_of(remedy.settings, is_this)) return remedy;
  }
  return std::nullopt;
}

struct Followed {
  std::optional<Repaired> repaired;
  std::vector<std::string> settings;  // that were advised and set
  std::string refusal;                // the last
};

Followed follow_advice(const TrueFile& file) {
  Followed followed;
  DataSettings settings;
  file.change(settings);
  for (int turn = 0; turn < 4; ++turn) {
    std::vector<Remedy> remedies;
    try {
      const Table table = testing::read_text(file.text, settings);
      remedies = examine(table, settings).remedies;
      followed.repaired = repair(table, settings);
      return followed;
    } catch (const Error& error) {
      followed.refusal = error.what();
      if (remedies.empty()) remedies = error.remedies();
    }
    const std::optional<Remedy> remedy = first_definite(remedies);
    if (!remedy) return followed;
    for (const Assignment& assignment : remedy->settings) {
      followed.settings.push_back(assignment.setting);
    }
    apply(*remedy, settings);
  }
  return followed;
}

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
        ASSERT_EQ(channel.values[row], truth_at(file.series.at(channel.name), row)) << row;
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
          EXPECT_NE(assignment.setting, "duplicates");
          EXPECT_NE(assignment.setting, "order");
          EXPECT_FALSE(assignment.setting == "ignore" && assignment.value == "store");
        }
      }
    } catch (const Error& error) {
      EXPECT_EQ(file.advised, "day-order") << error.what();
    }
  }
}

TEST(Advice, ZonesThatFitAreNamedTheBestKnownFirst) {
  const Diagnosis diagnosis = examine(testing::read_text(berlin(600, kHour)), {});
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

TEST(Advice, SeriesOfAPanelAreSummarised) {
  std::string text = "unique_id,ds,y\n";
  for (std::size_t s = 0; s < 20; ++s) {
    for (std::size_t row = 0; row < 60; ++row) {
      if (s < 5 && row > 10 && row < 12 + s) continue;  // gaps of 1 .. 5
      const Instant day{kStart.milliseconds + static_cast<std::int64_t>(row) * kDay};
      const double value = s == 7 ? 3.0 : s == 8 ? (row % 10 == 0 ? 5.0 : 0.0) : truth_at(s, row);
      text += fmt::format("s{},{},{}\n", s, date_text(day), value);
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
