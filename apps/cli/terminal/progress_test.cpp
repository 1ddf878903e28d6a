#include "apps/cli/terminal/progress.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

namespace pulsecast::cli {
namespace {

// A Progress on a file, with a clock that stands still until it is moved.
class ProgressTest : public ::testing::Test {
 protected:
  ~ProgressTest() override { std::fclose(file_); }

  Progress::Options options(Progress::Mode mode) {
    return {.mode = mode,
            .seconds_a_line = 30.0,
            .clock = [this] { return seconds_; },
            .width = [this] { return width_; }};
  }

  // What was written since the last call.
  std::string written() {
    std::fflush(file_);
    std::string text(static_cast<std::size_t>(std::ftell(file_) - read_), '\0');
    std::fseek(file_, read_, SEEK_SET);
    text.resize(std::fread(text.data(), 1, text.size(), file_));
    std::fseek(file_, 0, SEEK_END);
    read_ = std::ftell(file_);
    return text;
  }

  std::FILE* file_ = std::tmpfile();
  double seconds_ = 1000.0;
  std::size_t width_ = 80;
  long read_ = 0;
};

constexpr std::string_view kErase = "\r\x1b[K";

// What drawing that bar writes.
std::string drawn(std::string_view bar) {
  std::string text(kErase);
  text += bar;
  return text;
}

TEST_F(ProgressTest, DrawsABarWithRateAndTimeLeft) {
  Progress progress(file_, options(Progress::Mode::kBar));
  progress.update(1, 4, 0, 100, 0.5);
  EXPECT_EQ(written(),
            drawn("epoch 1/4 [>                                       ] 0/100  loss 0.5"));
  seconds_ += 10.0;
  progress.update(3, 4, 0, 100, 0.43214);
  EXPECT_EQ(written(), drawn("epoch 3/4 [============>            ] 0/100  loss 0.4321  "
                             "20 steps/s  10 s left"));
}

TEST_F(ProgressTest, CountsThingsThatHaveNoEpochs) {
  Progress bar(file_, options(Progress::Mode::kBar));
  bar.update("origins", 0, 500);
  seconds_ += 10.0;
  written();
  bar.update("origins", 250, 500);
  EXPECT_EQ(
      written(),
      drawn("origins [==================>                 ] 250/500  25 origins/s  10 s left"));
  Progress lines(file_, options(Progress::Mode::kLines));
  lines.update("origins", 500, 500);
  EXPECT_EQ(written(), "origins 500/500\n");
}

TEST_F(ProgressTest, DrawsAtMostTenTimesASecond) {
  Progress progress(file_, options(Progress::Mode::kBar));
  for (std::size_t step = 1; step <= 1000; ++step, seconds_ += 0.001) {
    progress.update(1, 1, step, 1000, 1.0);
  }
  const std::string text = written();
  EXPECT_EQ(std::ranges::count(text, '\r'), 10);
}

TEST_F(ProgressTest, IsNeverWiderThanTheTerminal) {
  for (width_ = 1; width_ < 120; ++width_) {
    Progress progress(file_, options(Progress::Mode::kBar));
    progress.update(1, 300, 1, 1000, 0.12345);
    seconds_ += 1.0;
    written();
    progress.update(2, 300, 17, 1000, 0.12345);
    const std::string text = written().substr(kErase.size());
    EXPECT_LE(text.size(), std::max<std::size_t>(width_, 2) - 1) << text;
    EXPECT_GE(text.size() + 1, std::min<std::size_t>(width_, 58)) << text;
  }
}

TEST_F(ProgressTest, LinesAreKeptAboveTheBar) {
  Progress progress(file_, options(Progress::Mode::kBar));
  progress.line("reading");
  EXPECT_EQ(written(), "reading\n") << "no bar yet";
  progress.update(1, 2, 1, 10, 1.0);
  const std::string bar = written();
  progress.line("epoch 1: better");
  EXPECT_EQ(written(), drawn("epoch 1: better\n" + bar.substr(kErase.size())));
}

TEST_F(ProgressTest, TakesTheBarAwayOnce) {
  {
    Progress progress(file_, options(Progress::Mode::kBar));
    progress.done();
    EXPECT_EQ(written(), "");
    progress.update(1, 2, 1, 10, 1.0);
    written();
    progress.done();
    EXPECT_EQ(written(), kErase);
    progress.line("done");
    EXPECT_EQ(written(), "done\n");
  }
  EXPECT_EQ(written(), "") << "the destructor has nothing left to take away";
  {
    Progress progress(file_, options(Progress::Mode::kBar));
    progress.update(1, 2, 1, 10, 1.0);
    written();
  }
  EXPECT_EQ(written(), kErase);
}

TEST_F(ProgressTest, ElsewhereWritesALineNowAndThenAndAtEveryEpoch) {
  Progress progress(file_, options(Progress::Mode::kLines));
  progress.update(1, 2, 0, 100, 2.0);
  for (std::size_t step = 1; step < 100; ++step) {
    seconds_ += 1.0;
    progress.update(1, 2, step, 100, 1.5);
  }
  EXPECT_EQ(written(),
            "epoch 1/2  30/100  loss 1.5  1 steps/s  2:50 left\n"
            "epoch 1/2  60/100  loss 1.5  1 steps/s  2:20 left\n"
            "epoch 1/2  90/100  loss 1.5  1 steps/s  1:50 left\n");
  seconds_ += 1.0;
  progress.update(1, 2, 100, 100, 1.25);
  progress.line("validation 0.9");
  progress.done();
  EXPECT_EQ(written(),
            "epoch 1/2  100/100  loss 1.25  1 steps/s  1:40 left\n"
            "validation 0.9\n");
}

TEST_F(ProgressTest, AResumedRunIsTimedFromWhereItBegan) {
  Progress progress(file_, options(Progress::Mode::kLines));
  progress.update(9, 10, 0, 100, 1.0);
  seconds_ += 50.0;
  progress.update(9, 10, 100, 100, 1.0);
  EXPECT_EQ(written(), "epoch 9/10  100/100  loss 1  2 steps/s  50 s left\n");
}

// As the runs of a study: the second is not slowed down by what the first one took.
TEST_F(ProgressTest, NewWorkHasAPaceOfItsOwn) {
  for (const bool is_done_between : {true, false}) {
    Progress progress(file_, options(Progress::Mode::kLines));
    progress.update(1, 1, 0, 100, 1.0);
    seconds_ += 1000.0;
    progress.update(1, 1, 100, 100, 1.0);
    if (is_done_between) progress.done();
    written();
    progress.update(1, 2, 0, 100, 1.0);
    seconds_ += 1.0;
    progress.update(1, 2, 100, 100, 1.0);
    EXPECT_EQ(written(), "epoch 1/2  100/100  loss 1  100 steps/s  1 s left\n") << is_done_between;
  }
}

TEST_F(ProgressTest, QuietWritesNothing) {
  {
    Progress progress(file_, options(Progress::Mode::kQuiet));
    progress.update(1, 1, 1, 1, 1.0);
    progress.line("text");
    progress.done();
  }
  EXPECT_EQ(written(), "");
}

TEST_F(ProgressTest, ModeFollowsWhereItGoes) {
  EXPECT_EQ(Progress::mode_for(file_, false), Progress::Mode::kLines);
  EXPECT_EQ(Progress::mode_for(file_, true), Progress::Mode::kQuiet);
}

TEST(Duration, IsShort) {
  EXPECT_EQ(duration_text(0.0), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(83.0), "1:23");
  EXPECT_EQ(duration_text(3599.7), "1:00:00");
  EXPECT_EQ(duration_text(2 * 3600 + 3 * 60 + 4), "2:03:04");
  EXPECT_EQ(duration_text(1e6), "278 h");
}

}  // namespace
}  // namespace pulsecast::cli
