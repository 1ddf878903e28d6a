#include "pulsecast/benchmark/contender.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/train/completion.h"

namespace pulsecast::benchmark {
namespace {

// "lookback=96; horizon=96; ": those settings that a contender, a dataset and a horizon decide.
std::string decided(const Settings& settings) {
  constexpr std::string_view kDecided =
      " data.start data.step data.grid data.lookback data.horizon data.split data.period "
      "data.phase data.time-features model.model model.backbone model.width model.heads "
      "model.layers model.feed-forward model.backbone-dropout model.anchor model.codebook-rows "
      "model.codebook-order model.time-kernel model.time-shrink-a model.time-shrink-b "
      "model.time-width-min model.router model.patch model.router-width training.seed "
      "training.batch training.epoch-steps training.epochs training.patience "
      "training.learning-rate training.schedule training.loss training.mixup ";
  std::string text;
  for (const auto& [name, value] : setting_texts(settings)) {
    if (kDecided.find(" " + name + " ") == std::string_view::npos) continue;
    text += name.substr(name.find('.') + 1) + "=" + value + "; ";
  }
  return text;
}

std::string decided(const char* contender, const char* dataset, std::int64_t horizon) {
  return decided(base_settings(parse_contender(contender, "test"), dataset, horizon).settings);
}

// Results that were measured stand for these settings: they change with a decision and a new
// measurement, not by the way.
TEST(Contender, SettingsAreThoseThatResultsWereMeasuredWith) {
  EXPECT_EQ(decided("pulse:patchtst", "ETTh1", 96),
            "grid=rows; lookback=96; horizon=96; split=ETTh1; period=24; phase=row; "
            "time-features=hour_of_day; model=pulse; backbone=patchtst; width=16; heads=4; "
            "layers=3; feed-forward=128; backbone-dropout=0.3; anchor=true; "
            "codebook-rows=96; codebook-order=reference; time-kernel=5; time-shrink-a=1; "
            "time-shrink-b=1; time-width-min=1; router=true; patch=24; router-width=16; "
            "seed=2024; batch=128; epoch-steps=0; epochs=30; patience=5; "
            "learning-rate=0.001; schedule=reference; loss=frequency; "
            "mixup=statistic-aware; ");
  EXPECT_EQ(decided("frame:dlinear", "ETTh1", 96),
            "grid=rows; lookback=96; horizon=96; split=ETTh1; period=24; phase=row; "
            "time-features=hour_of_day; model=pulse; backbone=dlinear; "
            "backbone-dropout=0.1; anchor=false; codebook-rows=96; "
            "codebook-order=reference; time-kernel=5; time-shrink-a=1; time-shrink-b=1; "
            "time-width-min=1; router=false; patch=24; router-width=16; seed=2024; "
            "batch=256; epoch-steps=0; epochs=30; patience=5; learning-rate=0.005; "
            "schedule=reference; loss=frequency; mixup=statistic-aware; ");
  EXPECT_EQ(decided("timesnet", "etth2", 192),
            "grid=rows; lookback=96; horizon=192; split=ETTh2; period=24; phase=row; "
            "time-features=hour_of_day, day_of_week, day_of_month, day_of_year; "
            "model=timesnet; backbone=mlp; width=32; layers=2; feed-forward=32; "
            "backbone-dropout=0.1; anchor=true; codebook-rows=24; "
            "codebook-order=reference; time-kernel=5; time-shrink-a=1; time-shrink-b=1; "
            "time-width-min=1; router=true; patch=24; router-width=32; seed=2024; "
            "batch=32; epoch-steps=0; epochs=10; patience=3; learning-rate=0.0001; "
            "schedule=halving; loss=mse; mixup=none; ");
  EXPECT_EQ(decided("pulse", "load", 48),
            "grid=time; horizon=48; split=0.7,0.1,0.2; phase=timestamp; model=pulse; "
            "backbone=mlp; backbone-dropout=0.1; anchor=true; codebook-order=calendar; "
            "time-width-min=8; router=true; seed=2024; epochs=30; patience=5; "
            "schedule=reference; mixup=statistic-aware; ")
      << "learning rate and loss are the plan's to choose";
  EXPECT_EQ(decided("sparsetsf", "ETTh1", 100),
            "grid=rows; lookback=720; horizon=100; split=ETTh1; period=24; phase=row; "
            "time-features=hour_of_day; model=sparsetsf; backbone=mlp; "
            "backbone-dropout=0.1; anchor=true; codebook-order=calendar; time-width-min=8; "
            "router=true; seed=2024; batch=256; epochs=30; patience=5; learning-rate=0.02; "
            "schedule=plain; loss=mse; mixup=none; ");
  EXPECT_EQ(decided("itransformer", "Solar", 96),
            "start=2006-01-01 00:00; step=10min; grid=rows; lookback=96; horizon=96; "
            "split=Solar; period=144; phase=row; "
            "time-features=hour_of_day, day_of_week, day_of_month, day_of_year; "
            "model=itransformer; backbone=mlp; width=512; heads=8; layers=2; "
            "feed-forward=512; backbone-dropout=0.1; anchor=true; codebook-rows=32; "
            "codebook-order=reference; time-kernel=5; time-shrink-a=8; time-shrink-b=1; "
            "time-width-min=1; router=true; patch=4; router-width=32; seed=2024; batch=32; "
            "epoch-steps=0; epochs=10; patience=3; learning-rate=0.0005; schedule=halving; "
            "loss=mse; mixup=none; ");
}

// A study and the program start from the same words and come to the same settings.
TEST(Contender, IsWhatTheProgramTrainsWithTheSameWords) {
  for (const auto& backbone : kChoices<BackboneKind>) {
    const std::string name(backbone.name);
    Settings inside;
    assign(inside, "recipe", "ETTh1");
    assign(inside, "horizon", "96");
    Settings lone = inside;
    assign(inside, "backbone", name);
    assign(lone, "model", name);
    const auto study = [&](const std::string& contender) {
      return setting_texts(base_settings(parse_contender(contender, "test"), "ETTh1", 96).settings);
    };
    EXPECT_EQ(setting_texts(train::complete(inside)), study("pulse:" + name));
    EXPECT_EQ(setting_texts(train::complete(lone)), study(name));
  }
}

}  // namespace
}  // namespace pulsecast::benchmark
