#include "pulsecast/base/file_lock.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

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
  EXPECT_FALSE(std::filesystem::exists(path));
  const FileLock after(path, "somebody is at it");
}

// Each removes the file that the next one waits for: still one at a time.
TEST(FileLock, OneAtATimeOfMany) {
  const testing::TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "lock";
  std::atomic<int> inside{0};
  std::atomic<int> turns{0};
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int tries = 0; tries < 2000; ++tries) {
        try {
          const FileLock lock(path, "busy");
          EXPECT_EQ(inside.fetch_add(1), 0);
          ++turns;
          inside.fetch_sub(1);
        } catch (const Error&) {
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GT(turns, 0);
}

TEST(FileLock, AFolderThatIsMissingIsSaid) {
  const testing::TemporaryFolder folder;
  EXPECT_THROW(FileLock(folder.path() / "none" / "lock", ""), Error);
}

}  // namespace
}  // namespace pulsecast
