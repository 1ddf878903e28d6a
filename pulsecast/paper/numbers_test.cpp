#include "pulsecast/paper/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "pulsecast/base/error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/paper/plan.h"

namespace pulsecast::paper {
namespace {

TEST(Numbers, EveryTableIsThereWhole) {
  std::map<std::string, std::size_t> counts;
  for (const Cell& cell : cells()) ++counts[cell.table];
  EXPECT_EQ(counts, (std::map<std::string, std::size_t>{{"main", 480},
                                                        {"plug", 256},
                                                        {"ablation", 40},
                                                        {"width", 30},
                                                        {"long", 72},
                                                        {"plug720", 40},
                                                        {"mase", 18},
                                                        {"mase720", 96}}));
  EXPECT_EQ(cost_cells().size(), 32u);
  EXPECT_EQ(mismatch_cells().size(), 28u);
}

TEST(Numbers, AreThePapers) {
  const Cell& first = cells().front();
  EXPECT_EQ(first.dataset, "ETTh1");
  EXPECT_EQ(first.model, "pulse");
  EXPECT_EQ(first.horizon, 96);
  EXPECT_DOUBLE_EQ(first.paper.mse, 0.362);
  EXPECT_DOUBLE_EQ(first.paper.mae, 0.390);
  EXPECT_TRUE(std::isnan(first.paper.mase));
  EXPECT_DOUBLE_EQ(cost_cells().front().milliseconds, 4.068);
  EXPECT_DOUBLE_EQ(mismatch_cells().front().spectral, 0.267);
}

// A cell that no part shows, or that cannot be trained, would never be filled.
TEST(Numbers, EveryCellCanBeTrainedAndIsShown) {
  std::set<std::string> shown;
  for (const Part& part : parts()) {
    for (const ErrorTable& table : part.tables) shown.emplace(table.name);
  }
  std::set<std::string> datasets_there;
  for (const Cell& cell : cells()) {
    ASSERT_TRUE(shown.contains(cell.table)) << cell.table;
    ASSERT_NE(find_dataset(cell.dataset), nullptr) << cell.dataset;
    EXPECT_FALSE(std::isnan(cell.paper.mse) && std::isnan(cell.paper.mase));
    datasets_there.insert(cell.dataset);
    for (const Want& want :
         wants_of(cell.model, cell.dataset, cell.lookback, cell.setting, cell.horizon)) {
      EXPECT_NO_THROW(plainest(want)) << run_name(want);
    }
  }
  EXPECT_EQ(datasets_there.size(), datasets().size());
}

TEST(Numbers, ASettingThatTheRecipeHasIsNoOtherModel) {
  EXPECT_EQ(run_name(plainest({"pulse", "ETTh1", 96, "period=24", 96})), "pulse");
  EXPECT_EQ(run_name(plainest({"pulse", "ETTh1", 96, "period=48", 96})), "pulse period=48");
  EXPECT_EQ(run_name(plainest({"pulse", "ETTh1", 336, "", 96})), "pulse lookback=336");
}

}  // namespace
}  // namespace pulsecast::paper
