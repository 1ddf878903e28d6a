#include "pulsecast/base/file_lock.h"

#include <gtest/gtest.h>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

TEST(FileLock, OneAtATime) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "lock";
  {
    const FileLock first(path, "somebody is at it");
    try {
      const FileLock second(path, "somebody is at it");
      FAIL() << "two have the lock";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
      EXPECT_NE(std::string(error.what()).find("somebody is at it"), std::string::npos);
    }
  }
  const FileLock after(path, "somebody is at it");
}

TEST(FileLock, AFolderThatIsMissingIsSaid) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(FileLock(folder.path() / "none" / "lock", ""), Error);
}

}  // namespace
}  // namespace pulsecast
