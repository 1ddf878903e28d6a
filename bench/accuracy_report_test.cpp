#include "bench/accuracy_report.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast::bench {
namespace {

TrainedRun run(std::string variant, std::string dataset, int horizon, std::int64_t seed, double mse,
               double validation = 1.0) {
  return {std::move(variant), std::move(dataset), horizon, seed, mse,
          mse / 2.0,          validation,         12.0,    7.0,  30.0};
}

// Runs of every section; ETTh1 alone, so that every mean can be checked by hand.
ReportInputs example() {
  ReportInputs inputs;
  inputs.variants = {{"recipe", "the paper's settings"}, {"no-anchor", "without phase anchor"}};
  inputs.runs = {
      run("recipe", "ETTh1", 96, 1, 0.30, 0.50),   run("recipe", "ETTh1", 96, 2, 0.40, 0.60),
      run("recipe", "ETTh1", 192, 1, 0.50, 0.80),  run("no-anchor", "ETTh1", 96, 1, 0.33),
      run("no-anchor", "ETTh1", 192, 1, 0.55),     run("defaults", "ETTh1", 96, 2, 0.44),
      run("defaults", "ETTh1", 192, 1, 0.45),      run("defaults", "ETTh1", 336, 1, 0.99),
      run("calendar", "ETTh1", 96, 1, 0.31, 0.49), run("calendar", "ETTh1", 192, 1, 0.51, 0.80),
      run("twin", "ETTh1", 96, 7, 0.28),           run("twin", "ETTh1", 192, 7, 0.42)};
  inputs.seasonal_naive_mse = {{{"ETTh1", 96}, 0.55}};
  return inputs;
}

bool says(const std::string& report, const std::string& line) {
  if (report.find(line) != std::string::npos) return true;
  ADD_FAILURE() << "expected '" << line << "' in\n" << report;
  return false;
}

TEST(AccuracyReport, AVariantStandsBesideThePaper) {
  const std::string report = report_text(example());
  says(report, "### recipe: the paper's settings\n");
  says(
      report,
      "| ETTh1 | 96 | 2 | 0.3500 | 0.3000 - 0.4000 | 0.1750 | 0.362 / 0.390 | 0.967 | 12.0 (7.0) | "
      "30.0 |\n");
  says(report, "ETTh1, mean of 2 horizons: MSE 0.4250, MAE 0.2125 (paper 0.3850, 0.4040).\n");
  EXPECT_EQ(report.find("### calendar"), std::string::npos) << "it was not asked for";
}

TEST(AccuracyReport, AblationsAreComparedOverTheRunsThatBothHave) {
  const std::string report = report_text(example());
  // (0.33 + 0.55) / (0.30 + 0.50): seed 2 of the recipe has no counterpart.
  says(report,
       "| ETTh1 | no-anchor | 2 of 4 | 2 | 0.4400 | 0.2200 | 1.100 | 0.430 | 0.425 | 1.044 |\n");
  says(report,
       "| ETTh1 | recipe | 2 of 4 | 3 | 0.4250 | 0.2125 | 1.000 | 0.412 | 0.422 | 1.000 |\n");
  EXPECT_EQ(report.find("| ETTh1 | no-router"), std::string::npos);
}

TEST(AccuracyReport, DefaultsAreComparedCellByCell) {
  const std::string report = report_text(example());
  says(report, "| ETTh1 | 96 | 1 | 0.4400 | 0.4000 | 1.100 | 0.5500 | 0.800 |\n");
  says(report, "| ETTh1 | 192 | 1 | 0.4500 | 0.5000 | 0.900 | - | - |\n");
  says(report, "defaults to recipe, over 2 cells: 1.0000.\n");
}

TEST(AccuracyReport, TheOrderThatValidatesBetterIsNamed) {
  ReportInputs inputs = example();
  says(report_text(inputs),
       "| ETTh1 | 96 | 1 | 0.5000 | 0.4900 | 0.9800 | 0.3000 | 0.3100 | 1.0333 |\n");
  says(report_text(inputs),
       "The calendar order validates better by 1.00 % (mean ratio over 2 cells); the default is");
  for (TrainedRun& each : inputs.runs) {
    if (each.variant == "calendar") each.validation_mse *= 1.1;
  }
  says(report_text(inputs), "The reference order validates better by 8.90 % (mean ratio over 2");
}

TEST(AccuracyReport, TheTwinHasItsOwnSeeds) {
  const std::string report = report_text(example());
  says(report, "| ETTh1 | 96 | 2 / 1 | 0.3500 | 0.2800 | 1.250 | 0.1750 | 0.1400 | 1.250 |\n");
  says(report, "ETTh1, mean of 2 horizons: MSE 0.4250, twin 0.3500, ratio 1.2143;");
}

TEST(AccuracyReport, WhatWasNotRunIsLeftOut) {
  EXPECT_EQ(report_text({}), "");
  ReportInputs inputs = example();
  std::erase_if(inputs.runs, [](const TrainedRun& each) { return each.variant != "recipe"; });
  const std::string report = report_text(inputs);
  for (const char* section : {"Defaults", "Orders", "twin"}) {
    EXPECT_EQ(report.find(section), std::string::npos) << section;
  }
}

TEST(AccuracyReport, ReadsTheLinesThatAreWritten) {
  const TrainedRun own = run_of({{"variant", "recipe"},
                                 {"dataset", "ETTh1"},
                                 {"horizon", 96},
                                 {"seed", 2024},
                                 {"mse", 0.36},
                                 {"mae", 0.39},
                                 {"epochs", 3},
                                 {"best_epoch", 2},
                                 {"seconds", 1.5},
                                 {"validation_mse", {0.9, 0.7, 0.8}}});
  EXPECT_EQ(own.validation_mse, 0.7) << "of the epoch kept";
  EXPECT_EQ(own.seed, 2024);
  const TrainedRun twin = twin_run_of({{"dataset", "ETTh1"},
                                       {"horizon", 96},
                                       {"seed", 2024},
                                       {"test_mse", 0.36},
                                       {"test_mae", 0.39},
                                       {"seconds", 1.5}});
  EXPECT_EQ(twin.variant, "twin");
  EXPECT_EQ(twin.mse, 0.36);
  EXPECT_TRUE(std::isnan(twin.validation_mse));
}

}  // namespace
}  // namespace pulsecast::bench
