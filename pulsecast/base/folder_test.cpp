#include "pulsecast/base/folder.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

TEST(Folder, IsMadeWithThoseThatItLiesIn) {
  const testing::TemporaryFolder place;
  const std::filesystem::path folder = place.path() / "a" / "b";
  make_folder(folder);
  EXPECT_TRUE(std::filesystem::is_directory(folder));
  make_folder(folder);
  EXPECT_TRUE(std::filesystem::is_directory(folder));
}

TEST(Folder, WhereAFileIsInTheWayThatIsSaid) {
  const testing::TemporaryFolder place;
  std::ofstream(place.path() / "a") << "a file";
  try {
    make_folder(place.path() / "a" / "b");
    FAIL() << "a file is no folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_NE(error.message().find("cannot be made: Not a directory"), std::string::npos)
        << error.message();
  }
}

}  // namespace
}  // namespace pulsecast
