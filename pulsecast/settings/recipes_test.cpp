#include "pulsecast/settings/recipes.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

TEST(Recipes, AreFourHorizonsOfTwelveDatasets) {
  std::map<std::string_view, std::set<std::int32_t>> horizons;
  for (const Recipe& recipe : recipes()) horizons[recipe.dataset].insert(recipe.horizon);
  EXPECT_EQ(recipes().size(), 48u);
  ASSERT_EQ(horizons.size(), 12u);
  for (const auto& [dataset, own] : horizons) {
    const bool is_short = dataset.starts_with("PEMS");
    EXPECT_EQ(own, is_short ? (std::set<std::int32_t>{12, 24, 48, 96})
                            : (std::set<std::int32_t>{96, 192, 336, 720}))
        << dataset;
  }
}

// The paper pads nothing: P divides T and H in every recipe.
TEST(Recipes, PatchesDivideHistoryAndHorizon) {
  for (const Recipe& recipe : recipes()) {
    EXPECT_EQ(recipe.lookback % recipe.patch, 0) << recipe.dataset << " " << recipe.horizon;
    EXPECT_EQ(recipe.horizon % recipe.patch, 0) << recipe.dataset << " " << recipe.horizon;
  }
}

TEST(Recipes, AreFoundByNameAndHorizon) {
  const Recipe& recipe = find_recipe("weather", 336);
  EXPECT_EQ(recipe.codebook_rows, 72);
  EXPECT_EQ(recipe.router_width, 32);
  EXPECT_EQ(recipe.time_features, "hour_of_day");
  EXPECT_EQ(recipe.batch, 256);
  EXPECT_EQ(find_recipe("ETTh1", 96).codebook_rows, 96);
  EXPECT_EQ(find_recipe("Electricity", 720).time_kernel, 11);
}

std::string message_of(std::string_view dataset, std::int64_t horizon) {
  try {
    find_recipe(dataset, horizon);
  } catch (const Error& error) {
    return error.message();
  }
  return "";
}

TEST(Recipes, MissingOnesSayWhichThereAre) {
  EXPECT_EQ(message_of("ETTh1", 97),
            "the paper has no recipe for ETTh1 at horizon 97; it has horizons 96, 192, 336, 720");
  EXPECT_TRUE(message_of("Trafic", 96)
                  .starts_with("the paper has no recipe for 'Trafic'. Did you mean 'Traffic'? "
                               "It has them for ETTh1, "));
}

}  // namespace
}  // namespace pulsecast
