#include "pulsecast/artifact/model_file.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "pulsecast/artifact/testing.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast::artifact {
namespace {

using testing::bytes_of;
using testing::decoded;
using testing::tiny_model;
using testing::tiny_panel;
using testing::with_head;

std::vector<std::uint32_t> weight_bits(const Model& model) {
  std::vector<std::uint32_t> bits;
  for (const float weight : std::as_const(model.ensemble).lead().parameters().weights()) {
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
  EXPECT_EQ(a.origin.seasonal_validation, b.origin.seasonal_validation);
  EXPECT_EQ(a.origin.seconds, b.origin.seconds);
  EXPECT_EQ(a.origin.training_windows, b.origin.training_windows);
  EXPECT_EQ(a.origin.validation_windows, b.origin.validation_windows);
  EXPECT_EQ(a.origin.history, b.origin.history);
  EXPECT_EQ(a.origin.choices, b.origin.choices);
  EXPECT_EQ(a.origin.warnings, b.origin.warnings);
  EXPECT_EQ(a.origin.naive_validation, b.origin.naive_validation);
  EXPECT_TRUE(a.shape() == b.shape());
  ASSERT_EQ(a.ranges.has_value(), b.ranges.has_value());
  if (!a.ranges) return;
  ASSERT_EQ(a.ranges->sets().size(), b.ranges->sets().size());
  for (std::size_t s = 0; s < a.ranges->sets().size(); ++s) {
    const calibrate::ScoreSet& one = a.ranges->sets()[s];
    const calibrate::ScoreSet& other = b.ranges->sets()[s];
    EXPECT_EQ(one.scores, other.scores);
    EXPECT_EQ(one.until, other.until);
    EXPECT_EQ(one.gain, other.gain);
    EXPECT_EQ(one.scale.deviation_power, other.scale.deviation_power);
    EXPECT_EQ(one.scale.recent_power, other.scale.recent_power);
    EXPECT_EQ(one.scale.least_deviation, other.scale.least_deviation);
    EXPECT_EQ(one.scale.phases, other.scale.phases);
  }
  const auto bits = [](const calibrate::Calibration& ranges) {
    std::vector<std::uint32_t> all;
    for (const float value : ranges.quantiles()) all.push_back(std::bit_cast<std::uint32_t>(value));
    return all;
  };
  EXPECT_EQ(bits(*a.ranges), bits(*b.ranges));
  ASSERT_EQ(a.ranges->head() != nullptr, b.ranges->head() != nullptr);
  if (a.ranges->head() == nullptr) return;
  EXPECT_EQ(a.ranges->units(), b.ranges->units());
  EXPECT_TRUE(std::ranges::equal(a.ranges->head()->parameters().weights(),
                                 b.ranges->head()->parameters().weights()));
}

TEST(ModelFile, AQuantileHeadComesBack) {
  for (const Model& model : {with_head(tiny_model()), with_head(tiny_panel())}) {
    const Model back = decoded(bytes_of(model));
    ASSERT_NE(back.ranges->head(), nullptr);
    expect_same(back, model);
  }
}

TEST(ModelFile, EverythingComesBack) { expect_same(decoded(bytes_of(tiny_model())), tiny_model()); }

// A program that does not know them must not forecast without them, so they raise the version; a
// model that reads none is written as before.
TEST(ModelFile, ColumnsOfThePastThatAreRead) {
  const auto reading = [](std::size_t past) {
    Model model = tiny_model();
    model::ModelShape shape = model.ensemble.shape();
    shape.backbone = BackboneKind::kITransformer;
    shape.past = past;
    model.ensemble = model::Ensemble(std::make_unique<model::Pulse>(shape));
    model.ensemble.lead().initialise(7);
    return model;
  };
  const auto metadata = [](const Model& model) {
    return nlohmann::json::parse(encode_model(model).metadata.at("pulsecast"));
  };
  expect_same(decoded(bytes_of(reading(1))), reading(1));
  EXPECT_EQ(metadata(reading(1))["version"], 5);
  EXPECT_EQ(metadata(reading(1))["shape"]["past"], 1);
  EXPECT_EQ(metadata(reading(0))["version"], 4);
  EXPECT_FALSE(metadata(reading(0))["shape"].contains("past"));
  EXPECT_THROW(decoded(bytes_of(reading(2))), Error) << "there is one such column";
}

// Sizes that came within a version are written where they are not as usual.
TEST(ModelFile, SizesOfSomeBackbonesComeBack) {
  Model model = tiny_model();
  model::ModelShape shape = model.shape();
  shape.backbone = BackboneKind::kMsgNet;
  shape.sizes.kernel = 2;
  shape.sizes.calendar_shrink = 3;
  shape.sizes.frequency_share = 0.75f;
  shape.sizes.graph_channels = 2;
  shape.sizes.skip_channels = 5;
  shape.sizes.periods_of = PeriodSource::kBatch;
  shape.sizes.routers = 7;
  shape.sizes.cycle = 4;
  model.ensemble = model::Ensemble(std::make_unique<model::Pulse>(shape));
  model.ensemble.lead().initialise(7);
  EXPECT_TRUE(decoded(bytes_of(model)).shape() == shape);
}

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

TEST(ModelFile, ThePanelsStaticColumnsComeBack) {
  const Model panel = testing::tiny_panel();
  const std::string bytes = bytes_of(panel);
  const Model back = decoded(bytes);
  expect_same(back, panel);
  ASSERT_TRUE(back.profiles);
  EXPECT_EQ(back.profiles->columns(), panel.profiles->columns());
  EXPECT_EQ(back.profiles->period(), 7u);
  EXPECT_EQ(back.profiles->values(), panel.profiles->values());
  EXPECT_EQ(bytes_of(back), bytes);
}

// Whatever the groups are said to be, they fit their profiles or are refused.
TEST(ModelFile, StaticColumnsThatLieAreRefused) {
  const auto refused = [](const std::string& groups) {
    store::TensorFile file = encode_model(testing::tiny_panel());
    file.metadata["pulsecast statics"] = groups;
    try {
      decode_model(file, "m");
      return std::string();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
      return error.message();
    }
  };
  for (const char* groups :
       {"", "{", "[]", "{}", "[1]", R"([{"column": 1, "texts": ["a", "b", "c", "d", "e"]}])",
        R"([{"column": "c", "texts": ["a", "b", "c", "d"]}])",
        R"([{"column": "c", "texts": ["a", "b", "c", "e", "d"]}])",
        R"([{"column": "c", "texts": ["a", "b", "c", "d", 5]}])",
        R"([{"column": "c", "texts": []}])", R"([{"column": "c", "bounds": [1, 2, 3, 3]}])",
        R"([{"column": "c", "bounds": [1, 2, 3, 1e999]}])", R"([{"column": "c"}])"}) {
    EXPECT_NE(refused(groups), "") << groups;
  }
  EXPECT_EQ(refused(R"([{"column": "c", "bounds": [1, 2, 3, 4]}])"), "");
}

TEST(ModelFile, WithoutAnchorAndWithoutValidation) {
  Model model = tiny_model();
  model::ModelShape shape = model.shape();
  shape.anchor = false;
  shape.router = false;
  model.ensemble = model::Ensemble(std::make_unique<model::Pulse>(shape));
  model.ensemble.lead().initialise(1);
  model.zone = Zone();
  model.origin.best_validation = std::numeric_limits<double>::quiet_NaN();
  const Model back = decoded(bytes_of(model));
  EXPECT_TRUE(std::isnan(back.origin.best_validation));
  EXPECT_TRUE(back.zone.is_utc());
  EXPECT_EQ(weight_bits(back), weight_bits(model));
  EXPECT_FALSE(back.shape().anchor);
}

// The same around a ridge and a model of another seed that look back further.
Model tiny_ensemble() {
  Model model = tiny_model();
  std::vector<model::Member> members;
  for (const std::size_t lookback : {4, 9, 6}) {
    model::ModelShape shape = model.shape();
    shape.lookback = lookback;
    if (lookback == 9) {
      shape.backbone = BackboneKind::kLinear;
      shape.alone = true;
      shape.anchor = shape.router = false;
    }
    auto pulse = std::make_unique<model::Pulse>(shape);
    pulse->initialise(lookback);
    members.push_back({std::move(pulse), lookback == 4 ? 0.5f : 0.25f});
  }
  model.ensemble = model::Ensemble(std::move(members));
  return model;
}

TEST(ModelFile, SeveralModelsThatForecastTogetherComeBack) {
  const Model model = tiny_ensemble();
  const Model back = decoded(bytes_of(model));
  ASSERT_EQ(back.ensemble.members().size(), 3u);
  EXPECT_EQ(back.shape().lookback, 9u);
  for (std::size_t i = 0; i < 3; ++i) {
    const model::Member& own = back.ensemble.members()[i];
    const model::Member& was = model.ensemble.members()[i];
    EXPECT_EQ(own.share, was.share);
    EXPECT_TRUE(own.pulse->shape() == was.pulse->shape());
    EXPECT_TRUE(std::ranges::equal(std::as_const(*own.pulse).parameters().weights(),
                                   std::as_const(*was.pulse).parameters().weights()));
  }
  EXPECT_EQ(bytes_of(back), bytes_of(model));
}

TEST(ModelFile, AMemberThatIsMissingOrForecastsSomethingElseIsRefused) {
  const auto refusal_of = [](auto change) {
    store::TensorFile file = encode_model(tiny_ensemble());
    nlohmann::ordered_json json = nlohmann::ordered_json::parse(file.metadata.at("pulsecast"));
    change(file, json);
    file.metadata["pulsecast"] = json.dump();
    try {
      decode_model(file, "x");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kModelFile);
      return std::string(error.message());
    }
    return std::string("none");
  };
  using File = store::TensorFile;
  EXPECT_EQ(
      refusal_of([](File&, nlohmann::ordered_json& json) { json["others"][0]["share"] = 1.5; }),
      "its metadata field 'others[].share' should be a number from 0 to 1");
  EXPECT_NE(refusal_of([](File&, nlohmann::ordered_json& json) { json.erase("share"); }), "none");
  EXPECT_NE(refusal_of([](File& file, nlohmann::ordered_json&) { file.tensors.pop_back(); }),
            "none");
  EXPECT_NE(refusal_of([](File&, nlohmann::ordered_json& json) { json["others"].erase(1); }),
            "none");
  EXPECT_NE(refusal_of([](File&, nlohmann::ordered_json& json) {
              json["others"][0]["shape"]["horizon"] = 4;
            }),
            "none");
  EXPECT_NE(refusal_of([](File&, nlohmann::ordered_json& json) { json["others"] = 3; }), "none");
}

// Paths may be any bytes; JSON may not.
TEST(ModelFile, ASourceThatIsNotUtf8IsReplacedNotRefused) {
  Model model = tiny_model();
  model.origin.data_source = "load\xff.csv";
  EXPECT_EQ(decoded(bytes_of(model)).origin.data_source, "load\xef\xbf\xbd.csv");
}

}  // namespace
}  // namespace pulsecast::artifact
