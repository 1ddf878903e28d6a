// Panels as a user has them: shops that open, close and pause when they like, from a file to its
// forecast.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "pulsecast/calendar/civil.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/step.h"
#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

constexpr int kDays = 160;

class PanelVerbs : public ModelVerbs {
 protected:
  // Days of a shop: from `begin` on, before `end`; sells by the week, each on another scale.
  static std::string days(const std::string& shop, int begin, int end, double least = 20.0) {
    std::string text;
    const double size = 1.0 + static_cast<double>(shop.back() - '0');
    for (int day = begin; day < end; ++day) {
      const Instant stamp{1704067200000 + day * std::int64_t{86'400'000}};
      const double sold = least + 9.0 * std::sin(0.8976 * day) + (day * 37 + begin * 11) % 5;
      text += fmt::format("{},{},{:.2f}\n", shop, to_text(stamp, Zone()).substr(0, 10),
                          size * size * sold);
    }
    return text;
  }

  static constexpr const char* kHeader = "shop,day,sold\n";

  // Eight shops that begin at different times and are open still.
  static std::string open_shops() {
    std::string text;
    for (int s = 0; s < 8; ++s) text += days(fmt::format("s{}", s), 9 * s, kDays);
    return text;
  }

  Outcome learn(const std::string& file, const std::string& model,
                const std::string& flags = "") const {
    return run("train " + file +
               " --horizon 7 --lookback 28 --hidden 8 --epochs 1 --threads 1 --quiet --out " +
               folder_.file(model) + " " + flags);
  }

  // Lines of a forecast by their series.
  static std::map<std::string, std::vector<std::string>> by_series(const std::string& csv) {
    std::map<std::string, std::vector<std::string>> all;
    for (const std::string& line : lines(csv)) {
      if (!line.starts_with("unique_id")) all[cells(line).front()].push_back(line);
    }
    return all;
  }
};

TEST_F(PanelVerbs, RaggedShopsAreTrainedAndForecastFromTheirOwnLastDays) {
  const std::string file = write("shops.csv", kHeader + open_shops() + days("s8", 0, kDays - 4));
  const Outcome trained = learn(file, "m.model");
  ASSERT_LE(trained.exit_code, 1) << trained.err;
  EXPECT_EQ(inspect("m.model")["settings"]["data"]["panel"][0], "series");
  const Outcome next = run("forecast " + folder_.file("m.model") + " " + file);
  EXPECT_EQ(next.exit_code, 0) << next.err;
  auto all = by_series(next.out);
  ASSERT_EQ(all.size(), 9u);
  for (const auto& [shop, rows] : all) {
    ASSERT_EQ(rows.size(), 7u) << shop;
    EXPECT_EQ(cells(rows.front()).back(), "ok");
    EXPECT_LT(cells(rows.front())[3].size(), 12u) << "no digits that are rounding alone";
  }
  EXPECT_TRUE(cells(all["s0"].front())[1].starts_with("2024-06-09")) << all["s0"].front();
  EXPECT_TRUE(cells(all["s8"].front())[1].starts_with("2024-06-05")) << all["s8"].front();
  const json scored = json::parse(
      run("evaluate " + folder_.file("m.model") + " " + file + " --part validation --json").out);
  EXPECT_EQ(scored["windows"], 9) << "one of each series";
}

// One that is new, one that has just begun, one that is over: each says so and none stops the rest.
TEST_F(PanelVerbs, EachSeriesHasItsStatus) {
  const std::string over = days("s9", 0, kDays - 60);
  ASSERT_LE(learn(write("shops.csv", kHeader + open_shops() + over), "m.model").exit_code, 1);
  const std::string file =
      write("later.csv", kHeader + open_shops() + over + days("new1", 20, kDays) +
                             days("tiny2", kDays - 5, kDays));
  const std::string forecast = "forecast " + folder_.file("m.model") + " " + file;
  const Outcome next = run(forecast);
  EXPECT_EQ(next.exit_code, 1);
  auto all = by_series(next.out);
  EXPECT_EQ(cells(all["s3"].front()).back(), "ok");
  EXPECT_EQ(cells(all["new1"].front()).back(), "new_series");
  EXPECT_EQ(cells(all["tiny2"].front()).back(), "short_history");
  EXPECT_EQ(all.count("s9"), 0u) << "it is not forecast";
  for (const char* words : {"s9: ended", "its last row is 60 steps before the newest",
                            "new1: new_series", "tiny2: short_history; 5 rows"}) {
    EXPECT_NE(next.err.find(words), std::string::npos) << words << "\n" << next.err;
  }
  const Outcome with_ended = run(forecast + " --include-ended");
  EXPECT_EQ(with_ended.exit_code, 1) << "two others are not ok";
  all = by_series(with_ended.out);
  ASSERT_EQ(all["s9"].size(), 7u);
  EXPECT_TRUE(cells(all["s9"].front())[1].starts_with("2024-04-10")) << all["s9"].front();
}

TEST_F(PanelVerbs, DemandIsNotNegativeWhereThatIsAsked) {
  std::string text = kHeader;
  for (int s = 0; s < 6; ++s) text += days(fmt::format("s{}", s), 5 * s, kDays, -3.0);
  const std::string file = write("shops.csv", text);
  ASSERT_LE(learn(file, "m.model").exit_code, 1);
  const auto least = [&](const std::string& flags) {
    double value = 1e9;
    const Outcome next = run("forecast " + folder_.file("m.model") + " " + file + flags);
    for (const auto& [shop, rows] : by_series(next.out)) {
      for (const std::string& row : rows) value = std::min(value, std::stod(cells(row)[3]));
    }
    return value;
  };
  EXPECT_LT(least(""), 0.0);
  EXPECT_EQ(least(" --non-negative"), 0.0);
}

// Windows of a series are its own affair, and so is its forecast.
TEST_F(PanelVerbs, AnotherSeriesChangesNothing) {
  const std::string flags = " --horizon 7 --lookback 28 --period 7 --panel series --json";
  const auto windows = [&](const std::string& text) {
    const json report = json::parse(run("check " + write("w.csv", kHeader + text) + flags).out);
    EXPECT_EQ(report["ready"], true) << report["refusal"];
    return report["training_windows"].get<int>();
  };
  const std::string more = days("late7", 70, kDays) + days("gone8", 3, 90);
  EXPECT_EQ(windows(open_shops() + more), windows(open_shops()) + windows(more));

  const std::string few = write("few.csv", kHeader + open_shops());
  ASSERT_LE(learn(few, "m.model").exit_code, 1);
  const auto alone = by_series(run("forecast " + folder_.file("m.model") + " " + few).out);
  const std::string many = write("many.csv", kHeader + more + open_shops());
  auto beside = by_series(run("forecast " + folder_.file("m.model") + " " + many).out);
  for (const auto& [shop, rows] : alone) EXPECT_EQ(rows, beside[shop]) << shop;
}

TEST_F(PanelVerbs, ThreadsDoNotChangeABit) {
  const std::string file = folder_.file("panel.csv");
  ASSERT_EQ(run("data make " + file +
                " --long --channels 40 --rows 120 --shortest 50 --step 1d --regions 3 --seed 4")
                .exit_code,
            0);
  std::set<std::string> models;
  std::set<std::string> forecasts;
  for (const char* threads : {"1", "2", "3"}) {
    const std::string flags = std::string("--static region --epochs 2 --threads ") + threads;
    ASSERT_LE(learn(file, "m.model", flags).exit_code, 1);
    models.insert(tensors("m.model"));
    forecasts.insert(
        run("forecast " + folder_.file("m.model") + " " + file + " --threads " + threads).out);
  }
  EXPECT_EQ(models.size(), 1u);
  EXPECT_EQ(forecasts.size(), 1u);
}

TEST_F(PanelVerbs, StaticColumnsTellShapesApart) {
  const std::string file = folder_.file("panel.csv");
  ASSERT_EQ(run("data make " + file +
                " --long --channels 60 --rows 120 --shortest 60 --step 1d --noise 0.3 --trend 0 "
                "--regions 3 --kinds 2 --seed 6")
                .exit_code,
            0);
  const std::string flags = " --model linear --split 0.7,0.1,0.2";
  const auto error = [&](const std::string& more) {
    EXPECT_LE(learn(file, "m.model", flags + more).exit_code, 1);
    return json::parse(run("evaluate " + folder_.file("m.model") + " " + file + " --json")
                           .out)["model"]["scaled"]["mse"]
        .get<double>();
  };
  const double without = error("");
  EXPECT_DOUBLE_EQ(error(" --static kind"), without) << "what says nothing makes no difference";
  EXPECT_EQ(inspect("m.model")["settings"]["data"].count("static"), 0u)
      << "and need not be there to forecast";
  EXPECT_LT(error(" --static region,kind"), 0.99 * without);

  const json model = inspect("m.model");
  EXPECT_EQ(model["settings"]["data"]["static"], json::parse(R"(["region"])"));
  ASSERT_EQ(model["statics"].size(), 1u);
  EXPECT_EQ(model["statics"][0]["groups"].size(), 3u);
  EXPECT_EQ(model["statics"][0]["groups"][0]["profile"].size(), 7u);
  EXPECT_NE(run("inspect " + folder_.file("m.model")).out.find("static     region: 3 groups"),
            std::string::npos);

  // A region of which nothing was learnt: the shared part, and it is said.
  std::string text = contents(file);
  for (std::size_t at = text.find("c1,"); at != std::string::npos; at = text.find("\nc1,", at)) {
    const std::size_t region = text.find("region", at);
    text.replace(region, text.find(',', region) - region, "mars");
    at = region;
  }
  const Outcome next = run("forecast " + folder_.file("m.model") + " " + write("mars.csv", text));
  EXPECT_EQ(next.exit_code, 1);
  EXPECT_EQ(cells(by_series(next.out)["c1"].front()).back(), "new_group") << next.err;
  EXPECT_NE(next.err.find("no series of training has its region 'mars'"), std::string::npos)
      << next.err;
}

TEST_F(PanelVerbs, StaticColumnsThatCannotBeAreRefused) {
  const std::string varying =
      write("v.csv",
            "shop,day,sold,region\na,2024-01-01,1,x\na,2024-01-02,2,y\nb,2024-01-01,1,x\n"
            "b,2024-01-02,4,x\n");
  const std::string long_flags = " --layout long --id-column shop --value-column sold --static ";
  EXPECT_TRUE(says(learn(varying, "m.model", long_flags + "region"), 3,
                   "'y' here and 'x' before, in rows of 'a'"));
  EXPECT_TRUE(says(learn(varying, "m.model", long_flags + "regoin"), 2, "Did you mean"));
  EXPECT_TRUE(says(train("m.model", "--static c2"), 2, "side by side"));
  const std::string file = write("shops.csv", kHeader + open_shops());
  const std::string made = folder_.file("panel.csv");
  ASSERT_EQ(
      run("data make " + made + " --long --channels 3 --rows 90 --step 1d --regions 2").exit_code,
      0);
  EXPECT_TRUE(says(learn(made, "m.model", "--static region --panel channels"), 2,
                   "series apart that share their weights"));
  EXPECT_TRUE(says(run("data make " + made + " --regions 2"), 2, "--long"));
}

TEST_F(PanelVerbs, MismatchIsOverTheWindowsOfEachSeries) {
  const std::string file =
      write("shops.csv", kHeader + open_shops() + days("s9", 0, 60) + days("tiny1", 150, kDays));
  const std::string flags = " --lookback 14 --horizon 7 --split 0.7,0.1,0.2 --json";
  const json panel = json::parse(run("mismatch " + file + flags).out);
  EXPECT_EQ(panel["panel"], "series");
  EXPECT_EQ(panel["channels"], 9) << "one is too short for a window";
  int windows = 0;
  for (const int rows : {160, 151, 142, 133, 124, 115, 106, 97, 60}) {
    windows += static_cast<int>(0.7 * rows) - 14 - 7 + 1;
  }
  EXPECT_EQ(panel["windows"], windows);
  EXPECT_GT(panel["mean_shift"], 0.0);
  // Alone or beside others, a series has the same windows.
  const std::string one = write("one.csv", kHeader + days("s0", 0, kDays) + days("s9", 0, 60));
  const json two = json::parse(run("mismatch " + one + flags).out);
  EXPECT_EQ(two["windows"], static_cast<int>(0.7 * 160) + static_cast<int>(0.7 * 60) - 40);
}

// The test windows of every series, the same for all contenders, and their forecasts by series.
TEST_F(PanelVerbs, StudiesScoreTheWindowsOfEachSeries) {
  std::string text = kHeader;
  for (int s = 0; s < 4; ++s) text += days(fmt::format("s{}", s), 20 * s, kDays);
  write("shops.csv", text);
  const std::string study =
      write("study.toml",
            "out = 'results'\nkeep-forecasts = true\nmodels = ['linear', 'dlinear', 'pulse']\n"
            "horizons = [7]\nseeds = [1]\n[[datasets]]\nname = 'shops'\nfile = 'shops.csv'\n"
            "[settings]\nlookback = 21\nperiod = 7\nhidden = 8\nepochs = 1\n"
            "split = '0.7,0.1,0.2'\n");
  const Outcome done = run("benchmark " + study + " --threads 1");
  ASSERT_EQ(done.exit_code, 0) << done.err;
  std::set<int> windows;
  for (const std::string& line : lines(contents(folder_.file("results/runs.jsonl")))) {
    const json record = json::parse(line);
    windows.insert(record["windows"]["test"].get<int>());
    EXPECT_EQ(record["data"]["channels"], 4) << line;
  }
  ASSERT_EQ(windows.size(), 1u) << "the same for all";
  int expected = 0;
  for (const int rows : {160, 140, 120, 100}) {
    const int test = rows - static_cast<int>(0.8 * rows + 1e-9);
    expected += test - 7 + 1;
  }
  EXPECT_NEAR(*windows.begin(), expected, 4);
  std::map<std::string, int> forecasts;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.file("results/forecasts"))) {
    for (const auto& [shop, rows] : by_series(contents(entry.path().string()))) {
      forecasts[shop] += static_cast<int>(rows.size());
    }
  }
  ASSERT_EQ(forecasts.size(), 4u);
  EXPECT_GT(forecasts["s0"], forecasts["s3"]) << "the longer one has more test windows";
}

// What check calls ready, train trains; what it does not, train refuses: over panels of every kind
// and the steps that businesses have.
TEST_F(PanelVerbs, WhatCheckCallsReadyTrainTrains) {
  enum Kind { kRagged, kSparse, kConstant, kShort, kTwice, kZero, kKinds };
  const auto panel = [&](const char* step, int kind, int longest) {
    std::string text = "id,ds,y\n";
    for (int s = 0; s < 5; ++s) {
      const int rows = kind == kShort    ? 2 + s
                       : kind == kRagged ? longest - s * (longest / 6)
                                         : longest;
      for (int i = longest - rows; i < longest; ++i) {
        if (kind == kSparse && (i * 7 + s) % 5 == 0) continue;
        const Instant stamp = Step::parse(step).add({1548892800000}, i, Zone());
        const double value = kind == kConstant && s < 2 ? 5.0
                             : kind == kZero            ? (i % 9 == s ? 3.0 : 0.0)
                                                        : 10.0 * s + (i * (s + 3)) % 11;
        const std::string line = fmt::format("k{},{},{}\n", s, to_text(stamp, Zone()), value);
        text += line;
        if (kind == kTwice && i == longest - 3) text += line;
      }
    }
    return write("panel.csv", text);
  };
  struct Case {
    const char* step;
    int longest;
    const char* flags;
  };
  const std::vector<Case> cases = {{"1d", 90, " --horizon 7"},
                                   {"1b", 80, " --horizon 5b"},
                                   {"7d", 70, ""},
                                   {"1mo", 60, " --horizon 12mo"},
                                   {"1me", 48, ""},
                                   {"1q", 24, " --horizon 4q"},
                                   {"1h", 100, " --horizon 30"},
                                   {"1mo", 20, ""}};
  int trained_count = 0;
  for (const Case& one : cases) {
    for (int kind = 0; kind < kKinds; ++kind) {
      for (const char* repair : {"", " --fill none --duplicates first"}) {
        const bool is_faulty = kind == kSparse || kind == kTwice;
        if (*repair != '\0' && !is_faulty) continue;
        const std::string file = panel(one.step, kind, one.longest);
        const std::string flags = std::string(one.flags) + repair + " --panel series";
        SCOPED_TRACE(fmt::format("{} kind {}{}", one.step, kind, flags));
        const Outcome checked = run("check " + file + flags + " --json");
        ASSERT_LE(checked.exit_code, 1) << checked.err;
        const json report = json::parse(checked.out);
        const Outcome trained = run("train " + file + flags + " --hidden 4 --epochs 1 --threads 1" +
                                    " --quiet --out " + folder_.file("m.model"));
        EXPECT_EQ(report["ready"].get<bool>(), trained.exit_code <= 1)
            << report["refusal"] << trained.err;
        if (trained.exit_code > 1) continue;
        ++trained_count;
        const Outcome next = run("forecast " + folder_.file("m.model") + " " + file);
        EXPECT_LE(next.exit_code, 1) << next.err;
        EXPECT_EQ(next.out.find("nan"), std::string::npos) << next.out;
      }
    }
  }
  EXPECT_GT(trained_count, 30);
}

}  // namespace
}  // namespace pulsecast::testing
