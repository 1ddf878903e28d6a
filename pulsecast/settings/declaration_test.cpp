#include "pulsecast/settings/declaration.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/settings/config_file.h"
#include "pulsecast/settings/reference.h"

namespace pulsecast {

enum class Colour { kRed, kBlue };
template <>
inline constexpr std::array kChoices<Colour>{Choice{Colour::kRed, "red", "as a rose"},
                                             Choice{Colour::kBlue, "blue", "as the | sea"}};

namespace {

struct Example {
  std::int64_t count = 3;
  double rate = 0.5;
  bool loud = false;
  std::string title = "none";
  Colour colour = Colour::kBlue;
  std::optional<std::int64_t> seed;
  std::vector<std::string> names;

  friend bool operator==(const Example&, const Example&) = default;
};

const Declaration<Example>& example_settings() {
  static const auto declaration =
      Declaration<Example>("example")
          .group("First")
          .add("count", &Example::count, {1, 10}, "how many")
          .add("rate", &Example::rate, {0.0, 1.0}, "how often")
          .add("loud", &Example::loud, "whether to shout")
          .group("Second")
          .add("title", &Example::title, "what to call it")
          .add("colour", &Example::colour, "paint")
          .add("seed", &Example::seed, {0, 100}, "start", Unset{"the clock"})
          .add("names", &Example::names, {"letters", {"a", "b"}}, "who", Unset{"nobody"});
  return declaration;
}

// The message of assigning `values` to `name`, or "" where they are taken.
std::string refusal(Example& object, std::string_view name, std::vector<std::string> values) {
  try {
    find_setting(example_settings().bind(object), name, "--flag").assign(values, "--flag");
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(Declaration, AssignsEveryType) {
  Example object;
  EXPECT_EQ(refusal(object, "count", {"10"}), "");
  EXPECT_EQ(refusal(object, "rate", {"1e-3"}), "");
  EXPECT_EQ(refusal(object, "loud", {"true"}), "");
  EXPECT_EQ(refusal(object, "title", {"x y"}), "");
  EXPECT_EQ(refusal(object, "colour", {"red"}), "");
  EXPECT_EQ(refusal(object, "seed", {"7"}), "");
  EXPECT_EQ(refusal(object, "names", {"b", "a"}), "");
  EXPECT_EQ(object, (Example{10, 1e-3, true, "x y", Colour::kRed, 7, {"b", "a"}}));
}

TEST(Declaration, RefusesWithWhatWasExpectedAndWhatCame) {
  Example object;
  EXPECT_EQ(refusal(object, "count", {"11"}),
            "--flag: setting 'count' takes a whole number from 1 to 10, not '11'");
  EXPECT_EQ(refusal(object, "count", {"1.5"}),
            "--flag: setting 'count' takes a whole number from 1 to 10, not '1.5'");
  EXPECT_EQ(refusal(object, "count", {""}),
            "--flag: setting 'count' takes a whole number from 1 to 10, not ''");
  EXPECT_EQ(refusal(object, "count", {"99999999999999999999"}),
            "--flag: setting 'count' takes a whole number from 1 to 10, not "
            "'99999999999999999999'");
  EXPECT_EQ(refusal(object, "rate", {"nan"}),
            "--flag: setting 'rate' takes a number from 0 to 1, not 'nan'");
  EXPECT_EQ(refusal(object, "loud", {"maybe"}),
            "--flag: setting 'loud' takes true or false, not 'maybe'");
  EXPECT_EQ(refusal(object, "colour", {"green"}),
            "--flag: setting 'colour' takes one of red, blue, not 'green'");
  EXPECT_EQ(refusal(object, "names", {"a", "c"}),
            "--flag: setting 'names' takes letters out of a, b, not 2 values (a, c)");
  EXPECT_EQ(refusal(object, "seed", {"1", "2"}),
            "--flag: setting 'seed' takes a whole number from 0 to 100, not 2 values (1, 2)");
  EXPECT_EQ(object, Example{}) << "a refused value changes nothing";
}

TEST(Declaration, NamesNearMisses) {
  Example object;
  EXPECT_EQ(refusal(object, "cuont", {"1"}),
            "--flag: there is no setting 'cuont'. Did you mean 'count'? docs/settings.md lists "
            "them all");
}

TEST(Declaration, ValuesComeBackAsTheyAreAssigned) {
  Example object{10, 1e-3, true, "x y", Colour::kRed, 7, {"b", "a"}};
  Example copy;
  const auto from = example_settings().bind(object);
  const auto to = example_settings().bind(copy);
  for (std::size_t i = 0; i < from.size(); ++i) to[i].assign(from[i].values(), "copy");
  EXPECT_EQ(copy, object);
  Example untouched;
  EXPECT_TRUE(example_settings().bind(untouched)[5].values().empty()) << "an unset optional";
}

std::string config_refusal(std::string_view text) {
  Example object;
  try {
    apply_config(text, "pulse.toml", example_settings().bind(object));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    return error.what();
  }
  return "";
}

TEST(ConfigFile, AssignsWhatItSays) {
  Example object;
  apply_config(
      "[example]\ncount = 4\nrate = 0.25\nloud = true\ntitle = \"a\"\ncolour = 'red'\n"
      "names = ['a', 'b']\n",
      "pulse.toml", example_settings().bind(object));
  EXPECT_EQ(object, (Example{4, 0.25, true, "a", Colour::kRed, std::nullopt, {"a", "b"}}));
}

TEST(ConfigFile, PassesOverSectionsOfOtherVerbs) {
  Example object;
  apply_config("[data]\nlookback = 48\n[example]\ncount = 4\n", "pulse.toml",
               example_settings().bind(object));
  EXPECT_EQ(object.count, 4);
}

TEST(ConfigFile, RefusesWithThePlace) {
  EXPECT_EQ(config_refusal("[example]\n\ncount = 40\n"),
            "pulse.toml:3:9: setting 'count' takes a whole number from 1 to 10, not '40'");
  EXPECT_EQ(config_refusal("[example]\ncolor = 'red'\n"),
            "pulse.toml:2:9: there is no setting 'color'. Did you mean 'colour'? "
            "docs/settings.md lists them all");
  EXPECT_EQ(config_refusal("[exmaple]\n"),
            "pulse.toml:1:1: there is no section [exmaple]. Did you mean 'example'? Sections: "
            "example");
  EXPECT_EQ(config_refusal("count = 3\n"),
            "pulse.toml:1:9: setting 'count' stands outside a section; put it under the heading "
            "of its section, e.g. [data]");
  EXPECT_EQ(config_refusal("[example]\ntitle = 2024-01-01\n"),
            "pulse.toml:2:9: expected text, a number, true or false, or a list of these; dates "
            "are written as text, in quotes");
  EXPECT_EQ(config_refusal("[example\n").substr(0, 33), "pulse.toml:1:9: not valid TOML: E");
}

TEST(ConfigFile, ThatIsNotThereIsAnInputError) {
  Example object;
  try {
    apply_config_file("/nowhere/pulse.toml", example_settings().bind(object));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_STREQ(error.what(),
                 "/nowhere/pulse.toml: cannot read the config file: No such file or directory");
  }
}

TEST(Reference, HasARowForEverySetting) {
  const std::string page = settings_reference(example_settings().infos());
  EXPECT_NE(page.find("\n## [example]\n\n### First\n"), std::string::npos);
  EXPECT_NE(page.find("\n| `count` | a whole number from 1 to 10 | 3 | how many |\n"),
            std::string::npos);
  EXPECT_NE(page.find("\n| `colour` | a choice | blue | paint<br>`red`: as a rose<br>`blue`: as "
                      "the \\| sea |\n"),
            std::string::npos);
  EXPECT_NE(page.find("\n| `seed` | a whole number from 0 to 100 | the clock | start |\n"),
            std::string::npos);
}

}  // namespace
}  // namespace pulsecast
