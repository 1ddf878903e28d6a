#include "pulsecast/artifact/model_file.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "pulsecast/artifact/testing.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"
#include "pulsecast/settings/catalogue.h"

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

std::vector<std::vector<std::string>> texts_of(Settings settings) {
  std::vector<std::vector<std::string>> texts;
  for (const BoundSetting& setting : bind_all(settings)) {
    texts.push_back({setting.info->name});
    for (const std::string& value : setting.values()) texts.back().push_back(value);
  }
  return texts;
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
  EXPECT_EQ(texts_of(a.settings), texts_of(b.settings));
  EXPECT_EQ(a.origin.written_by, b.origin.written_by);
  EXPECT_EQ(a.origin.cpu, b.origin.cpu);
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
  const model::ModelShape& s = a.pulse->shape();
  const model::ModelShape& t = b.pulse->shape();
  EXPECT_EQ(s.lookback, t.lookback);
  EXPECT_EQ(s.horizon, t.horizon);
  EXPECT_EQ(s.channels, t.channels);
  EXPECT_EQ(s.features, t.features);
  EXPECT_EQ(s.period, t.period);
  EXPECT_EQ(s.backbone, t.backbone);
  EXPECT_EQ(s.alone, t.alone);
  EXPECT_EQ(s.hidden, t.hidden);
  EXPECT_EQ(s.sizes, t.sizes);
  EXPECT_EQ(s.anchor, t.anchor);
  EXPECT_EQ(s.codebook_order, t.codebook_order);
  EXPECT_EQ(s.codebook_rows, t.codebook_rows);
  EXPECT_EQ(s.time_kernel, t.time_kernel);
  EXPECT_EQ(s.time_width_a, t.time_width_a);
  EXPECT_EQ(s.time_width_b, t.time_width_b);
  EXPECT_EQ(s.router, t.router);
  EXPECT_EQ(s.patch, t.patch);
  EXPECT_EQ(s.router_width, t.router_width);
  EXPECT_EQ(s.dropout, t.dropout);
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
