#include "pulsecast/paper/helps.h"

#include <gtest/gtest.h>

#include <cmath>

namespace pulsecast::paper {
namespace {

TEST(Helps, RankCorrelationIsSpearmans) {
  EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {10, 20, 30, 1000}), 1.0);
  EXPECT_DOUBLE_EQ(rank_correlation({1, 2, 3, 4}, {4, 3, 2, 1}), -1.0);
  // scipy.stats.spearmanr([1, 2, 2, 4, 5], [2, 1, 4, 3, 5]): 0.6668859288553503
  EXPECT_NEAR(rank_correlation({1, 2, 2, 4, 5}, {2, 1, 4, 3, 5}), 0.6668859288553503, 1e-12);
  EXPECT_TRUE(std::isnan(rank_correlation({1, 2}, {1, 2})));
  EXPECT_TRUE(std::isnan(rank_correlation({1, 1, 1}, {1, 2, 3})));
}

TEST(Helps, TellsWhatIsMissingAndThatFewDatasetsProveNothing) {
  HelpsEvidence evidence;
  const CellName first{"ETTh1", 96}, second{"ETTh2", 96};
  evidence.cells = {first, second};
  evidence.mismatches[first] = {.mean_shift = 0.3, .deviation_shift = 0.1, .spectral = 0.2};
  evidence.gains = {{"phase anchor", first, 1, 4.25}, {"mixup", first, 3, -0.5}};
  Document document{.title = "helps", .lead = ""};
  add_helps(evidence, document.blocks);
  const std::string text = to_markdown(document);
  for (const char* words :
       {"| ETTh1 | 96 | 0.300 | 0.100 | 0.200 | +4.2 | - | -0.5 (3) | - | - |",
        "| ETTh2 | 96 | - | - | - | - |", "The cells are of 1 dataset",
        "phase anchor: 1 cell (ETTh2)", "frequency loss: 2 cells (ETTh1, ETTh2)"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words << "\n" << text;
  }
  HelpsEvidence none;
  Document empty{.title = "helps", .lead = ""};
  add_helps(none, empty.blocks);
  EXPECT_NE(to_markdown(empty).find("None of its runs is done."), std::string::npos);
}

}  // namespace
}  // namespace pulsecast::paper
