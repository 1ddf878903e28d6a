#include "pulsecast/settings/settings.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

std::string refusal_of(std::string_view name, std::string_view value) {
  Settings settings;
  try {
    assign(settings, name, value);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.message();
  }
  return "";
}

TEST(SettingsByName, AreAssignedAsFlagsAre) {
  Settings settings;
  assign(settings, "horizon", "48h");
  assign(settings, "data.known", "holiday, price");
  assign(settings, "model", "dlinear");
  assign(settings, "training.seed", "7");
  assign(settings, "router", "false");
  EXPECT_EQ(settings.data.horizon, "48h");
  EXPECT_EQ(settings.data.known, (std::vector<std::string>{"holiday", "price"}));
  EXPECT_EQ(settings.model.model, alone(BackboneKind::kDLinear));
  EXPECT_EQ(settings.training.seed, 7);
  EXPECT_FALSE(settings.model.router);
}

TEST(SettingsByName, ListsAreAssignedValueByValue) {
  Settings settings;
  assign(settings, "known", std::vector<std::string>{"a, b", "c"});
  EXPECT_EQ(settings.data.known, (std::vector<std::string>{"a, b", "c"}));
  assign(settings, "training.epochs", std::vector<std::string>{"3"});
  EXPECT_EQ(settings.training.epochs, 3);
  EXPECT_THROW(assign(settings, "epochs", std::vector<std::string>{"3", "4"}), Error);
}

TEST(SettingsByName, RefuseWhatIsNotThere) {
  EXPECT_EQ(refusal_of("horizont", "1"),
            "there is no setting 'horizont'. Did you mean 'horizon'? docs/settings.md lists them "
            "all");
  EXPECT_EQ(refusal_of("model.horizon", "1"),
            "there is no setting 'model.horizon'. docs/settings.md lists them all")
      << "it is of another section";
  EXPECT_EQ(refusal_of("batch", "none"),
            "setting 'batch' takes a whole number from 1 to 1048576, not 'none'");
}

TEST(SettingsByName, TextsComeBackAsTheyWere) {
  Settings settings;
  settings.data.target = {"load", "price"};
  settings.data.period = 24;
  settings.model.backbone = BackboneKind::kTimeXer;
  settings.training.learning_rate = 0.1 + 0.2;
  Settings copy;
  for (const auto& [name, text] : setting_texts(settings)) assign(copy, name, text);
  EXPECT_EQ(setting_texts(copy), setting_texts(settings));
  EXPECT_EQ(copy.data.target, settings.data.target);
  EXPECT_EQ(copy.training.learning_rate, settings.training.learning_rate);
  for (const auto& [name, text] : setting_texts({})) {
    EXPECT_NE(name, "data.period") << "what is unset is left out";
  }
}

// Whoever includes the library's face compiles these: no template, no function object.
TEST(SettingsByName, HeadersOfTheFaceIncludeNothingHeavy) {
  for (const char* name : {"data_settings.h", "model_settings.h", "training_settings.h"}) {
    std::ifstream file(std::string(PULSECAST_SOURCE_DIR "/pulsecast/settings/") + name);
    ASSERT_TRUE(file) << name;
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("#include")) continue;
      EXPECT_TRUE(line == "#include <cstdint>" || line == "#include <optional>" ||
                  line == "#include <string>" || line == "#include <vector>")
          << name << ": " << line;
    }
  }
}

}  // namespace
}  // namespace pulsecast
