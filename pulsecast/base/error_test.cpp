#include "pulsecast/base/throw_error.h"

#include <gtest/gtest.h>

namespace pulsecast {
namespace {

TEST(Error, SaysWhereAndWhat) {
  try {
    throw_error(ErrorKind::kData, "load.csv:3", "expected {} cells, found {}", 4, 5);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_EQ(error.message(), "expected 4 cells, found 5");
    EXPECT_EQ(error.where(), "load.csv:3");
    EXPECT_STREQ(error.what(), "load.csv:3: expected 4 cells, found 5");
  }
}

TEST(Error, WithoutAPlaceIsTheMessageAlone) {
  EXPECT_STREQ(Error(ErrorKind::kUsage, "no horizon given").what(), "no horizon given");
}

// Scripts depend on these numbers: they never change.
TEST(Error, ExitCodesAreFixed) {
  EXPECT_EQ(exit_code(ErrorKind::kUsage), 2);
  EXPECT_EQ(exit_code(ErrorKind::kData), 3);
  EXPECT_EQ(exit_code(ErrorKind::kModelFile), 4);
  EXPECT_EQ(exit_code(ErrorKind::kInputOutput), 5);
  EXPECT_EQ(exit_code(ErrorKind::kTraining), 6);
  EXPECT_EQ(exit_code(ErrorKind::kInterrupted), 130);
}

}  // namespace
}  // namespace pulsecast
