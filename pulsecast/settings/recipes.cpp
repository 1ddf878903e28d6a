#include "pulsecast/settings/recipes.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast {
namespace {

// clang-format off
constexpr std::array kRecipes = std::to_array<Recipe>({
    // dataset, H, W, L, P, d, time features, kernel, a, b, batch
    {"ETTh1", 96, 24, 96, 24, 16, "hour_of_day", 5, 1, 1, 256},
    {"ETTh1", 192, 24, 24, 24, 16, "hour_of_day", 5, 1, 1, 256},
    {"ETTh1", 336, 24, 24, 24, 16, "hour_of_day", 5, 1, 1, 256},
    {"ETTh1", 720, 24, 24, 24, 16, "hour_of_day", 5, 1, 1, 256},
    {"ETTh2", 96, 24, 32, 24, 32, "hour_of_day", 3, 1, 2, 256},
    {"ETTh2", 192, 24, 24, 24, 32, "hour_of_day", 5, 1, 1, 256},
    {"ETTh2", 336, 24, 24, 24, 32, "hour_of_day", 5, 4, 2, 256},
    {"ETTh2", 720, 24, 48, 24, 16, "hour_of_day", 5, 4, 1, 256},
    {"ETTm1", 96, 96, 24, 6, 32, "minute_of_hour+hour_of_day", 3, 2, 1, 256},
    {"ETTm1", 192, 96, 32, 12, 32, "minute_of_hour+hour_of_day", 5, 1, 1, 256},
    {"ETTm1", 336, 96, 12, 6, 16, "minute_of_hour+hour_of_day", 3, 1, 1, 256},
    {"ETTm1", 720, 96, 96, 4, 16, "minute_of_hour+hour_of_day", 5, 1, 1, 256},
    {"ETTm2", 96, 96, 12, 12, 32, "minute_of_hour+hour_of_day", 5, 2, 1, 256},
    {"ETTm2", 192, 96, 12, 24, 16, "minute_of_hour+hour_of_day", 3, 2, 1, 256},
    {"ETTm2", 336, 96, 48, 12, 16, "minute_of_hour+hour_of_day", 3, 1, 2, 256},
    {"ETTm2", 720, 96, 12, 24, 16, "minute_of_hour+hour_of_day", 3, 1, 1, 256},
    {"Electricity", 96, 168, 32, 12, 32, "hour_of_day+day_of_week", 5, 8, 1, 64},
    {"Electricity", 192, 168, 48, 24, 32, "hour_of_day+day_of_week", 5, 8, 1, 64},
    {"Electricity", 336, 168, 12, 24, 16, "hour_of_day+day_of_week", 5, 4, 1, 64},
    {"Electricity", 720, 168, 24, 24, 16, "hour_of_day+day_of_week+day_of_month+day_of_year", 11, 8, 1, 64},
    {"Solar", 96, 144, 32, 4, 32, "hour_of_day", 5, 8, 1, 64},
    {"Solar", 192, 144, 12, 24, 16, "hour_of_day", 5, 1, 2, 64},
    {"Solar", 336, 144, 32, 4, 16, "hour_of_day", 5, 2, 2, 64},
    {"Solar", 720, 144, 24, 24, 32, "hour_of_day", 3, 8, 1, 64},
    {"Traffic", 96, 168, 12, 24, 16, "hour_of_day+day_of_week", 5, 4, 1, 64},
    {"Traffic", 192, 168, 32, 12, 16, "hour_of_day+day_of_week", 3, 8, 1, 64},
    {"Traffic", 336, 168, 96, 12, 16, "hour_of_day+day_of_week", 5, 2, 1, 64},
    {"Traffic", 720, 168, 12, 12, 16, "hour_of_day+day_of_week", 3, 8, 1, 64},
    {"Weather", 96, 144, 24, 24, 32, "hour_of_day+day_of_week", 5, 4, 1, 256},
    {"Weather", 192, 144, 48, 6, 16, "hour_of_day+day_of_week", 5, 4, 1, 256},
    {"Weather", 336, 144, 72, 24, 32, "hour_of_day", 3, 4, 2, 256},
    {"Weather", 720, 144, 96, 6, 32, "hour_of_day", 3, 2, 1, 256},
    {"PEMS03", 12, 288, 48, 4, 32, "hour_of_day", 5, 8, 1, 32},
    {"PEMS03", 24, 288, 24, 24, 16, "hour_of_day", 3, 1, 1, 32},
    {"PEMS03", 48, 288, 24, 12, 16, "hour_of_day", 5, 4, 2, 32},
    {"PEMS03", 96, 288, 12, 12, 32, "hour_of_day", 5, 4, 2, 32},
    {"PEMS04", 12, 288, 96, 4, 32, "hour_of_day", 5, 4, 1, 32},
    {"PEMS04", 24, 288, 96, 8, 16, "hour_of_day", 5, 2, 1, 32},
    {"PEMS04", 48, 288, 24, 12, 16, "hour_of_day", 5, 4, 1, 32},
    {"PEMS04", 96, 288, 48, 12, 16, "hour_of_day", 5, 4, 1, 32},
    {"PEMS07", 12, 288, 12, 12, 32, "hour_of_day", 5, 2, 1, 32},
    {"PEMS07", 24, 288, 24, 4, 16, "hour_of_day", 5, 8, 2, 32},
    {"PEMS07", 48, 288, 12, 12, 16, "hour_of_day", 5, 4, 2, 32},
    {"PEMS07", 96, 288, 48, 4, 32, "hour_of_day", 5, 8, 1, 32},
    {"PEMS08", 12, 288, 32, 12, 32, "hour_of_day", 3, 8, 2, 32},
    {"PEMS08", 24, 288, 12, 24, 32, "hour_of_day", 3, 1, 2, 32},
    {"PEMS08", 48, 288, 24, 4, 16, "hour_of_day", 5, 4, 2, 32},
    {"PEMS08", 96, 288, 12, 4, 16, "hour_of_day", 5, 1, 1, 32},
});
// clang-format on

}  // namespace

std::span<const Recipe> recipes() { return kRecipes; }

const Recipe& find_recipe(std::string_view dataset, std::int64_t horizon) {
  std::vector<std::string> datasets;
  std::vector<std::string> horizons;
  for (const Recipe& recipe : kRecipes) {
    if (edit_distance(recipe.dataset, dataset) == 0) {
      if (recipe.horizon == horizon) return recipe;
      horizons.push_back(std::to_string(recipe.horizon));
    }
    if (datasets.empty() || datasets.back() != recipe.dataset) {
      datasets.emplace_back(recipe.dataset);
    }
  }
  if (horizons.empty()) {
    throw_error(ErrorKind::kUsage, "recipe",
                "the paper has no recipe for '{}'.{} It has them for {}", dataset,
                did_you_mean(dataset, datasets), joined(datasets));
  }
  throw_error(ErrorKind::kUsage, "recipe",
              "the paper has no recipe for {} at horizon {}; it has horizons {}", dataset, horizon,
              joined(horizons));
}

}  // namespace pulsecast
