// Model files of earlier versions are read, and forecast what they did. tests/golden/README.md.

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecaster.h"

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

class Golden : public ::testing::TestWithParam<const char*> {
 protected:
  std::filesystem::path file(const char* ending) const {
    return kGolden / (GetParam() + std::string(ending));
  }
};

TEST_P(Golden, ForecastsWhatItDid) {
  const auto model = Model::load(file(".model"));
  const SeriesForecast forecast = model->forecast(file(".csv").string());
  const auto rows = rows_of(file(".forecast.csv"));
  ASSERT_EQ(rows.size(), 1 + forecast.channels.size() * forecast.stamps.size());
  std::size_t row = 1;
  for (std::size_t c = 0; c < forecast.channels.size(); ++c) {
    const ChannelForecast& channel = forecast.channels[c];
    const double tolerance = kTolerance * model->inside().scaler.scales()[c];
    for (std::size_t h = 0; h < forecast.stamps.size(); ++h, ++row) {
      const std::vector<std::string>& expected = rows[row];
      ASSERT_EQ(expected.size(), 8U) << "row " << row;
      EXPECT_EQ(expected[0], channel.channel);
      EXPECT_EQ(expected[1], to_text(forecast.stamps[h], forecast.zone));
      EXPECT_EQ(expected[2], to_text(forecast.cutoff, forecast.zone));
      EXPECT_NEAR(std::stod(expected[3]), channel.values[h], tolerance) << "row " << row;
      EXPECT_EQ(expected[4], name(channel.status));
      EXPECT_NEAR(std::stod(expected[5]), channel.anchor[h], tolerance) << "row " << row;
      EXPECT_NEAR(std::stod(expected[6]), channel.residual[h], tolerance) << "row " << row;
      EXPECT_NEAR(std::stod(expected[7]), channel.scale, tolerance) << "row " << row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(EveryVersion, Golden, ::testing::Values("v1", "v2", "v3"));

// What is written today is what the newest golden file is: whoever changes the one adds the other.
TEST(GoldenNewest, IsWrittenByteForByte) {
  const std::filesystem::path copy = std::filesystem::temp_directory_path() /
                                     ("pulsecast_golden_" + std::to_string(::getpid()) + ".model");
  Model::load(kGolden / "v3.model")->save(copy);
  const bool is_same = contents(copy) == contents(kGolden / "v3.model");
  std::filesystem::remove(copy);
  EXPECT_TRUE(is_same) << "the format of model files has changed: give it a new version, and add "
                          "files of that version to tests/golden";
}

}  // namespace
}  // namespace pulsecast
