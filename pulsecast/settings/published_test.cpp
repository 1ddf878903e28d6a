#include "pulsecast/settings/published.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/presets.h"

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

TEST(Published, AnUnknownDatasetIsAnsweredWithThoseThereAre) {
  try {
    published_for(BackboneKind::kDLinear, "Weather", 96);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_EQ(error.message(),
              "there are no published settings of dlinear for Weather at horizon 96; there are for "
              "ETTh1, ETTh2. Leave out --recipe to train it with its usual ones");
  }
}

TEST(Published, AreAppliedOverARecipesProtocol) {
  Settings settings;
  apply_recipe(find_recipe("ETTh1", 336), settings);
  apply_published(published_for(BackboneKind::kITransformer, "ETTh1", 336), settings);
  EXPECT_EQ(settings.model.model, alone(BackboneKind::kITransformer));
  EXPECT_EQ(settings.model.width, 512);
  EXPECT_EQ(settings.training.batch, 32);
  EXPECT_EQ(settings.training.schedule, ScheduleKind::kHalving);
  EXPECT_EQ(settings.training.loss, LossKind::kSquared);
  EXPECT_EQ(settings.training.mixup, Mixup::kNone);
  EXPECT_EQ(settings.data.time_features.size(), 4u);
  EXPECT_EQ(settings.data.split, "ETTh1") << "the protocol stays the recipe's";
  EXPECT_EQ(settings.data.phase, PhaseSource::kRow);
}

TEST(Published, WithoutADatasetTheDataChooses) {
  Settings settings;
  apply_published(published_for(BackboneKind::kSparseTsf), settings);
  EXPECT_FALSE(settings.data.lookback.has_value());
  EXPECT_TRUE(settings.data.time_features.empty());
  EXPECT_FALSE(settings.model.width.has_value());
}

TEST(Published, InsidePulseSomeAreTrainedInSmallerSteps) {
  const TrainingSettings usual;
  for (const auto& backbone : kChoices<BackboneKind>) {
    Settings settings;
    apply_inside(backbone.value, settings);
    const bool has_own = inside_training(backbone.value) != nullptr;
    EXPECT_EQ(settings.training.batch.has_value(), has_own) << backbone.name;
    EXPECT_EQ(settings.training.learning_rate < usual.learning_rate, has_own) << backbone.name;
    EXPECT_EQ(settings.training.loss, LossKind::kFrequency) << backbone.name;
  }
  EXPECT_NE(inside_training(BackboneKind::kTimesNet), nullptr);
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
