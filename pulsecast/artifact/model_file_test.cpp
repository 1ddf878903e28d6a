#include "pulsecast/artifact/model_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "pulsecast/artifact/testing.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast::artifact {
namespace {

using testing::bytes_of;
using testing::decoded;
using testing::tiny_model;

std::vector<std::uint32_t> weight_bits(const Model& model) {
  std::vector<std::uint32_t> bits;
  for (const float weight : std::as_const(*model.pulse).parameters().weights()) {
    bits.push_back(std::bit_cast<std::uint32_t>(weight));
  }
  return bits;
}

void expect_same(const Model& a, const Model& b) {
  EXPECT_EQ(weight_bits(a), weight_bits(b));
  EXPECT_EQ(a.scaler.means(), b.scaler.means());
  EXPECT_EQ(a.scaler.scales(), b.scaler.scales());
  EXPECT_EQ(a.channels, b.channels);
  EXPECT_EQ(a.calendar.features, b.calendar.features);
  EXPECT_EQ(a.calendar.period, b.calendar.period);
  EXPECT_EQ(a.calendar.phase, b.calendar.phase);
  EXPECT_EQ(a.step, b.step);
  EXPECT_EQ(a.zone, b.zone);
  EXPECT_EQ(a.phase_origin, b.phase_origin);
  EXPECT_EQ(setting_texts(a.settings), setting_texts(b.settings));
  EXPECT_EQ(a.origin.written_by, b.origin.written_by);
  EXPECT_EQ(a.origin.cpu, b.origin.cpu);
  EXPECT_EQ(a.origin.engine, b.origin.engine);
  EXPECT_EQ(a.origin.data_source, b.origin.data_source);
  EXPECT_EQ(a.origin.data_sha256, b.origin.data_sha256);
  EXPECT_EQ(a.origin.trained, b.origin.trained);
  EXPECT_EQ(a.origin.validated, b.origin.validated);
  EXPECT_EQ(a.origin.test, b.origin.test);
  EXPECT_EQ(a.origin.is_refit, b.origin.is_refit);
  EXPECT_EQ(a.origin.best_epoch, b.origin.best_epoch);
  EXPECT_EQ(a.origin.best_validation, b.origin.best_validation);
  EXPECT_EQ(a.origin.seconds, b.origin.seconds);
  EXPECT_EQ(a.origin.training_windows, b.origin.training_windows);
  EXPECT_EQ(a.origin.validation_windows, b.origin.validation_windows);
  EXPECT_EQ(a.origin.history, b.origin.history);
  EXPECT_EQ(a.origin.choices, b.origin.choices);
  EXPECT_EQ(a.origin.warnings, b.origin.warnings);
  EXPECT_EQ(a.origin.naive_validation, b.origin.naive_validation);
  EXPECT_TRUE(a.pulse->shape() == b.pulse->shape());
}

TEST(ModelFile, EverythingComesBack) { expect_same(decoded(bytes_of(tiny_model())), tiny_model()); }

TEST(ModelFile, ThroughAFile) {
  const pulsecast::testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "load.pulse";
  save_model(path, tiny_model());
  expect_same(load_model(path), tiny_model());
  std::filesystem::remove(path);
  try {
    load_model(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_EQ(error.where(), path.string());
  }
}

// Written again, it is the same file: nothing is lost or added on the way.
TEST(ModelFile, DecodedAndEncodedIsTheSameFile) {
  const std::string bytes = bytes_of(tiny_model());
  EXPECT_EQ(bytes_of(decoded(bytes)), bytes);
}

TEST(ModelFile, WithoutAnchorAndWithoutValidation) {
  Model model = tiny_model();
  model::ModelShape shape = model.pulse->shape();
  shape.anchor = false;
  shape.router = false;
  model.pulse = std::make_unique<model::Pulse>(shape);
  model.pulse->initialise(1);
  model.zone = Zone();
  model.origin.best_validation = std::numeric_limits<double>::quiet_NaN();
  const Model back = decoded(bytes_of(model));
  EXPECT_TRUE(std::isnan(back.origin.best_validation));
  EXPECT_TRUE(back.zone.is_utc());
  EXPECT_EQ(weight_bits(back), weight_bits(model));
  EXPECT_FALSE(back.pulse->shape().anchor);
}

// Paths may be any bytes; JSON may not.
TEST(ModelFile, ASourceThatIsNotUtf8IsReplacedNotRefused) {
  Model model = tiny_model();
  model.origin.data_source = "load\xff.csv";
  EXPECT_EQ(decoded(bytes_of(model)).origin.data_source, "load\xef\xbf\xbd.csv");
}

}  // namespace
}  // namespace pulsecast::artifact
