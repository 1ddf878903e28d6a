#include "pulsecast/train/completion.h"

#include <gtest/gtest.h>

#include <string>

#include "pulsecast/base/error.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/recipes.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast::train {
namespace {

Settings with_recipe(const std::string& recipe, const std::string& horizon) {
  Settings told;
  told.training.recipe = recipe;
  told.data.horizon = horizon;
  return told;
}

TEST(Completion, ASecondTimeChangesNothing) {
  for (const auto& model : kChoices<ModelKind>) {
    for (const auto& backbone : kChoices<BackboneKind>) {
      for (const char* recipe : {"", "ETTh1", "Solar"}) {
        for (const char* dataset : {"", "ETTh2", "load"}) {
          Settings told;
          if (*recipe != '\0') told.training.recipe = recipe;
          told.model.model = model.value;
          told.model.backbone = backbone.value;
          const Settings once = complete(told, dataset);
          EXPECT_EQ(setting_texts(complete(once)), setting_texts(once))
              << model.name << " " << backbone.name << " " << recipe << " " << dataset;
        }
      }
    }
  }
}

TEST(Completion, WhatWasToldStaysAlsoWhereItIsTheUsual) {
  for (const ModelKind model : {ModelKind::kPulse, alone(BackboneKind::kPatchTst)}) {
    Settings told = with_recipe("ETTh1", "96");
    told.model.model = model;
    told.model.backbone = BackboneKind::kPatchTst;
    told.data.grid = usual::kGrid;
    told.data.phase = usual::kPhase;
    told.data.lookback = "48";
    told.data.split = "0.6,0.2,0.2";
    told.data.time_features = {"day_of_week"};
    told.model.width = 128;
    told.model.backbone_dropout = 0.1;
    told.model.codebook_order = usual::kCodebookOrder;
    told.model.time_width_min = usual::kTimeWidthMin;
    told.training.batch = 256;
    told.training.epochs = usual::kEpochs;
    told.training.patience = usual::kPatience;
    told.training.learning_rate = usual::kLearningRate;
    told.training.schedule = usual::kSchedule;
    told.training.loss = usual::kLoss;
    told.training.mixup = usual::kMixup;
    const auto completed = setting_texts(complete(told));
    for (const auto& text : setting_texts(told)) {
      EXPECT_NE(std::ranges::find(completed, text), completed.end())
          << text.first << " is no longer " << text.second;
    }
  }
}

TEST(Completion, NothingToldIsTheUsual) {
  const Settings settings = complete({});
  EXPECT_EQ(settings.data.grid, usual::kGrid);
  EXPECT_EQ(settings.training.epochs, usual::kEpochs);
  EXPECT_FALSE(settings.training.learning_rate) << "the plan's to choose: a panel's is smaller";
  EXPECT_EQ(settings.model.codebook_order, usual::kCodebookOrder);
  EXPECT_FALSE(settings.training.batch.has_value()) << "the rows decide";
  EXPECT_FALSE(settings.data.lookback.has_value());
  EXPECT_FALSE(settings.model.width.has_value()) << "the mlp has none";
}

TEST(Completion, ABackboneInsidePulseIsTrainedAsItNeeds) {
  Settings told;
  told.model.backbone = BackboneKind::kPatchTst;
  const Settings settings = complete(told);
  EXPECT_EQ(settings.training.batch, 128);
  EXPECT_EQ(settings.training.learning_rate, 0.001);
  EXPECT_FALSE(settings.training.loss);
  EXPECT_EQ(settings.model.width, 128);
}

TEST(Completion, OfARecipeTheBackboneHasTheSizesPublishedForItsDataset) {
  Settings told = with_recipe("etth1", "96");
  told.model.backbone = BackboneKind::kPatchTst;
  const Settings settings = complete(told);
  EXPECT_EQ(settings.model.width, 16);
  EXPECT_EQ(settings.model.backbone_dropout, 0.3);
  EXPECT_EQ(settings.training.batch, 128) << "its own training inside PULSE, not the recipe's";
  EXPECT_EQ(settings.model.codebook_rows, 96);
  EXPECT_EQ(settings.data.split, "ETTh1");
}

TEST(Completion, AModelAloneKeepsTheRecipesProtocol) {
  Settings told = with_recipe("ETTh1", "336");
  told.model.model = alone(BackboneKind::kITransformer);
  const Settings settings = complete(told);
  EXPECT_EQ(settings.model.width, 512);
  EXPECT_EQ(settings.training.batch, 32);
  EXPECT_EQ(settings.training.schedule, ScheduleKind::kHalving);
  EXPECT_EQ(settings.training.loss, LossKind::kSquared);
  EXPECT_EQ(settings.training.mixup, Mixup::kNone);
  EXPECT_EQ(settings.data.time_features.size(), 4u);
  EXPECT_EQ(settings.data.split, "ETTh1");
  EXPECT_EQ(settings.data.phase, PhaseSource::kRow);
}

// Sizes that a few backbones have are published for a dataset and a horizon as the others are, and
// stay as told.
TEST(Completion, SizesOfAFewBackbonesArePublishedToo) {
  Settings told = with_recipe("ETTh2", "720");
  told.model.model = alone(BackboneKind::kCfpt);
  const ModelSettings cfpt = complete(told).model;
  EXPECT_EQ(cfpt.width, 1024);
  EXPECT_EQ(cfpt.backbone_patch, 24);
  EXPECT_EQ(cfpt.backbone_kernel, 2);
  EXPECT_EQ(cfpt.frequency_share, 0.4);
  EXPECT_EQ(complete(told).data.time_features,
            (std::vector<std::string>{"hour_of_day", "month_of_year", "season_of_year"}));
  told.model.frequency_share = 1.0;
  EXPECT_EQ(complete(told).model.frequency_share, 1.0);

  told = with_recipe("ETTm1", "192");
  told.model.model = alone(BackboneKind::kMsgNet);
  EXPECT_EQ(complete(told).model.graph_channels, 16);
  EXPECT_EQ(complete(told).model.top_periods, 3);
  told.model.model = alone(BackboneKind::kCrossformer);
  EXPECT_EQ(complete(told).model.routers, 1);
  EXPECT_EQ(complete(told).model.backbone_patch, 12);
  told.model.model = alone(BackboneKind::kTimesNet);
  EXPECT_FALSE(complete(told).model.top_periods.has_value()) << "five, as usual";
  told.model.model = alone(BackboneKind::kSparseTsf);
  EXPECT_EQ(complete(told).model.backbone_cycle, 4);
  EXPECT_EQ(complete(told).data.period, 96) << "of the codebook, which a cycle does not change";
}

TEST(Completion, AModelAloneSeesWhatTheDataSayWhereNoDatasetIsNamed) {
  Settings told;
  told.model.model = alone(BackboneKind::kSparseTsf);
  const Settings settings = complete(told);
  EXPECT_FALSE(settings.data.lookback.has_value());
  EXPECT_TRUE(settings.data.time_features.empty());
  EXPECT_EQ(complete(told, "ETTh1").data.lookback, "720");
}

// A dataset that nobody published settings of the backbone for: the recipe's protocol, its usual
// training.
TEST(Completion, ARecipeWithoutAPublishedRowTakesTheUsualOne) {
  Settings told = with_recipe("Weather", "96");
  told.model.model = alone(BackboneKind::kDLinear);
  const Settings settings = complete(told);
  EXPECT_EQ(settings.data.split, "Weather");
  EXPECT_EQ(settings.data.lookback, "96");
  EXPECT_EQ(settings.training.learning_rate, 0.0001);
}

TEST(Completion, EveryRecipeOfThePaper) {
  for (const Recipe& recipe : recipes()) {
    const Settings settings =
        complete(with_recipe(std::string(recipe.dataset), std::to_string(recipe.horizon)));
    EXPECT_EQ(settings.data.period, recipe.period);
    EXPECT_EQ(settings.model.patch, recipe.patch);
    EXPECT_EQ(settings.training.epoch_steps, 0);
  }
}

TEST(Completion, TheHorizonOfARecipeMayBeATime) {
  const Settings day = complete(with_recipe("ETTm1", "1d"));
  EXPECT_EQ(day.model.codebook_rows, 24);
  EXPECT_EQ(day.data.horizon, "1d");
  Settings silent;
  silent.training.recipe = "ETTm1";
  EXPECT_EQ(complete(silent).model.codebook_rows, 24) << "96 steps, the usual";
  EXPECT_FALSE(complete(silent).data.horizon.has_value()) << "the plan says which was taken";
}

TEST(Completion, RowsWithoutStampsBeginWhereTheDatasetDoes) {
  const Settings settings = complete(with_recipe("Solar", "96"));
  EXPECT_TRUE(settings.data.start.has_value());
  EXPECT_EQ(settings.data.step, "10min");
  Settings stamped = with_recipe("Solar", "96");
  stamped.data.time_column = "date";
  EXPECT_FALSE(complete(stamped).data.start.has_value());
  EXPECT_FALSE(complete(with_recipe("ETTh1", "96")).data.start.has_value());
}

TEST(Completion, ARecipeThatIsNotThereIsRefused) {
  const auto message = [](const std::string& recipe, const std::string& horizon) -> std::string {
    try {
      complete(with_recipe(recipe, horizon));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return error.message();
    }
    return "";
  };
  EXPECT_TRUE(message("ETTh3", "48h").starts_with("the paper has no recipe for 'ETTh3'"));
  EXPECT_TRUE(
      message("ETTh1", "97").starts_with("the paper has no recipe for ETTh1 at horizon 97"));
}

}  // namespace
}  // namespace pulsecast::train
