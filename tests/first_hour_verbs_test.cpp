// What a stranger with files of his own runs into: nothing is ignored or lost in silence.

#include <gtest/gtest.h>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class FirstHourVerbs : public ModelVerbs {
 protected:
  // 400 hours of a wave, with `odd` in five of them.
  std::string rows_with(const std::string& odd) const {
    std::string text = "date,load\n";
    for (int row = 0; row < 400; ++row) {
      const int day = row / 24 + 1;
      const bool is_odd = row == 50 || (row > 99 && row < 103) || row == 300;
      const int wave = (row * 7 + (row * row) % 13) % 24;
      char line[64];
      std::snprintf(line, sizeof line, "2024-01-%02d %02d:00,", day, row % 24);
      text += line + (is_odd ? odd : std::to_string(50 + wave) + "." + std::to_string(row)) + "\n";
    }
    return write("odd.csv", text);
  }

  std::string shops(const std::string& names) const {
    std::string text = "shop,day,sold\n";
    for (const char shop : names) {
      for (int row = 0; row < 120; ++row) {
        char line[64];
        std::snprintf(line, sizeof line, "%c,2024-%02d-%02d,%d\n", shop, row / 28 + 1, row % 28 + 1,
                      10 + (row * 3 + shop) % 7);
        text += line;
      }
    }
    return write("shops.csv", text);
  }
};

TEST_F(FirstHourVerbs, CodesAreFoundAndMendedAndItIsSaid) {
  const std::string file = rows_with("-999");
  const json found = json::parse(run("check --json " + file).out);
  ASSERT_EQ(found["findings"].size(), 1U) << found.dump(2);
  EXPECT_EQ(found["findings"][0]["kind"], "coded-value");
  EXPECT_EQ(found["findings"][0]["count"], 5);
  EXPECT_EQ(found["remedies"][0]["flag"], "--outliers gap --fill none");
  EXPECT_TRUE(found["ready"]);
  const Outcome trained = run("train " + file +
                              " --horizon 12 --lookback 24 --hidden 8 --epochs 1 "
                              "--outliers gap --fill linear --out " +
                              folder_.file("odd.model"));
  EXPECT_TRUE(says(trained, 0, "'load': 5 values of -999 taken for gaps"));
  // The model reads new rows the way it was trained.
  EXPECT_TRUE(says(run("forecast " + folder_.file("odd.model") + " " + file), 0,
                   "'load': 5 values of -999 taken for gaps"));
  EXPECT_TRUE(says(run("train " + file + kTiny + " --outliers sometimes"), 2, "keep, clip, gap"));
}

TEST_F(FirstHourVerbs, AModelThatIsThereIsKeptBesideTheNewOne) {
  ASSERT_EQ(train("m.model").exit_code, 0);
  const std::string first = contents(folder_.file("m.model"));
  const Outcome again =
      run("train " + rows() + " --lookback 24 --horizon 12 --hidden 8 --epochs 1 " +
          "--seed 7 --out " + folder_.file("m.model"));
  EXPECT_TRUE(says(again, 0, "m.model.previous"));
  EXPECT_TRUE(contents(folder_.file("m.model.previous")) == first);
  EXPECT_TRUE(contents(folder_.file("m.model")) != first);
  const std::string second = contents(folder_.file("m.model"));
  ASSERT_EQ(train("m.model", "--seed 8 --force").exit_code, 0);
  EXPECT_TRUE(contents(folder_.file("m.model.previous")) == first) << "--force keeps nothing";
  EXPECT_TRUE(contents(folder_.file("m.model")) != second);
}

TEST_F(FirstHourVerbs, TheSameRunMakesTheSameFile) {
  ASSERT_EQ(train("a.model").exit_code, 0);
  ASSERT_EQ(train("b.model").exit_code, 0);
  EXPECT_TRUE(contents(folder_.file("a.model")) == contents(folder_.file("b.model")));
  EXPECT_NE(contents(folder_.file("a.model.log.csv")).find("seconds"), std::string::npos);
}

TEST_F(FirstHourVerbs, ResumingNothingIsSaid) {
  const Outcome said =
      run("train " + rows() + " --lookback 24 --horizon 12 --hidden 8 --epochs 1 --resume --out " +
          folder_.file("r.model"));
  EXPECT_TRUE(says(said, 0, "r.model.checkpoint is not there, so there is nothing to resume"));
}

TEST_F(FirstHourVerbs, ASeriesThatIsNewSinceTrainingIsSaid) {
  const std::string model = folder_.file("shops.model");
  ASSERT_EQ(run("train " + shops("abc") +
                " --quiet --horizon 7 --panel channels --fill linear --epochs 1 --out " + model)
                .exit_code,
            0);
  EXPECT_EQ(run("forecast " + model + " " + shops("abc")).exit_code, 0);
  EXPECT_TRUE(says(run("forecast " + model + " " + shops("abcd")), 1,
                   "1 series is new since training and not forecast: d"));
}

// A model of every column of a file knows which are new; one of a chosen target ignores the others.
TEST_F(FirstHourVerbs, AColumnThatIsNewSinceTrainingIsSaid) {
  const auto wide = [&](const char* name, const char* header, const char* more) {
    std::string text = std::string(header) + "\n";
    for (int row = 0; row < 400; ++row) {
      char line[96];
      std::snprintf(line, sizeof line, "2024-01-%02d %02d:00,%d.5,%d%s\n", row / 24 + 1, row % 24,
                    row % 24, row % 7, more);
      text += line;
    }
    return write(name, text);
  };
  const std::string before = wide("before.csv", "date,a,b", "");
  const std::string after = wide("after.csv", "date,a,b,c,remark", ",3,fair");
  ASSERT_EQ(run("train " + before + kTiny + " --out " + folder_.file("all.model")).exit_code, 0);
  EXPECT_EQ(run("forecast " + folder_.file("all.model") + " " + before).exit_code, 0);
  EXPECT_TRUE(says(run("forecast " + folder_.file("all.model") + " " + after), 1,
                   "1 series is new since training and not forecast: c."));
  ASSERT_EQ(run("train " + before + kTiny + " --target a --others ignore --out " +
                folder_.file("one.model"))
                .exit_code,
            0);
  EXPECT_EQ(run("forecast " + folder_.file("one.model") + " " + after).exit_code, 0);
}

TEST_F(FirstHourVerbs, ScoresEndWithALineBesideWhatCostsNothing) {
  const Outcome trained = train("m.model");
  EXPECT_NE(trained.out.find("Beside it naive "), std::string::npos) << trained.out;
  EXPECT_NE(trained.out.find(", seasonal naive "), std::string::npos) << trained.out;
  const Outcome scored =
      run("evaluate " + folder_.file("m.model") + " " + rows() + " --part validation");
  EXPECT_TRUE(scored.out.find("costs nothing.\n") != std::string::npos) << scored.out;
}

// Four decimals of it would be 0.0000.
TEST_F(FirstHourVerbs, ErrorsThatAreSmallKeepTheirDigits) {
  std::string text = "date,level\n";
  for (int row = 0; row < 400; ++row) {
    char line[64];
    std::snprintf(line, sizeof line, "2024-01-%02d %02d:00,%d.%04d\n", row / 24 + 1, row % 24,
                  100 + 7 * (row % 24), row % 10);
    text += line;
  }
  const std::string file = write("smooth.csv", text);
  const Outcome trained = run("train " + file + kTiny + " --out " + folder_.file("s.model"));
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(trained.out.find("0.0000"), std::string::npos) << trained.out;
  EXPECT_EQ(trained.out.find(" 0 %"), std::string::npos) << trained.out;
  const Outcome scored =
      run("evaluate " + folder_.file("s.model") + " " + file + " --part validation");
  EXPECT_EQ(scored.out.find(" 0.0000   "), std::string::npos) << scored.out;
}

// A walk without a rhythm: its last value is hard to beat, and that is to be said.
TEST_F(FirstHourVerbs, WhereNaiveWinsItIsSaid) {
  std::string text = "date,price\n";
  double price = 100;
  for (unsigned row = 0, state = 1; row < 400; ++row) {
    state = state * 1664525U + 1013904223U;
    price += static_cast<double>(state >> 16U) / 32768 - 1;
    char line[64];
    std::snprintf(line, sizeof line, "2024-01-%02u %02u:00,%.4f\n", row / 24 + 1, row % 24, price);
    text += line;
  }
  const Outcome said = run("train " + write("walk.csv", text) + kTiny + " --companion none --out " +
                           folder_.file("w.model"));
  EXPECT_NE(said.out.find("naive is no worse than the model, and costs nothing"), std::string::npos)
      << said.out << said.err;
}

TEST_F(FirstHourVerbs, WeeksMonthsAndYearsAreRead) {
  std::string weeks = "week,a\n", months = "month,a\n", years = "year,a\n";
  const char* names[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                         "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  for (int i = 0; i < 96; ++i) {
    const std::string value = "," + std::to_string(i % 12) + "." + std::to_string(i) + "\n";
    char week[16];
    std::snprintf(week, sizeof week, "%d-W%02d", 2022 + i / 52, i % 52 + 1);
    weeks += week + value;
    months += names[i % 12] + (" " + std::to_string(2009 + i / 12)) + value;
    years += std::to_string(1900 + i) + value;
  }
  const auto step = [&](const char* name, const std::string& text) {
    return json::parse(run("check --json " + write(name, text)).out)["step"]["step"];
  };
  EXPECT_EQ(step("weeks.csv", weeks), "7d");
  EXPECT_EQ(step("months.csv", months), "1mo");
  EXPECT_EQ(step("years.csv", years), "1y");
}

TEST_F(FirstHourVerbs, ColumnsOfThePastAreSaidToBeUnread) {
  EXPECT_TRUE(says(run("train " + rows() + " --lookback 24 --horizon 12 --hidden 8 --epochs 1 " +
                       "--target c1 --past c2 --out " + folder_.file("p.model")),
                   0, "1 past column is left out (c2): mlp does not read them"));
}

}  // namespace
}  // namespace pulsecast::testing
