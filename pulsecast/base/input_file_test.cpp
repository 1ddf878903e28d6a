#include "pulsecast/base/input_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast {
namespace {

TEST(InputFile, ReadsPieceByPiece) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "file";
  std::ofstream(path) << "abcdef";
  InputFile file(path, "file");
  EXPECT_EQ(file.size(), 6u);
  EXPECT_EQ(file.read(4), "abcd");
  EXPECT_EQ(file.read(4), "ef");
  EXPECT_EQ(file.read(4), "");
}

// A pipe gives what it has at the moment; the rest comes later.
TEST(InputFile, ReadsAPipeToItsEnd) {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string sent(3'000'000, 'x');
  std::thread writer([&] { std::ofstream(path) << sent; });
  EXPECT_EQ(read_whole(path, 4'000'000, "text"), sent);
  writer.join();
}

TEST(InputFile, WhatNeverEndsIsRefused) {
  try {
    read_whole("/dev/zero", 1'000'000, "config file");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInputOutput);
    EXPECT_EQ(error.message(),
              "it has more than 1000000 bytes, which is more than a config file may have");
  }
}

TEST(InputFile, AMissingFileAndAFolderAreErrors) {
  EXPECT_THROW(InputFile("/nonexistent/file", "file"), Error);
  EXPECT_THROW(read_whole("/", 10, "text"), Error);
}

}  // namespace
}  // namespace pulsecast
