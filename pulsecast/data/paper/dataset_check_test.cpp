#include "pulsecast/data/paper/dataset_check.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/sha256.h"
#include "pulsecast/data/testing.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;
using Verdict = DatasetCheck::Verdict;

std::string sha256_of(std::string_view bytes, std::size_t piece) {
  Sha256 sum;
  for (std::size_t i = 0; i < bytes.size(); i += piece) sum.add(bytes.substr(i, piece));
  return sum.digest();
}

// FIPS 180-4's examples.
TEST(Sha256, IsTheStandards) {
  EXPECT_EQ(sha256_of("", 1), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_of("abc", 1),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 5),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_of(std::string(1000000, 'a'), 4096),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

class DatasetFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("pulsecast_datasets_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  DatasetCheck check(std::string_view dataset) {
    ThreadPool threads(1);
    for (const DatasetCheck& found : check_datasets(folder_.string(), threads)) {
      if (found.dataset->name == dataset) return found;
    }
    return {};
  }

  fs::path folder_;
};

TEST_F(DatasetFolder, EmptyHasNone) {
  ThreadPool threads(1);
  const auto checks = check_datasets(folder_.string(), threads);
  EXPECT_EQ(checks.size(), 18u);
  for (const DatasetCheck& found : checks) EXPECT_EQ(found.verdict, Verdict::kAbsent);
}

TEST_F(DatasetFolder, OtherBytesDiffer) {
  write_file(folder_ / "ETTh1.csv", "date,HUFL\n2016-07-01 00:00:00,1\n");
  const DatasetCheck found = check("ETTh1");
  EXPECT_EQ(found.verdict, Verdict::kDiffers);
  EXPECT_EQ(found.detail,
            "expected checksum f18de3ad269cef59bb07b5438d79bb3042d3be49bdeecf01c1cd6d29695ee066, "
            "found " +
                found.sha256 + "; expected 17420 rows and 7 channels, found 1 and 1");
}

TEST_F(DatasetFolder, WithoutAChecksumTheShapeIsAsked) {
  write_file(folder_ / "Wind.csv", "date,a,b\n2016-07-01 00:00:00,1,2\n2016-07-01 00:15:00,1,2\n");
  const DatasetCheck found = check("Wind");
  EXPECT_EQ(found.verdict, Verdict::kDiffers);
  EXPECT_EQ(found.detail, "expected 48673 rows and 7 channels, found 2 and 2");
}

TEST_F(DatasetFolder, BrokenFilesAreSaidToBe) {
  write_file(folder_ / "weather.csv.gz", "this is no gzip");
  const DatasetCheck found = check("Weather");
  EXPECT_EQ(found.verdict, Verdict::kUnreadable);
  EXPECT_FALSE(found.detail.empty());
}

TEST_F(DatasetFolder, ThatIsNotThereIsAnError) {
  ThreadPool threads(1);
  EXPECT_THROW(check_datasets((folder_ / "nowhere").string(), threads), Error);
}

TEST(Datasets, BenchmarkFilesAreThoseOfTheRegistry) {
  const std::string path = testing::benchmark_file("ETTh1.csv.gz");
  if (path.empty()) GTEST_SKIP() << testing::kNoBenchmarkFiles;
  ThreadPool threads;
  std::size_t same = 0;
  for (const DatasetCheck& found : check_datasets(fs::path(path).parent_path().string(), threads)) {
    EXPECT_TRUE(found.verdict == Verdict::kSame || found.verdict == Verdict::kAbsent)
        << found.dataset->name << ": " << found.detail;
    same += found.verdict == Verdict::kSame ? 1 : 0;
  }
  EXPECT_EQ(same, 6u);
}

}  // namespace
}  // namespace pulsecast
