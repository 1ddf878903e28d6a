// Files that are cut, damaged, of another kind, or lie: each is refused with the reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "pulsecast/artifact/testing.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/random.h"

namespace pulsecast::artifact {
namespace {

using Json = nlohmann::ordered_json;
using testing::bytes_of;
using testing::decoded;
using testing::tiny_model;
using testing::with_head;

std::string refusal_of(const std::function<void()>& decode) {
  try {
    decode();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kModelFile) << error.message();
    EXPECT_EQ(error.where(), "m") << error.message();
    return error.message();
  }
  return "accepted";
}

std::string refusal(const store::TensorFile& file) {
  return refusal_of([&] { decode_model(file, "m"); });
}

// The refusal of the example after a change to its metadata.
std::string after(const std::function<void(Json&)>& change) {
  store::TensorFile file = encode_model(tiny_model());
  Json json = Json::parse(file.metadata.at("pulsecast"));
  change(json);
  file.metadata["pulsecast"] = json.dump();
  return refusal(file);
}

store::StoredTensor& tensor(store::TensorFile& file, const std::string& name) {
  return *std::ranges::find(file.tensors, name, &store::StoredTensor::name);
}

TEST(HostileFile, EveryTruncationIsRefused) {
  const std::string bytes = bytes_of(tiny_model());
  for (std::size_t length = 0; length < bytes.size(); length += 3) {
    EXPECT_NE(refusal_of([&] { decoded(bytes.substr(0, length)); }), "accepted") << length;
  }
}

// One bit of every byte: length, header, weights and scaler.
TEST(HostileFile, EveryFlippedBitIsRefused) {
  const std::string bytes = bytes_of(tiny_model());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto draw = random::block({.seed = 1}, at)[0];
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ static_cast<char>(1u << (draw % 8)));
    EXPECT_NE(refusal_of([&] { decoded(damaged); }), "accepted") << "byte " << at;
  }
}

TEST(HostileFile, DamageIsNamed) {
  const store::TensorFile good = encode_model(tiny_model());
  std::string bytes = store::encode_tensors(good);
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  const std::string message = refusal_of([&] { decoded(bytes); });
  EXPECT_TRUE(message.starts_with("tensor '" + good.tensors.back().name +
                                  "' is damaged: its checksum should be "))
      << message;

  bytes = store::encode_tensors(good);
  bytes[bytes.find("temperature")] = 'T';
  EXPECT_TRUE(refusal_of([&] { decoded(bytes); }).starts_with("the header is damaged"));
}

// A file that another program wrote again has none. What is older than checksums is read as before.
TEST(HostileFile, WithoutItsChecksumsAModelIsRefused) {
  store::TensorFile file = encode_model(tiny_model());
  file.is_checked = false;
  EXPECT_EQ(refusal(file), "its checksums are missing: it is damaged, or another program wrote it");
  Json json = Json::parse(file.metadata.at("pulsecast"));
  json["version"] = 2;
  file.metadata["pulsecast"] = json.dump();
  EXPECT_EQ(refusal(file), "accepted");
}

TEST(HostileFile, OtherFilesAreNotModels) {
  EXPECT_EQ(refusal({}),
            "a safetensors file, but not a model of pulsecast: its metadata has no "
            "entry 'pulsecast'");
  store::TensorFile file = encode_model(tiny_model());
  for (const char* text : {"", "nonsense", "[1]", "3", "{\"a\":", "\xff\xfe"}) {
    file.metadata["pulsecast"] = text;
    EXPECT_EQ(refusal(file), "its metadata is not a JSON object") << text;
  }
  EXPECT_EQ(after([](Json& json) { json["format"] = "onnx"; }),
            "its metadata field 'format' should be 'pulsecast model'");
}

TEST(HostileFile, ANewerVersionSaysToUpdate) {
  EXPECT_EQ(after([](Json& json) { json["version"] = 6; }),
            "the model file has version 6, and this program reads up to 5. A newer pulsecast wrote "
            "it: update this one");
  EXPECT_EQ(after([](Json& json) { json["version"] = "1"; }),
            "its metadata field 'version' should be a whole number that is not absurdly large");
  EXPECT_EQ(after([](Json& json) { json["version"] = 0; }),
            "its metadata field 'version' should be 1 or more");
}

// Every field at every depth: without it, and as a value of the wrong type, the file is refused by
// the field's name. Settings may be absent, since an older program knew fewer, and so may what came
// or went within this version.
TEST(HostileFile, EveryFieldIsNeededAndHasItsType) {
  const Json whole = Json::parse(encode_model(tiny_model()).metadata.at("pulsecast"));
  std::vector<Json::json_pointer> fields;
  const std::function<void(const Json&, const Json::json_pointer&)> walk =
      [&](const Json& json, const Json::json_pointer& at) {
        for (const auto& [key, value] : json.items()) {
          fields.push_back(at / key);
          if (value.is_object() && key != "settings") walk(value, at / key);
        }
      };
  walk(whole, Json::json_pointer());
  ASSERT_GT(fields.size(), 45u);
  for (const Json::json_pointer& field : fields) {
    const std::string name = "'" + [&] {
      std::string path = field.to_string().substr(1);
      std::ranges::replace(path, '/', '.');
      return path;
    }() + "'";
    if (name != "'origin.seconds'" && name != "'origin.seasonal_validation_mse'") {
      const std::string absent =
          after([&](Json& json) { json[field.parent_pointer()].erase(field.back()); });
      EXPECT_NE(absent.find("its metadata field " + name + " should be"), std::string::npos)
          << name << ": " << absent;
    }
    const Json wrong = whole[field].is_string() ? Json(3) : Json("three");
    const std::string other = after([&](Json& json) { json[field] = wrong; });
    EXPECT_NE(other.find("its metadata field " + name + " should be"), std::string::npos)
        << name << ": " << other;
  }
}

TEST(HostileFile, ValuesOutOfRangeAreRefusedByField) {
  const auto says = [](const char* pointer, const Json& value, const std::string& message) {
    EXPECT_EQ(after([&](Json& json) { json[Json::json_pointer(pointer)] = value; }), message)
        << pointer;
  };
  says("/shape/lookback", -4,
       "its metadata field 'shape.lookback' should be a whole number that is not absurdly large");
  says("/shape/lookback", 1.5,
       "its metadata field 'shape.lookback' should be a whole number that is not absurdly large");
  says("/shape/lookback", 1, "model: the look-back must be at least 2, not 1");
  says("/shape/time_kernel", 2,
       "model: the time kernel must be an odd number, so that it has a middle, not 2");
  says("/shape/dropout", nullptr, "model: the dropout must be at least 0 and less than 1, not nan");
  says("/shape/dropout", -0.5, "model: the dropout must be at least 0 and less than 1, not -0.5");
  says("/shape/dropout", 1e300, "model: the dropout must be at least 0 and less than 1, not inf");
  says("/shape/backbone_sizes/layers", 1000,
       "model: the number of layers must be at most 64, not 1000");
  says("/shape/backbone_sizes/dropout", 2.0,
       "model: the backbone's dropout must be at least 0 and less than 1, not 2");
  says("/shape/backbone_sizes", 7, "its metadata field 'shape.backbone_sizes' should be an object");
  says("/shape/alone", true,
       "model: mlp alone has no phase anchor; choose PULSE with it as the backbone");
  says("/shape/backbone", "transformer",
       "its metadata field 'shape.backbone' should be one of the words that this version knows");
  says("/shape/channels", 3, "its channels and calendar do not fit the shape of its weights");
  says("/shape/features", 2, "its channels and calendar do not fit the shape of its weights");
  says("/shape/period", 12, "its channels and calendar do not fit the shape of its weights");
  says("/channels/0/role", "past", "its channels and calendar do not fit the shape of its weights");
  says("/channels/0/role", "ignored",
       "its metadata field 'channels[].role' should be target, known or past");
  says("/channels/1/name", "load", "its channels should have names, each its own");
  says("/channels/1/name", "", "its channels should have names, each its own");
  says("/channels/0", 3, "its metadata field 'channels' should be a list of objects");
  says("/time/period", 0, "its metadata field 'time.period' should be 1 or more");
  says("/time/phase", "moon",
       "its metadata field 'time.phase' should be one of the words that this version knows");
  says("/time/phase_origin", std::numeric_limits<std::int64_t>::max(),
       "its metadata field 'time.phase_origin' should be milliseconds of a time that a calendar "
       "has");
  says("/time/phase_origin", std::numeric_limits<std::uint64_t>::max(),
       "its metadata field 'time.phase_origin' should be a whole number of 64 bits");
  says("/time/features/0", 7, "its metadata field 'time.features' should be a list of text");
  says("/origin/trained/first", std::numeric_limits<std::int64_t>::min(),
       "its metadata field 'origin.trained.first' should be milliseconds of a time that a calendar "
       "has");
  says("/origin/history/0", "x", "its metadata field 'origin.history' should be a list of objects");
  says("/origin/choices/0", 4, "its metadata field 'origin.choices' should be a list of text");
  says("/settings/model", 3, "its metadata field 'settings.model' should be an object of settings");
  says("/settings/model/patch", 3,
       "its metadata field 'settings.model.patch' should be a list of text");
  says("/settings/model/patch", Json::array({4}),
       "its metadata field 'settings.model.patch' should be a list of text");
  says("/settings/model/colour", Json::array({"red"}),
       "its metadata field 'settings.model.colour' should be a setting that is known");
}

TEST(HostileFile, WordsThatMeanNothingAreRefused) {
  const auto contains = [](const char* pointer, const Json& value, const std::string& part) {
    const std::string message =
        after([&](Json& json) { json[Json::json_pointer(pointer)] = value; });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  contains("/time/zone", "Europe/Berlim", "Europe/Berlin");
  contains("/time/zone", "../../etc/passwd", "zone");
  contains("/time/step", "1 fortnight", "1 fortnight");
  contains("/time/step", "99999999999999999999h", "99999999999999999999h");
  contains("/time/features/0", "hour_of_moon", "hour_of_moon");
  contains("/time/features/1", "hour_of_day", "hour_of_day");
  contains("/settings/model/patch", Json::array({"-1"}), "patch");
  contains("/settings/model/patch", Json::array({"1", "2"}), "patch");
  contains("/settings/training/loss", Json::array({"hinge"}), "hinge");
}

// JSON so deep that a reader which calls itself would overflow its stack.
TEST(HostileFile, DeepJsonIsRefused) {
  const std::string deep = std::string(200000, '[') + std::string(200000, ']');
  store::TensorFile file = encode_model(tiny_model());
  file.metadata["pulsecast"] = deep;
  const char* message = "its metadata lies more than 8 levels deep, which no model's does";
  EXPECT_EQ(refusal(file), message);
  file.metadata["pulsecast"] = "{\"format\":" + deep + "}";
  EXPECT_EQ(refusal(file), message);
  const std::string header = "{\"__metadata__\":" + deep + "}";
  const std::uint64_t length = header.size();
  const std::string bytes = std::string(reinterpret_cast<const char*>(&length), 8) + header;
  EXPECT_NE(refusal_of([&] { decoded(bytes); }), "accepted");
}

TEST(HostileFile, WeightsMustBeThereAndFiniteAndAlone) {
  const store::TensorFile good = encode_model(tiny_model());
  EXPECT_EQ(refusal(good), "accepted");

  store::TensorFile file = good;
  std::erase_if(file.tensors, [](const auto& t) { return t.name == "anchor.codebook"; });
  EXPECT_EQ(refusal(file), "anchor.codebook: there is no such tensor in the file");

  file = good;
  const float one = 1.0f;
  file.tensors.push_back(store::store_floats("stowaway", {1}, {&one, 1}));
  const std::size_t count = good.tensors.size();
  EXPECT_EQ(refusal(file), "it has " + std::to_string(count + 1) + " tensors, and its model " +
                               std::to_string(count));

  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    file = good;
    store::StoredTensor& codebook = tensor(file, "anchor.codebook");
    std::memcpy(codebook.bytes.data() + 4, &bad, 4);
    EXPECT_EQ(refusal(file), "its tensor 'anchor.codebook' has values that are not finite");
  }

  file = good;
  tensor(file, "anchor.codebook").shape = {4, 1};
  EXPECT_EQ(refusal(file), "its tensor 'anchor.codebook' should have the shape (2, 2)");
  tensor(file, "anchor.codebook").shape = {4};
  EXPECT_EQ(refusal(file), "its tensor 'anchor.codebook' should have the shape (2, 2)");

  file = good;
  const std::vector<double> doubles(4, 1.0);
  tensor(file, "anchor.codebook") = store::store_doubles("anchor.codebook", {2, 2}, doubles);
  EXPECT_EQ(refusal(file), "anchor.codebook: expected values of type F32, found F64");
}

TEST(HostileFile, ScalerMustBeSound) {
  const std::string message =
      "its scaler should have a finite mean and a positive scale for each of 4 channels";
  const auto with = [](const char* name, const std::vector<double>& values) {
    store::TensorFile file = encode_model(tiny_model());
    tensor(file, name) = store::store_doubles(name, {values.size()}, values);
    return refusal(file);
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, 0.0, nan, inf}) {
    EXPECT_EQ(with("scaler.scale", {1.0, 1.0, bad, 1.0}), message) << bad;
  }
  for (const double bad : {nan, inf}) {
    EXPECT_EQ(with("scaler.mean", {1.0, 1.0, bad, 1.0}), message) << bad;
  }
  EXPECT_EQ(with("scaler.scale", {1.0, 1.0, 1.0}), message);
  EXPECT_EQ(with("scaler.mean", {1.0, 1.0, 1.0, 1.0, 1.0}), message);
  EXPECT_EQ(with("scaler.mean", {0.0, 0.0, 0.0, 0.0}), "accepted");
}

TEST(HostileFile, RangesThatCannotBeAreRefused) {
  const store::TensorFile good = encode_model(tiny_model());
  const auto changed = [&](const std::string& name, std::size_t at, auto value) {
    store::TensorFile file = good;
    std::memcpy(tensor(file, name).bytes.data() + at * sizeof(value), &value, sizeof(value));
    return refusal(file);
  };
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::string scores =
      "its tensor 'ranges.scores' should have finite quantiles that ascend, missing at the ends "
      "alone";
  EXPECT_EQ(changed("ranges.scores", 25, kInfinity), scores);
  EXPECT_EQ(changed("ranges.scores", 25, 100.0f), scores);
  EXPECT_EQ(changed("ranges.scores", 25, std::numeric_limits<float>::quiet_NaN()), scores);
  EXPECT_EQ(changed("ranges.phases", 3, 0.0f),
            "its tensor 'ranges.phases' should have a positive factor for each channel and phase");
  EXPECT_EQ(changed("ranges.sets", 0, -1.0),
            "its tensor 'ranges.sets' should have seven numbers for each channel, none of them "
            "negative");
  EXPECT_EQ(changed("ranges.sets", 1, 1.5),
            "its tensor 'ranges.sets' should have a count, and powers and a gain of at most 1");
  store::TensorFile file = good;
  tensor(file, "ranges.scores").shape = {3, 2, calibrate::kGrid};
  EXPECT_EQ(refusal(file),
            "its tensor 'ranges.scores' should have quantiles of the scores of each channel and "
            "step");
}

TEST(HostileFile, QuantileHeadsThatCannotBeAreRefused) {
  const store::TensorFile good = encode_model(with_head(tiny_model()));
  const std::string units =
      "its tensor 'ranges.units' should have a unit for each channel and step, none of them "
      "negative";
  const auto changed = [&](const std::string& name, float value) {
    store::TensorFile file = good;
    std::memcpy(tensor(file, name).bytes.data(), &value, sizeof(value));
    return refusal(file);
  };
  EXPECT_EQ(changed("ranges.units", -1.0f), units);
  EXPECT_EQ(changed("ranges.units", std::numeric_limits<float>::infinity()), units);
  EXPECT_EQ(changed("ranges.head.output", std::numeric_limits<float>::quiet_NaN()),
            "its tensor 'ranges.head.output' has values that are not finite");
  store::TensorFile file = good;
  tensor(file, "ranges.head.channels").shape = {4, 8};
  EXPECT_EQ(refusal(file), "its tensor 'ranges.head.channels' should have the shape (2, 16)");
  file = good;
  std::erase_if(file.tensors, [](const auto& t) { return t.name == "ranges.head.bias"; });
  EXPECT_NE(refusal(file), "accepted") << "a head without its last bias";
  file = good;
  std::erase_if(file.tensors, [](const auto& t) { return t.name == "ranges.units"; });
  EXPECT_NE(refusal(file), "accepted") << "weights of a head that nothing reads";
}

// A shape that claims terabytes is refused for the tensors that it does not have, before anything
// is taken for those that it says it has: there is no machine on which that would not throw.
TEST(HostileFile, ClaimsOfTerabytesTakeNoMemory) {
  const store::TensorFile good = encode_model(tiny_model());
  Json json = Json::parse(good.metadata.at("pulsecast"));
  for (const char* name : {"lookback", "horizon", "hidden", "codebook_rows", "time_width_a",
                           "time_width_b", "router_width", "patch"}) {
    json["shape"][name] = 1000000;
  }
  json["shape"]["time_kernel"] = 999999;
  store::TensorFile file = good;
  file.metadata["pulsecast"] = json.dump();
  EXPECT_EQ(refusal(file), "its tensor 'anchor.codebook' should have the shape (1000000, 2)");

  json["shape"]["lookback"] = 1000001;
  file.metadata["pulsecast"] = json.dump();
  EXPECT_EQ(refusal(file),
            "its metadata field 'shape.lookback' should be a whole number that is "
            "not absurdly large");

  // The same lie in the tensor's own shape.
  const std::string header =
      R"({"anchor.codebook":{"dtype":"F32","shape":[1000000,1000000],"data_offsets":[0,4]}})";
  const std::uint64_t length = header.size();
  const std::string bytes =
      std::string(reinterpret_cast<const char*>(&length), 8) + header + "abcd";
  const std::string message = refusal_of([&] { decoded(bytes); });
  EXPECT_NE(message.find("should take 4000000000000 bytes by its shape and takes 4"),
            std::string::npos)
      << message;
}

}  // namespace
}  // namespace pulsecast::artifact
