// Files of earlier versions are read, and models forecast what they did. tests/golden/README.md.

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/window_errors.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/checkpoint.h"

namespace pulsecast {
namespace {

const std::filesystem::path kGolden = PULSECAST_SOURCE_DIR "/tests/golden";
constexpr double kTolerance = 1e-5;  // of a channel's scale: float32, summed in any order

std::string contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::vector<std::string>> rows_of(const std::filesystem::path& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(contents(csv));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
  }
  return rows;
}

// A model beside its forecast, and the rows that it was made from.
struct GoldenModel {
  std::filesystem::path model;
  std::filesystem::path rows;
};

// "v1.model" and "v1.csv"; of a version with a folder every model in it too.
std::vector<GoldenModel> golden_models() {
  std::vector<GoldenModel> models;
  for (const auto& each : std::filesystem::recursive_directory_iterator(kGolden)) {
    const std::filesystem::path& path = each.path();
    if (path.extension() != ".model") continue;
    const bool is_first = path.parent_path() == kGolden;
    const std::string version = (is_first ? path.stem() : path.parent_path().filename()).string();
    models.push_back({path, kGolden / (version + ".csv")});
  }
  return models;
}

class Golden : public ::testing::TestWithParam<GoldenModel> {
 protected:
  std::filesystem::path forecast_file() const {
    std::filesystem::path path = GetParam().model;
    return path.replace_extension(".forecast.csv");
  }
};

TEST_P(Golden, ForecastsWhatItDid) {
  const auto model = Model::load(GetParam().model);
  const SeriesForecast forecast = model->forecast(GetParam().rows.string());
  const auto rows = rows_of(forecast_file());
  ASSERT_EQ(rows.size(), 1 + forecast.channels.size() * forecast.stamps.size());
  std::size_t row = 1;
  for (std::size_t c = 0; c < forecast.channels.size(); ++c) {
    const ChannelForecast& channel = forecast.channels[c];
    const double tolerance = kTolerance * model->inside().scaler.scales()[c];
    for (std::size_t h = 0; h < forecast.stamps.size(); ++h, ++row) {
      const std::vector<std::string>& expected = rows[row];
      // Effects of known columns are a component since version 4.
      ASSERT_GE(expected.size(), 8U) << "row " << row;
      EXPECT_EQ(expected[0], channel.channel);
      EXPECT_EQ(expected[1], to_text(forecast.stamps[h], forecast.zone));
      EXPECT_EQ(expected[2], to_text(forecast.cutoff, forecast.zone));
      EXPECT_NEAR(std::stod(expected[3]), channel.values[h], tolerance) << "row " << row;
      EXPECT_EQ(expected[4], name(channel.status));
      EXPECT_NEAR(std::stod(expected[5]), channel.anchor[h], tolerance) << "row " << row;
      EXPECT_NEAR(std::stod(expected[6]), channel.residual[h], tolerance) << "row " << row;
      EXPECT_NEAR(std::stod(expected[7]), channel.scale, tolerance) << "row " << row;
      const double effect = channel.effect.empty() ? 0.0 : channel.effect[h];
      EXPECT_NEAR(expected.size() > 8 ? std::stod(expected[8]) : 0.0, effect, tolerance);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, Golden, ::testing::ValuesIn(golden_models()),
                         [](const auto& golden) {
                           std::string name =
                               std::filesystem::relative(golden.param.model, kGolden).string();
                           std::ranges::replace_if(
                               name, [](char c) { return std::isalnum(c) == 0; }, '_');
                           return name;
                         });

// Of a training that was stopped in its third epoch.
TEST(GoldenCheckpoint, IsRead) {
  const std::filesystem::path path = kGolden / "v3" / "checkpoint";
  const std::string fingerprint = store::read_tensors(path).metadata.at("fingerprint");
  const auto checkpoint = train::load_checkpoint(path, fingerprint);
  ASSERT_TRUE(checkpoint.has_value());
  EXPECT_EQ(checkpoint->state.epoch, 3u);
  EXPECT_EQ(checkpoint->state.steps_done, 4u);
  EXPECT_EQ(checkpoint->state.best_epoch, 2u);
  ASSERT_EQ(checkpoint->state.history.size(), 2u);
  EXPECT_NEAR(checkpoint->state.history[1].validation_mse, 0.5126, 1e-4);
  EXPECT_EQ(checkpoint->state.weights.size(), checkpoint->state.best_weights.size());
}

TEST(GoldenStudy, RecordsAndErrorsAreRead) {
  const std::filesystem::path out = kGolden / "v3" / "study";
  const benchmark::JournalContents journal = benchmark::read_journal(out / "runs.jsonl");
  EXPECT_TRUE(journal.damaged.empty());
  ASSERT_EQ(journal.records.size(), 4u);
  const benchmark::RunRecord& record = journal.records.front();
  EXPECT_EQ(record.key.model, "dlinear");
  EXPECT_EQ(record.mse, 0.8863823440581599);
  const benchmark::WindowErrors errors = benchmark::read_errors(out / record.errors);
  double sum = 0.0;
  for (const float squared : errors.squared) sum += squared;
  EXPECT_NEAR(sum / static_cast<double>(errors.squared.size()), record.mse, 1e-6);
}

// What is written today is what the newest golden file is: whoever changes the one adds the other.
TEST(GoldenNewest, IsWrittenByteForByte) {
  const std::filesystem::path copy = std::filesystem::temp_directory_path() /
                                     ("pulsecast_golden_" + std::to_string(::getpid()) + ".model");
  Model::load(kGolden / "v4.model")->save(copy);
  const bool is_same = contents(copy) == contents(kGolden / "v4.model");
  std::filesystem::remove(copy);
  EXPECT_TRUE(is_same) << "the format of model files has changed: give it a new version, and add "
                          "files of that version to tests/golden";
}

}  // namespace
}  // namespace pulsecast
