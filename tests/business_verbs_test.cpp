// Business days, month ends and a handful of months, from a file to its forecast.

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/step.h"
#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class BusinessVerbs : public ModelVerbs {
 protected:
  // Rows of such steps from 2019-01-31 on, a Thursday, with a cycle of `period`.
  std::string rows_of(const char* step, int rows, double period) const {
    std::string text = "date,sold\n";
    for (int i = 0; i < rows; ++i) {
      const Instant stamp = Step::parse(step).add({1548892800000}, i, Zone());
      text += to_text(stamp, Zone()) + "," +
              std::to_string(100.0 + 10.0 * std::sin(6.283185307 * i / period)) + "\n";
    }
    return write("rows.csv", text);
  }

  // The stamps of the forecast after training with these flags.
  std::vector<WallTime> forecast_days(const std::string& rows, const std::string& flags) const {
    const std::string model = folder_.file("b.model");
    const Outcome trained =
        run("train " + rows + " --quiet --hidden 8 --epochs 1 --threads 1 --out " + model + " " +
            flags);
    // After one epoch it may be warned of.
    EXPECT_LE(trained.exit_code, 1) << trained.err;
    const Outcome next = run("forecast " + model + " " + rows);
    EXPECT_EQ(next.exit_code, 0) << next.err;
    std::vector<WallTime> days;
    std::istringstream lines(next.out);
    std::string line;
    std::getline(lines, line);
    while (std::getline(lines, line)) {
      const std::size_t dash = line.find("20");
      WallTime wall;
      wall.year = std::stoi(line.substr(dash, 4));
      wall.month = std::stoi(line.substr(dash + 5, 2));
      wall.day = std::stoi(line.substr(dash + 8, 2));
      days.push_back(Zone().to_wall(Zone().to_instants(wall).first));
    }
    return days;
  }
};

TEST_F(BusinessVerbs, NoForecastOfBusinessDaysFallsOnAWeekend) {
  const std::vector<WallTime> days = forecast_days(rows_of("1b", 300, 5.0), "--horizon 10b");
  ASSERT_EQ(days.size(), 10u);
  for (const WallTime& day : days) EXPECT_LT(day.weekday, 5);
  EXPECT_EQ(inspect("b.model")["shape"]["period"], 5);
}

TEST_F(BusinessVerbs, MonthEndsAreForecastAtMonthEnds) {
  // The last row is of February: a month after the 28th would be the 28th.
  const std::vector<WallTime> days = forecast_days(rows_of("1me", 62, 12.0), "--horizon 12mo");
  ASSERT_EQ(days.size(), 12u);
  EXPECT_EQ(days.front().month, 3);
  for (const WallTime& day : days) EXPECT_TRUE(is_month_end(day)) << day.month << " " << day.day;
}

TEST_F(BusinessVerbs, SixtyMonthsNeedNoSetting) {
  EXPECT_EQ(forecast_days(rows_of("1mo", 60, 12.0), "").size(), 12u);
  EXPECT_EQ(inspect("b.model")["shape"]["lookback"], 12);
  EXPECT_EQ(forecast_days(rows_of("1q", 40, 4.0), "--horizon 4q").size(), 4u);
  EXPECT_EQ(forecast_days(rows_of("7d", 160, 52.0), "--horizon 13w").size(), 13u);
}

TEST_F(BusinessVerbs, HolidaysJoinTheCalendar) {
  const std::string rows = rows_of("1d", 400, 7.0);
  EXPECT_EQ(forecast_days(rows, "--horizon 14 --lookback 28 --holidays DE").size(), 14u);
  const json settings = inspect("b.model")["settings"];
  EXPECT_NE(settings.dump().find("DE"), std::string::npos) << settings;
  const std::string train = "train " + rows + kTiny + " --out " + folder_.file("c.model");
  EXPECT_TRUE(says(run(train + " --holidays XX"), 2, "no holidays of 'XX' are known"));
}

}  // namespace
}  // namespace pulsecast::testing
