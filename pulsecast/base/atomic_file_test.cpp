#include "pulsecast/base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

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

// Written as they are, never replaced: "forecast --out /dev/null" by root must leave /dev/null.
TEST_F(AtomicFileTest, ADeviceStaysADevice) {
  if (::mknod(target_.c_str(), S_IFCHR | 0600, makedev(1, 3)) != 0) {
    GTEST_SKIP() << "only root makes devices";
  }
  write_file(target_, std::string_view("into nothing"));
  EXPECT_TRUE(fs::is_character_file(target_));
  EXPECT_FALSE(is_replaceable(target_));
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, ADeviceThatIsFullIsAnError) {
  try {
    write_file("/dev/full", std::string_view("x"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_EQ(error.message(), "could not write the file: No space left on device.");
  }
}

TEST_F(AtomicFileTest, APipeHasItsReader) {
  ASSERT_EQ(::mkfifo(target_.c_str(), 0600), 0);
  // Looked at before the work, as programs do: a reader must not see an end before the content.
  { const AtomicFile probe(target_); }
  std::string read;
  std::thread reader([&] { read = content(); });
  write_file(target_, std::string_view("through the pipe"));
  reader.join();
  EXPECT_EQ(read, "through the pipe");
  EXPECT_TRUE(fs::is_fifo(target_));
}

TEST_F(AtomicFileTest, ALinkStaysAndItsEndIsReplacedInItsOwnFolder) {
  fs::create_directory(folder_ / "far");
  fs::create_symlink("far/end", folder_ / "middle");
  fs::create_symlink("middle", target_);
  write_file(target_, std::string_view("made through links"));
  EXPECT_EQ(content(), "made through links");
  write_file(target_, std::string_view("replaced"));
  EXPECT_TRUE(fs::is_symlink(target_));
  EXPECT_TRUE(fs::is_symlink(folder_ / "middle"));
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder_ / "far" / "end")));
  EXPECT_EQ(content(), "replaced");
}

TEST_F(AtomicFileTest, ACircleOfLinksIsRefused) {
  fs::create_symlink("model", target_);
  EXPECT_THROW(write_file(target_, std::string_view("x")), Error);
}

// ">> results" with "--out /dev/stdout" adds to what is there.
TEST_F(AtomicFileTest, AnOpenDescriptorIsAddedTo) {
  write_file(target_, std::string_view("first\n"));
  const int open = ::open(target_.c_str(), O_WRONLY | O_APPEND);
  write_file("/proc/self/fd/" + std::to_string(open), std::string_view("second\n"));
  ::close(open);
  EXPECT_EQ(content(), "first\nsecond\n");
}

TEST_F(AtomicFileTest, AFolderIsRefused) {
  try {
    write_file(folder_, std::string_view("x"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "it is a folder; name a file");
  }
}

TEST_F(AtomicFileTest, KeepsModeAndOwner) {
  write_file(target_, std::string_view("secret"));
  ASSERT_EQ(::chmod(target_.c_str(), 0600), 0);
  const bool is_root = ::geteuid() == 0;
  if (is_root) {
    ASSERT_EQ(::chown(target_.c_str(), 1234, 4321), 0);
  }
  write_file(target_, std::string_view("still secret"));
  struct stat status {};
  ASSERT_EQ(::stat(target_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  if (is_root) {
    EXPECT_EQ(status.st_uid, 1234u);
    EXPECT_EQ(status.st_gid, 4321u);
  }
}

// The second start of a program that is process 1 in its container, after the first was killed.
TEST_F(AtomicFileTest, WhatAKilledWriterLeftIsRemoved) {
  write_file(target_, std::string_view("old"));
  for (int time = 0; time < 3; ++time) {
    const pid_t child = ::fork();
    if (child == 0) {
      AtomicFile file(target_);
      file.write(std::string_view("half"));
      ::raise(SIGKILL);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(files(), 2u);
  }
  const auto with = [&](const std::string& name) {
    std::ofstream(folder_ / name) << "another's";
    return folder_ / name;
  };
  const std::vector<fs::path> others = {
      with("model.tmp-1-0"), with("model.tmp-0123456789abcde"), with("model.tmp-0123456789ABCDEF"),
      with("model.tmp-0123456789abcdef0"), with("models.tmp-0123456789abcdef")};
  write_file(target_, std::string_view("new"));
  EXPECT_EQ(content(), "new");
  EXPECT_EQ(files(), 1u + others.size());
  for (const fs::path& other : others) EXPECT_TRUE(fs::exists(other)) << other;
}

// A living writer's is not: both end whole, the later one wins.
TEST_F(AtomicFileTest, TwoWritersOfOneTarget) {
  AtomicFile first(target_);
  first.write(std::string_view("first"));
  write_file(target_, std::string_view("second"));
  EXPECT_EQ(content(), "second");
  first.commit();
  EXPECT_EQ(content(), "first");
  EXPECT_EQ(files(), 1u);
}

TEST_F(AtomicFileTest, ManyWritersOfOneTargetNeverFail) {
  std::vector<std::thread> writers;
  for (char letter = 'a'; letter < 'e'; ++letter) {
    writers.emplace_back([this, letter] {
      for (int time = 0; time < 50; ++time) write_file(target_, std::string(1000, letter));
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(content(), std::string(1000, content().front()));
  EXPECT_EQ(files(), 1u);
}

}  // namespace
}  // namespace pulsecast
