// pulsecast forecast, evaluate and inspect, as a user runs them.

#include <gtest/gtest.h>

#include <cmath>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

using nlohmann::json;

class ForecastVerbs : public ModelVerbs {
 protected:
  // Trained once; every test gets a copy in a folder of its own.
  void SetUp() override {
    static std::string model, test_model;
    if (model.empty()) {
      ASSERT_EQ(train("rows.model").exit_code, 0);
      ASSERT_EQ(train("test.model", "--split 0.6,0.2,0.2").exit_code, 0);
      model = contents(folder_.file("rows.model"));
      test_model = contents(folder_.file("test.model"));
    }
    write("rows.model", model);
    write("test.model", test_model);
    text_ = lines(contents(rows()));
  }

  Outcome forecast_of(const std::string& csv, const std::string& flags = "") const {
    return run("forecast " + folder_.file("rows.model") + " " + csv + " " + flags);
  }

  Outcome evaluate(const std::string& model, const std::string& csv,
                   const std::string& flags = "") const {
    return run("evaluate " + folder_.file(model) + " " + csv + " " + flags);
  }

  // The rows with something done to each line; the header is line 0.
  template <typename Change>
  std::string changed(const std::string& name, Change change) const {
    std::string text;
    for (std::size_t i = 0; i < text_.size(); ++i) text += change(i, text_[i]);
    return write(name, text);
  }

  std::string first_rows(std::size_t count) const {
    return changed("first.csv", [&](std::size_t i, const std::string& line) {
      return i <= count ? line + "\n" : "";
    });
  }

  // 48 more rows, as the generator goes on.
  std::string newer_rows() const {
    const std::string file = folder_.file("newer.csv");
    EXPECT_EQ(run("data make " + file + " --rows 448 --channels 2 --seed 3").exit_code, 0);
    return file;
  }

  std::vector<std::string> text_;
};

TEST_F(ForecastVerbs, LongHasARowAChannelAndStep) {
  const Outcome said = forecast("rows.model");
  EXPECT_EQ(said.exit_code, 0) << said.err;
  EXPECT_EQ(said.err, "");
  const auto rows = lines(said.out);
  ASSERT_EQ(rows.size(), 1 + 2 * 12U);
  EXPECT_EQ(rows[0], "unique_id,ds,cutoff,yhat,status");
  const auto first = cells(rows[1]);
  EXPECT_EQ(first[0], "c1");
  EXPECT_EQ(first[1], "2024-01-17 16:00:00") << "a step after the last row";
  EXPECT_EQ(first[2], "2024-01-17 15:00:00");
  EXPECT_EQ(first[4], "ok");
}

TEST_F(ForecastVerbs, WideHasTheSameValues) {
  const auto wide = lines(forecast("rows.model", "--wide").out);
  const auto rows = lines(forecast("rows.model").out);
  ASSERT_EQ(wide.size(), 13U);
  EXPECT_EQ(wide[0], "ds,c1,c2");
  for (std::size_t h = 0; h < 12; ++h) {
    EXPECT_EQ(wide[1 + h],
              cells(rows[1 + h])[1] + "," + cells(rows[1 + h])[3] + "," + cells(rows[13 + h])[3]);
  }
  EXPECT_TRUE(says(forecast("rows.model", "--wide --components"), 2, "leave one out"));
}

TEST_F(ForecastVerbs, ComponentsAddUp) {
  const auto rows = lines(forecast("rows.model", "--components").out);
  EXPECT_EQ(rows[0], "unique_id,ds,cutoff,yhat,status,anchor,residual,scale,effect");
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto row = cells(rows[i]);
    ASSERT_EQ(row.size(), 9U);
    EXPECT_NEAR(std::stod(row[5]) + std::stod(row[6]), std::stod(row[3]), 1e-6) << rows[i];
    EXPECT_GT(std::stod(row[7]), 0.0);
  }
}

TEST_F(ForecastVerbs, JsonHasTheSame) {
  const json result = json::parse(forecast("rows.model", "--json --components").out);
  EXPECT_EQ(result["ds"].size(), 12U);
  EXPECT_EQ(result["channels"][1]["unique_id"], "c2");
  EXPECT_EQ(result["channels"][1]["anchor"].size(), 12U);
  const auto row = cells(lines(forecast("rows.model").out)[1]);
  EXPECT_NEAR(result["channels"][0]["yhat"][0].get<double>(), std::stod(row[3]), 1e-6);
}

TEST_F(ForecastVerbs, AtIsTheForecastOfTheRowsUpToThen) {
  const Outcome at = forecast("rows.model", "--at '2024-01-10 07:30'");
  EXPECT_EQ(at.exit_code, 0) << at.err;
  EXPECT_EQ(at.out, forecast_of(first_rows(9 * 24 + 8)).out);
  EXPECT_TRUE(
      says(forecast("rows.model", "--at 2030-01-01"), 3, "the last row with targets is of"));
  EXPECT_TRUE(says(forecast("rows.model", "--at 2024-01-01"), 3, "has only 1 up to"));
  EXPECT_TRUE(says(forecast("rows.model", "--at yesterday"), 2, "--at: 'yesterday' is not a date"));
}

TEST_F(ForecastVerbs, OldRowsAreRefusedWhenAsked) {
  EXPECT_TRUE(says(forecast("rows.model", "--max-age 2h"), 3, "more than 2h ago (--max-age)"));
  EXPECT_EQ(forecast("rows.model", "--max-age 500y").exit_code, 0);
  EXPECT_TRUE(
      says(forecast("rows.model", "--max-age soon"), 2, "--max-age: expected a number and"));
}

TEST_F(ForecastVerbs, BoundsHoldEveryValue) {
  const auto rows = lines(forecast("rows.model", "--min 9 --max 10").out);
  ASSERT_EQ(rows.size(), 25U);
  int held = 0;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const double value = std::stod(cells(rows[i])[3]);
    EXPECT_GE(value, 9.0);
    EXPECT_LE(value, 10.0);
    held += value == 9.0 || value == 10.0;
  }
  EXPECT_GT(held, 0);
  EXPECT_TRUE(says(forecast("rows.model", "--min 5 --max 3"), 2, "--min: 5 is above --max, 3"));
}

TEST_F(ForecastVerbs, OtherColumnsAndAnotherDialectChangeNothing) {
  const std::string expected = forecast("rows.model").out;
  const std::string extra = changed("extra.csv", [](std::size_t i, const std::string& line) {
    return line + (i == 0 ? ",note,c3\n" : ",hello,7\n");
  });
  EXPECT_EQ(forecast_of(extra).out, expected);
  const std::string swapped = changed("swapped.csv", [](std::size_t, const std::string& line) {
    const auto row = cells(line);
    return row[0] + "\t" + row[2] + "\t" + row[1] + "\r\n";
  });
  EXPECT_EQ(forecast_of(swapped).out, expected);
  EXPECT_EQ(run("forecast " + folder_.file("rows.model") + " - < " + rows()).out, expected);
  // As --help has it: the newest rows, under the header.
  const std::string some = folder_.file("some.csv");
  std::system(("(head -n 1 " + rows() + "; tail -n 30 " + rows() + ") > " + some).c_str());
  EXPECT_EQ(forecast_of(some, "--threads 1 --threads 2").out, expected) << "the last flag wins";
}

TEST_F(ForecastVerbs, AMissingColumnIsNamed) {
  const std::string file = changed("missing.csv", [](std::size_t, const std::string& line) {
    return cells(line)[0] + "," + cells(line)[1] + "\n";
  });
  EXPECT_TRUE(says(forecast_of(file), 3, "not there: c2"));
}

TEST_F(ForecastVerbs, AGapCostsItsOwnChannelAndNoOther) {
  const std::string file = changed("gap.csv", [](std::size_t i, const std::string& line) {
    return (i == 390 ? cells(line)[0] + "," + cells(line)[1] + "," : line) + "\n";
  });
  const Outcome said = forecast_of(file);
  EXPECT_EQ(said.exit_code, 1);
  EXPECT_NE(said.err.find("c2: seasonal_naive instead of the model's forecast; 1 of the last 24"),
            std::string::npos)
      << said.err;
  const auto rows = lines(said.out);
  const auto whole = lines(forecast("rows.model").out);
  ASSERT_EQ(rows.size(), whole.size());
  for (std::size_t h = 0; h < 12; ++h) {
    EXPECT_EQ(rows[1 + h], whole[1 + h]) << "c1 has no gap";
    const auto row = cells(rows[13 + h]);
    EXPECT_EQ(row[4], "seasonal_naive");
    // The last value of that hour: a day ago, or two where a day ago is the gap.
    const std::size_t day_ago = 400 + h + 1 - 24;
    EXPECT_EQ(std::stod(row[3]),
              std::stod(cells(text_[day_ago == 390 ? day_ago - 24 : day_ago])[2]));
  }
  EXPECT_EQ(forecast_of(file, "--quiet").err, "");
  // Every row of the last day is gone: both channels.
  const std::string hole = changed("hole.csv", [](std::size_t i, const std::string& line) {
    return i == 395 ? "" : line + "\n";
  });
  EXPECT_EQ(forecast_of(hole).exit_code, 1);
}

TEST_F(ForecastVerbs, AFileIsMendedWithTheFlagsThatMessagesName) {
  const std::string twice = changed("twice.csv", [](std::size_t i, const std::string& line) {
    return line + "\n" + (i == 395 ? line + "\n" : "");
  });
  EXPECT_TRUE(says(forecast_of(twice), 3, "--duplicates first"));
  EXPECT_EQ(forecast_of(twice, "--duplicates first").out, forecast("rows.model").out);
  EXPECT_EQ(evaluate("rows.model", twice, "--duplicates first --part validation").exit_code, 0);
  const std::string gap = changed("gap.csv", [](std::size_t i, const std::string& line) {
    return (i == 390 ? cells(line)[0] + "," + cells(line)[1] + "," : line) + "\n";
  });
  EXPECT_EQ(forecast_of(gap, "--fill linear").exit_code, 0);
  EXPECT_TRUE(says(forecast_of(gap, "--lookback 12"), 2, "there is no flag '--lookback'"));
}

TEST_F(ForecastVerbs, TooFewRows) {
  EXPECT_TRUE(says(forecast_of(first_rows(23)), 3, "needs 24 rows of history and has only 23"));
  EXPECT_EQ(forecast_of(first_rows(24)).exit_code, 0);
}

TEST_F(ForecastVerbs, KnownColumnsMustGoOn) {
  const auto with_known = [&](std::size_t target_rows, std::size_t known_rows) {
    return changed("known.csv", [&](std::size_t i, const std::string& line) {
      if (i == 0) return line + ",plan\n";
      const std::string plan = i <= known_rows ? std::to_string(i % 24) : "";
      return (i <= target_rows ? line : cells(line)[0] + ",,") + "," + plan + "\n";
    });
  };
  const std::string file = with_known(388, 400);
  const std::string model = folder_.file("known.model");
  const std::string train_it = "train " + file + kTiny + " --known plan --out " + model;
  ASSERT_EQ(run(train_it + " --known-as features").exit_code, 0);
  const std::string forecast_it = "forecast " + model + " " + file;
  const Outcome whole = run(forecast_it);
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(cells(lines(whole.out)[1])[1], "2024-01-17 04:00:00");
  with_known(388, 396);
  EXPECT_TRUE(says(run(forecast_it), 3, "'plan' has no value at 2024-01-17 12:00:00"));
  with_known(388, 388);
  EXPECT_TRUE(says(run(forecast_it), 3, "the known column 'plan' has no value"));
  EXPECT_TRUE(says(run("forecast " + model + " " + rows()), 3, "not there: plan"));
  // Rows of the validation are there, their targets are not.
  with_known(300, 400);
  EXPECT_TRUE(says(run("evaluate --part validation " + model + " " + file), 3,
                   "there are no rows to score"));
}

// What explains nothing is said to, and is not asked for again.
TEST_F(ForecastVerbs, AKnownColumnWithoutAnEffectIsLeftOut) {
  const std::string file = changed("plan.csv", [&](std::size_t i, const std::string& line) {
    return line + (i == 0 ? ",plan\n" : "," + std::to_string(i % 24) + "\n");
  });
  const std::string model = folder_.file("plan.model");
  const Outcome trained =
      run("train " + file + " --lookback 24 --horizon 12 --hidden 8 --epochs 1 " +
          "--threads 1 --known plan --out " + model);
  ASSERT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_NE(trained.err.find("effects of none: plan explain nothing"), std::string::npos)
      << trained.err;
  const Outcome without = run("forecast " + model + " " + rows());
  EXPECT_EQ(without.exit_code, 0) << without.err;
}

TEST_F(ForecastVerbs, ResultsThatCannotBeWrittenAreErrors) {
  const std::string out = folder_.file("no/such/folder.csv");
  EXPECT_TRUE(says(forecast("rows.model", "--out " + out), 5, "could not create the file"));
  const std::string before = contents(rows());
  for (const std::string& input : {rows(), folder_.file("rows.model")}) {
    EXPECT_TRUE(says(forecast("rows.model", "--out " + input), 2, "name another file"));
  }
  EXPECT_EQ(contents(rows()), before);
  EXPECT_EQ(forecast("rows.model", "--out " + folder_.file("next.csv")).out, "");
  EXPECT_EQ(contents(folder_.file("next.csv")), forecast("rows.model").out);
}

TEST_F(ForecastVerbs, ScoresAreNeverOfRowsThatTheModelHasSeen) {
  const Outcome none = evaluate("rows.model", rows());
  EXPECT_TRUE(says(none, 3, "the model has seen rows up to 2024-01-17 15:00:00"));
  EXPECT_TRUE(says(none, 3, "Give newer rows, or ask for --part validation"));
  const json newer = json::parse(evaluate("rows.model", newer_rows(), "--json").out);
  EXPECT_EQ(newer["first"], "2024-01-17 16:00:00");
  EXPECT_EQ(newer["windows"], 48 - 12 + 1);
  const json held_out = json::parse(evaluate("test.model", rows(), "--json").out);
  EXPECT_EQ(held_out["first"], "2024-01-14 08:00:00") << "row 320 of 400";
  EXPECT_EQ(held_out["windows"], 80 - 12 + 1);
}

TEST_F(ForecastVerbs, NewerRowsAreScoredAlsoWhereTestRowsAreNotInTheFile) {
  const std::string file = newer_rows();
  std::string text;
  const auto all = lines(contents(file));
  for (std::size_t i = 0; i < all.size(); ++i) text += i == 0 || i > 400 ? all[i] + "\n" : "";
  const Outcome said = evaluate("test.model", write("newest.csv", text), "--json");
  EXPECT_EQ(said.exit_code, 0) << said.out;
  EXPECT_EQ(json::parse(said.out)["last"], "2024-01-19 15:00:00");
}

TEST_F(ForecastVerbs, PartsAndBaselines) {
  for (const auto& [part, windows] : {std::pair{"validation", 40 - 12 + 1},
                                      {"training", 360 - 24 - 12 + 1},
                                      {"all", 400 - 24 - 12 + 1}}) {
    const Outcome said = evaluate("rows.model", rows(), std::string("--json --part ") + part);
    ASSERT_EQ(said.exit_code, 0) << part << said.out;
    const json result = json::parse(said.out);
    EXPECT_EQ(result["part"], part);
    EXPECT_EQ(result["windows"], windows) << part;
    ASSERT_GE(result["baselines"].size(), 3U);
    EXPECT_EQ(result["baselines"][0]["name"], "naive");
    EXPECT_GT(result["baselines"][0]["scaled"]["mse"], 0.0);
    EXPECT_EQ(result["model"]["scaled"]["per_channel"][1]["channel"], "c2");
    EXPECT_EQ(result["model"]["scaled"]["per_step"].size(), 12U);
  }
  // What training said of its best epoch is what evaluation finds, where all of validation chose
  // it.
  ASSERT_EQ(train("whole.model", "--calibration 0").exit_code, 0);
  const json validation =
      json::parse(evaluate("whole.model", rows(), "--json --part validation").out);
  EXPECT_NEAR(validation["model"]["scaled"]["mse"],
              inspect("whole.model")["origin"]["best_validation_mse"], 1e-6);
  EXPECT_TRUE(says(evaluate("rows.model", rows(), "--part trianing"), 2, "expected held-out"));
  const Outcome text = evaluate("rows.model", rows(), "--part all --per-channel --per-step");
  for (const char* words : {"seasonal naive (day)", "drift", "MASE@24", "best baseline's MSE"}) {
    EXPECT_NE(text.out.find(words), std::string::npos) << words << "\n" << text.out;
  }
}

TEST_F(ForecastVerbs, InspectDescribes) {
  const Outcome said = run("inspect " + folder_.file("rows.model") + " --weights --settings");
  EXPECT_EQ(said.exit_code, 0);
  for (const char* words :
       {"24 steps of history to 12 ahead", "targets    c1, c2", "period 24", "rows.csv, sha256",
        "chosen     period 24", "data.horizon = 12", "backbone.first.weight"}) {
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  }
  const json model = inspect("rows.model");
  EXPECT_EQ(model["channels"][0]["name"], "c1");
  EXPECT_EQ(model["version"], 4);
}

TEST_F(ForecastVerbs, WhatIsNoModelFileIsRefusedWithItsOwnExitCode) {
  const std::string model = contents(folder_.file("rows.model"));
  for (const auto& [name, bytes] : {std::pair<std::string, std::string>{"empty", ""},
                                    {"text", "date,c1\n2024-01-01,1\n"},
                                    {"cut", model.substr(0, model.size() / 2)},
                                    {"longer", model + "x"}}) {
    const std::string file = write(name, bytes);
    EXPECT_EQ(run("inspect " + file).exit_code, 4) << name;
    EXPECT_EQ(run("forecast " + file + " " + rows()).exit_code, 4) << name;
    EXPECT_EQ(run("evaluate " + file + " " + rows()).exit_code, 4) << name;
  }
  EXPECT_EQ(run("inspect " + folder_.file("not there")).exit_code, 2) << "two words";
  EXPECT_TRUE(says(run("inspect " + folder_.file("nowhere")), 5, "No such file"));
  EXPECT_TRUE(says(run("inspect " + folder_.path()), 5, "Is a directory"));
}

TEST_F(ForecastVerbs, RowsWhereTheModelBelongsAreNoticed) {
  const std::string model = folder_.file("rows.model");
  const std::string zipped = folder_.file("rows.csv.gz");
  std::system(("gzip -c " + rows() + " > " + zipped).c_str());
  for (const std::string verb : {"forecast", "evaluate"}) {
    const Outcome said = run(verb + " " + rows() + " " + model);
    EXPECT_TRUE(says(said, 2, rows() + " is text, such as CSV, and " + model + " a model file"));
    EXPECT_TRUE(says(said, 2, "pulsecast " + verb + " " + model + " " + rows()));
    EXPECT_TRUE(says(run(verb + " " + zipped + " " + model), 2, "is compressed with gzip"));
    EXPECT_TRUE(says(run(verb + " " + rows() + " " + zipped), 4, "no model file: it is text"));
    EXPECT_TRUE(says(run(verb + " " + rows() + " " + folder_.file("nowhere")), 4, "is text"));
  }
  EXPECT_TRUE(says(run("inspect " + rows()), 4, "no model file: it is text, such as CSV"));
  EXPECT_TRUE(says(run("inspect " + zipped), 4, "no model file: it is compressed with gzip"));
}

TEST_F(ForecastVerbs, ErrorsAreJsonWhenAsked) {
  const auto kind = [&](const std::string& arguments) {
    const Outcome said = run(arguments + " --json");
    EXPECT_EQ(said.err, "") << arguments;
    const json error = json::parse(said.out)["error"];
    EXPECT_EQ(error["exit_code"], said.exit_code);
    return error["kind"].get<std::string>();
  };
  EXPECT_EQ(kind("forecast " + folder_.file("rows.model") + " " + first_rows(5)), "data");
  EXPECT_EQ(kind("forecast " + rows() + " " + rows()), "model file");
  EXPECT_EQ(kind("evaluate " + folder_.file("rows.model") + " " + rows() + " --part x"), "usage");
  EXPECT_EQ(kind("train " + rows() + " --horizon never"), "usage");
  EXPECT_EQ(kind("train " + folder_.file("nowhere")), "input or output");
  EXPECT_EQ(kind("inspect --nonsense"), "usage");
}

TEST_F(ForecastVerbs, JsonErrorsCarryPlaceAndRemediesAsData) {
  const std::string twice = folder_.file("twice.csv");
  std::ofstream(twice) << contents(rows()).substr(0, contents(rows()).find('\n', 100) + 1);
  const std::vector<std::string> all = lines(contents(twice));
  std::ofstream(twice, std::ios::app) << all.back() << "\n";
  const json error =
      json::parse(run("train --json --out " + folder_.file("t.model") + " " + twice).out)["error"];
  EXPECT_EQ(error["source"], twice);
  EXPECT_EQ(error["line"], all.size() + 1);
  EXPECT_EQ(error["where"], twice + ":" + std::to_string(all.size() + 1));
  EXPECT_FALSE(error.contains("setting"));
  EXPECT_TRUE(error["message"].get<std::string>().ends_with("already")) << error["message"];
  EXPECT_EQ(error["remedies"], json::parse(R"([
      {"settings": [{"name": "duplicates", "value": "first"}],
       "effect": "keeps the first of such rows",
       "text": "--duplicates first keeps the first of such rows"},
      {"settings": [{"name": "duplicates", "value": "mean"}],
       "effect": "keeps their mean",
       "text": "--duplicates mean keeps their mean"}])"));

  const json none =
      json::parse(run("evaluate --json " + folder_.file("rows.model") + " " + rows()).out)["error"];
  EXPECT_EQ(none["remedies"][0], json::parse(R"({"settings": [], "effect": "give newer rows",
                            "text": "give newer rows"})"));
  EXPECT_EQ(none["remedies"][1]["action"], "score-validation");

  const json horizon =
      json::parse(run("train --json --horizon 5000 --out " + folder_.file("t.model") + " " + rows())
                      .out)["error"];
  EXPECT_EQ(horizon["remedies"][1]["settings"],
            json::parse(R"([{"name": "lookback", "value": null, "smaller": true}])"));
  const json never = json::parse(run("train --json --horizon never " + rows()).out)["error"];
  EXPECT_EQ(never["setting"], "horizon");
  EXPECT_EQ(never["where"], "--horizon");
}

TEST(Help, EveryVerbShowsExamples) {
  const ScratchFolder folder;
  for (const char* verb :
       {"train", "forecast", "evaluate", "inspect", "backbones", "benchmark", "sweep", "demo",
        "check", "mismatch", "settings", "data make", "data list", "data verify"}) {
    const Outcome said = run_program(std::string(verb) + " --help", folder);
    EXPECT_EQ(said.exit_code, 0) << verb;
    EXPECT_NE(said.out.find(std::string("Examples:\n  pulsecast ") + verb), std::string::npos)
        << said.out;
  }
  EXPECT_EQ(run_program("help settings", folder).out,
            contents(PULSECAST_SOURCE_DIR "/docs/settings.md"));
}

// The slow one: it trains for real.
TEST(Demo, ShowsEverythingInUnderAMinute) {
  const ScratchFolder folder;
  const Outcome said = run_program("demo --keep " + folder.file("kept"), folder);
  EXPECT_EQ(said.exit_code, 0) << said.err;
  for (const char* words : {"$ pulsecast data make", "$ pulsecast check", "$ pulsecast train",
                            "$ pulsecast evaluate", "seasonal naive", "$ pulsecast forecast",
                            "history", "truth", "forecast", "The files are in"}) {
    EXPECT_NE(said.out.find(words), std::string::npos) << words << "\n" << said.out;
  }
  EXPECT_EQ(run_program("inspect " + folder.file("kept/demo.model"), folder).exit_code, 0);
}

}  // namespace
}  // namespace pulsecast::testing
