#include "pulsecast/data/statics/static_profiles.h"

#include <gtest/gtest.h>

#include "pulsecast/data/series/scaled_series.h"

namespace pulsecast {
namespace {

TEST(StaticGroups, WordsAndFewNumbersAreGroupsAsTheyAreWritten) {
  const StaticGroups words = StaticGroups::of({"region", {"west", "", "east", "west"}});
  EXPECT_EQ(words.texts, (std::vector<std::string>{"east", "west"}));
  EXPECT_EQ(words.of("west"), 1u);
  EXPECT_FALSE(words.of("north"));
  EXPECT_FALSE(words.of(""));
  const StaticGroups types = StaticGroups::of({"type", {"1", "2", "1", "3"}});
  EXPECT_EQ(types.size(), 3u);
  EXPECT_EQ(types.label(*types.of("2")), "2");
}

TEST(StaticGroups, ManyNumbersAreCutIntoStretchesOfAsManySeries) {
  StaticColumn sizes{"size", {}};
  for (int i = 0; i < 80; ++i) sizes.values.push_back(std::to_string(100 + i));
  const StaticGroups groups = StaticGroups::of(sizes);
  ASSERT_EQ(groups.size(), 8u);
  std::vector<int> members(groups.size());
  for (const std::string& size : sizes.values) ++members[*groups.of(size)];
  for (const int count : members) EXPECT_EQ(count, 10);
  // One that no series has falls among those that are near.
  EXPECT_EQ(groups.of("104.5"), groups.of("104"));
  EXPECT_EQ(groups.of("1e9"), 7u);
  EXPECT_EQ(groups.label(0), "below 110");
  EXPECT_EQ(groups.label(7), "170 and above");
  EXPECT_FALSE(groups.of("large"));
}

TEST(StaticGroups, NumbersWithAWordAmongThemAreWords) {
  StaticColumn sizes{"size", {"large"}};
  for (int i = 0; i < 20; ++i) sizes.values.push_back(std::to_string(i));
  EXPECT_EQ(StaticGroups::of(sizes).texts.size(), 21u);
}

class ProfilesTest : public ::testing::Test {
 protected:
  ProfilesTest() {
    series_.step = Step::parse("1d");
    for (std::int64_t day = 0; day < 14; ++day) series_.stamps.push_back({day * 86'400'000});
    for (std::uint32_t s = 0; s < 3; ++s) {
      series_.channels.push_back(
          {"s" + std::to_string(s), Role::kTarget, std::vector<double>(14, 1.0), 0, s});
    }
    series_.statics = {{"region", {"east", "west", "mars"}}, {"kind", {"a", "b", ""}}};
  }

  Series series_;
  StaticProfiles profiles_{{{"region", {"east", "west"}, {}}, {"kind", {"a", "b"}, {}}},
                           2,
                           {1, 2, 3, 4, 10, 20, 30, 40}};
};

TEST_F(ProfilesTest, ColumnsAddUpAndWhatIsNotKnownAddsNothing) {
  EXPECT_EQ(profiles_.of_series(series_, 0), (std::vector<double>{11, 22}));
  EXPECT_EQ(profiles_.of_series(series_, 1), (std::vector<double>{33, 44}));
  EXPECT_EQ(profiles_.of_series(series_, 2), (std::vector<double>{0, 0}));
  EXPECT_EQ(profiles_.unknown_of(series_, 1), "");
  EXPECT_EQ(profiles_.unknown_of(series_, 2), "region 'mars', kind that is not said");
}

// By the phase of its own period, whatever the model's is; the target itself stays.
TEST_F(ProfilesTest, AreTakenOffWhatAModelSees) {
  const Scaler scaler(std::vector<double>(3, 0.0), std::vector<double>(3, 1.0));
  const CalendarPlan plan{{}, 7, PhaseSource::kTimestamp, 0};
  const ScaledSeries scaled =
      ScaledSeries::panel(series_, scaler, plan, 3, 2, {nullptr, true, &profiles_});
  ASSERT_EQ(scaled.profile_phases().size(), 3u + 14u + 2u);
  for (std::size_t i = 0; i < 14; ++i) {
    const auto phase = static_cast<std::size_t>(scaled.profile_phases()[3 + i]);
    EXPECT_EQ(phase, i % 2) << "as on Monday 1970-01-05, four days on, from which is counted";
    const float profile = phase == 0 ? 11.0f : 22.0f;
    EXPECT_EQ(scaled.seen(0)[i], 1.0f - profile);
    EXPECT_EQ(scaled.channel(0)[i], 1.0f);
    EXPECT_EQ(scaled.effect(0, 3 + i), profile);
    EXPECT_EQ(scaled.seen(2)[i], 1.0f);
  }
}

}  // namespace
}  // namespace pulsecast
