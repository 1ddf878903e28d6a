#include "pulsecast/settings/catalogue.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>

#include "pulsecast/settings/reference.h"

namespace pulsecast {
namespace {

TEST(Catalogue, NamesAreUniqueAndFitForFlagsAndKeys) {
  std::set<std::string> names;
  for (const SettingInfo* info : every_setting()) {
    EXPECT_TRUE(names.insert(info->section + "." + info->name).second)
        << info->name << " is declared twice";
    EXPECT_EQ(info->name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos)
        << info->name;
    EXPECT_FALSE(info->meaning.empty()) << info->name;
    EXPECT_FALSE(info->default_text.empty()) << info->name << " has no default to show";
  }
}

TEST(Catalogue, ReferencePageIsUpToDate) {
  std::ifstream file(PULSECAST_SOURCE_DIR "/docs/settings.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(page, settings_reference(every_setting()))
      << "run: pulsecast settings > docs/settings.md";
}

}  // namespace
}  // namespace pulsecast
