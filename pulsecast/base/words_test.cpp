#include "pulsecast/base/words.h"

#include <gtest/gtest.h>

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

Error repeated_stamp() {
  return make_error(ErrorKind::kData, Place("load.csv").at_line(7), "{} was in line {} already",
                    "2024-01-01", 6)
      .with(remedy::set("duplicates", "first", "keeps the first of such rows"))
      .with(remedy::set("duplicates", "mean", "keeps their mean"));
}

TEST(Words, AnErrorSaysPlaceMessageAndRemedies) {
  EXPECT_STREQ(repeated_stamp().what(),
               "load.csv:7: 2024-01-01 was in line 6 already. duplicates = first keeps the first "
               "of such rows; duplicates = mean keeps their mean");
}

TEST(Words, TheMessageIsWithoutTheRemedies) {
  const Error error = repeated_stamp();
  EXPECT_EQ(error.message(), "2024-01-01 was in line 6 already");
  ASSERT_EQ(error.remedies().size(), 2U);
  EXPECT_EQ(error.remedies()[1].settings,
            (std::vector<Assignment>{{"duplicates", "mean", Assignment::Value::kThis}}));
  EXPECT_EQ(error.remedies()[1].effect, "keeps their mean");
}

TEST(Words, EveryKindOfRemedyHasPlainWords) {
  const Words plain;
  EXPECT_EQ(to_text(remedy::set("fill", "linear", "draws a line"), plain),
            "fill = linear draws a line");
  EXPECT_EQ(to_text(remedy::example("step", "1h", "says it"), plain),
            "step = 1h, for example, says it");
  EXPECT_EQ(to_text(remedy::open("fill", "fills the gaps"), plain), "fill fills the gaps");
  EXPECT_EQ(to_text(remedy::smaller("lookback", "needs fewer rows"), plain),
            "a smaller lookback needs fewer rows");
  EXPECT_EQ(to_text(remedy::together({{"start", "2012-05-01", Assignment::Value::kExample},
                                      {"step", "5min", Assignment::Value::kExample}},
                                     "gives them"),
                    plain),
            "start = 2012-05-01 with step = 5min, for example, gives them");
  EXPECT_EQ(to_text(remedy::act(RemedyAction::kResume, "to go on"), plain),
            "resume the run to go on");
  EXPECT_EQ(to_text(remedy::advice("give more rows"), plain), "give more rows");
}

TEST(Words, RemediesOfTheSameEffectAreSaidTogether) {
  const std::vector<Remedy> remedies{remedy::smaller("lookback", "needs fewer rows"),
                                     remedy::smaller("horizon", "needs fewer rows"),
                                     remedy::advice("give more rows")};
  EXPECT_EQ(to_text(remedies, Words()),
            "A smaller lookback or a smaller horizon needs fewer rows; or give more rows");
}

TEST(Words, InstructionsAreAlternatives) {
  const std::vector<Remedy> remedies{remedy::advice("delete it"),
                                     remedy::act(RemedyAction::kStartOver, "to start over"),
                                     remedy::open("fill", "fills the gaps")};
  EXPECT_EQ(to_text(remedies, Words()),
            "Delete it, or train without resuming to start over; fill fills the gaps");
}

TEST(Words, TheMeansAloneAreAListOfChoices) {
  const std::vector<Remedy> remedies{remedy::set("fill", "previous", "takes the value before"),
                                     remedy::set("fill", "linear", "draws a line"),
                                     remedy::set("fill", "none", "leaves gaps"),
                                     remedy::advice("give more rows")};
  EXPECT_EQ(means_text(remedies, Words()), "fill = previous, fill = linear or fill = none");
  EXPECT_EQ(means_text(remedy::advice("give more rows"), Words()), "");
}

TEST(Words, ASentenceOfAdviceBeginsWithACapital) {
  EXPECT_STREQ(
      Error(ErrorKind::kData, "no window fits").with(remedy::advice("give more rows")).what(),
      "no window fits. Give more rows");
  EXPECT_STREQ(Error(ErrorKind::kUsage, "Did you mean 'date'?")
                   .with(remedy::open("drop", "leaves it out"))
                   .what(),
               "Did you mean 'date'? drop leaves it out");
}

TEST(Words, PlacesNameWhatIsKnown) {
  const Words plain;
  EXPECT_EQ(to_text(Place("load.csv"), plain), "load.csv");
  EXPECT_EQ(to_text(Place("load.csv").at_line(7).in_column("load"), plain),
            "load.csv:7, column 'load'");
  EXPECT_EQ(to_text(Place("load.csv").about("time-column"), plain), "load.csv: time-column");
  EXPECT_EQ(to_text(Place::of_setting("start"), plain), "start");
  EXPECT_EQ(to_text(Place(), plain), "");
}

TEST(Words, EveryActionHasItsOwnNameAndPlainWords) {
  const Words plain;
  EXPECT_STREQ(name(RemedyAction::kScoreValidation), "score-validation");
  EXPECT_EQ(plain.action(RemedyAction::kScoreValidation), "score the rows of validation");
  EXPECT_STREQ(name(RemedyAction::kCheckRows), "check-rows");
  EXPECT_EQ(plain.action(RemedyAction::kCheckRows), "check the rows");
}

// What a reader of another language adds, such as a study its remark.
class LoudWords : public Words {
 public:
  std::string where_settings_go() const override { return "Settings go on top"; }
};

TEST(Words, WhereSettingsGoIsSaidOnlyWhereOneIsToBeSet) {
  EXPECT_TRUE(to_text(repeated_stamp(), LoudWords()).ends_with("their mean. Settings go on top"));
  EXPECT_EQ(
      to_text(Error(ErrorKind::kData, "empty").with(remedy::advice("give rows")), LoudWords()),
      "empty. Give rows");
}

}  // namespace
}  // namespace pulsecast
