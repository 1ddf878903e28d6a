#include "pulsecast/settings/published.h"

#include <gtest/gtest.h>

#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast {
namespace {

TEST(Published, EveryBackboneHasSettingsAndSaysWhoseTheyAre) {
  for (const auto& backbone : kChoices<BackboneKind>) {
    EXPECT_EQ(published_for(backbone.value).backbone, backbone.value);
  }
  for (const Published& row : published()) {
    EXPECT_FALSE(row.source.empty());
    if (row.heads != 0) {
      EXPECT_EQ(row.width % row.heads, 0) << choice_name(row.backbone) << " " << row.dataset;
    }
  }
}

// The paper's own rows for ETTh1 and ETTh2, at its four horizons.
TEST(Published, EttHourlyIsThereForEveryBackboneButTheMlp) {
  for (const auto& backbone : kChoices<BackboneKind>) {
    if (backbone.value == BackboneKind::kMlp) continue;
    for (const char* dataset : {"ETTh1", "etth2"}) {
      for (const int horizon : {96, 192, 336, 720}) {
        const Published& row = published_for(backbone.value, dataset, horizon);
        EXPECT_TRUE(row.horizon == 0 || row.horizon == horizon);
      }
    }
  }
}

TEST(Published, OtherDataHaveTheUsualRow) {
  EXPECT_EQ(&published_for(BackboneKind::kTimesNet, "PEMS03", 96),
            &published_for(BackboneKind::kTimesNet));
  EXPECT_EQ(&published_for(BackboneKind::kTimeXer, "ETTh1", 100),
            &published_for(BackboneKind::kTimeXer))
      << "its rows are of four horizons";
  EXPECT_EQ(published_for(BackboneKind::kPatchTst, "ETTh1", 100).dataset, "ETTh1")
      << "its row is of every horizon";
}

// Where the authors have a script for a dataset, its sizes count, not those for any other data.
TEST(Published, QuarterHoursAndWeatherHaveSizesOfTheirOwn) {
  EXPECT_EQ(published_for(BackboneKind::kITransformer, "ETTm1", 96).width, 128);
  EXPECT_EQ(published_for(BackboneKind::kITransformer, "Weather", 720).layers, 3);
  EXPECT_EQ(published_for(BackboneKind::kTimesNet, "ETTm1", 192).width, 64);
  EXPECT_EQ(published_for(BackboneKind::kTimesNet, "Weather", 720).epochs, 1);
  EXPECT_EQ(published_for(BackboneKind::kTimeXer, "Weather", 192).layers, 3);
  EXPECT_EQ(published_for(BackboneKind::kSparseTsf, "ETTm2", 336).own.cycle, 4);
  EXPECT_EQ(published_for(BackboneKind::kPatchTst, "weather", 96).heads, 16);
}

TEST(Published, InsidePulseSomeAreTrainedInSmallerSteps) {
  for (const auto& backbone : kChoices<BackboneKind>) {
    const InsideTraining* own = inside_training(backbone.value);
    if (own != nullptr) {
      EXPECT_LT(own->learning_rate, usual::kLearningRate) << backbone.name;
    }
  }
  EXPECT_NE(inside_training(BackboneKind::kTimesNet), nullptr);
  EXPECT_NE(inside_training(BackboneKind::kCrossformer), nullptr) << "flat else";
  EXPECT_EQ(inside_training(BackboneKind::kMlp), nullptr);
}

TEST(Published, ModelsAreNamedAsTheirBackbones) {
  EXPECT_EQ(choice_of<ModelKind>("pulse"), ModelKind::kPulse);
  EXPECT_FALSE(backbone_alone(ModelKind::kPulse).has_value());
  for (const auto& backbone : kChoices<BackboneKind>) {
    EXPECT_EQ(choice_of<ModelKind>(backbone.name), alone(backbone.value));
    EXPECT_EQ(backbone_alone(alone(backbone.value)), backbone.value);
  }
}

}  // namespace
}  // namespace pulsecast
