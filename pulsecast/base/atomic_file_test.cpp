#include "pulsecast/base/atomic_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

class AtomicFileTest : public ::testing::Test {
 protected:
  std::string content() const {
    std::ifstream file(target_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder_), {}));
  }

  const testing::TemporaryFolder own_;
  const std::filesystem::path folder_ = own_.path();
  const std::filesystem::path target_ = folder_ / "model";
};

TEST_F(AtomicFileTest, ReplacesTheWholeFile) {
  write_file(target_, std::string_view("a long first version"));
  write_file(target_, std::string_view("second"));
  EXPECT_EQ(content(), "second");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, WithoutCommitTheOldFileStays) {
  write_file(target_, std::string_view("old"));
  {
    AtomicFile file(target_);
    file.write(std::string_view("half of the new"));
    EXPECT_EQ(content(), "old");
  }
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1u);
}

// A limit on file size stands in for a full disk: write() fails halfway through the file.
TEST_F(AtomicFileTest, AFullDiskKeepsTheOldFileAndSaysSo) {
  write_file(target_, std::string_view("old"));
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      write_file(target_, std::string_view(std::string(100000, 'x')));
      ::_exit(1);
    } catch (const Error& error) {
      const bool clear = error.kind() == ErrorKind::kInputOutput &&
                         error.message().find("unchanged") != std::string::npos;
      ::_exit(clear ? 0 : 2);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(content(), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, AMissingFolderIsNamed) {
  try {
    write_file(folder_ / "absent" / "model", std::string_view("x"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_NE(error.where().find("absent"), std::string::npos);
  }
}

}  // namespace
}  // namespace pulsecast
