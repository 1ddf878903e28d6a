#include "pulsecast/evaluate/backtest_journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "pulsecast/base/error.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;
using Kind = BacktestJournal::Kind;

class JournalFile : public ::testing::Test {
 protected:
  void SetUp() override {
    path_ = fs::temp_directory_path() /
            (std::string("backtest_") +
             ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".journal");
    fs::remove(path_);
  }
  void TearDown() override { fs::remove(path_); }

  void write_three() const {
    BacktestJournal journal(path_, "rows: 7\nstride: 1\n", false);
    const BacktestJournal::Record records[] = {{Kind::kForecast, 10, 0.0, {1.5f, 2.5f}},
                                               {Kind::kRefit, 11, 0.25, {}},
                                               {Kind::kForecast, 11, 0.0, {3.5f, 4.5f}}};
    journal.append(std::span(records).first(1));
    journal.append(std::span(records).subspan(1));
  }
  std::vector<BacktestJournal::Record> read_all() const {
    BacktestJournal journal(path_, "rows: 7\nstride: 1\n", true);
    std::vector<BacktestJournal::Record> all;
    for (BacktestJournal::Record record; journal.next(record);) all.push_back(record);
    return all;
  }

  fs::path path_;
};

TEST_F(JournalFile, GivesBackWhatWasAppended) {
  write_three();
  const auto all = read_all();
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].row, 10u);
  EXPECT_EQ(all[0].values, (std::vector<float>{1.5f, 2.5f}));
  EXPECT_EQ(all[1].kind, Kind::kRefit);
  EXPECT_EQ(all[1].number, 0.25);
  EXPECT_EQ(all[2].values, (std::vector<float>{3.5f, 4.5f}));
}

// Whatever a kill leaves of the last record, what comes before it is there, and what is appended
// next follows it.
TEST_F(JournalFile, ARecordThatIsCutShortIsTakenOff) {
  write_three();
  const auto whole = fs::file_size(path_);
  const std::size_t last = 24 + 2 * sizeof(float) + 4;
  for (std::size_t cut = 1; cut <= last; ++cut) {
    write_three();
    fs::resize_file(path_, whole - cut);
    ASSERT_EQ(read_all().size(), 2u) << cut;
  }
  BacktestJournal journal(path_, "rows: 7\nstride: 1\n", true);
  for (BacktestJournal::Record record; journal.next(record);) continue;
  const BacktestJournal::Record again{Kind::kForecast, 12, 0.0, {5.5f, 6.5f}};
  journal.append({&again, 1});
  EXPECT_EQ(read_all().back().row, 12u);
}

// A kill between the file's making and the end of its head.
TEST_F(JournalFile, AHeadThatIsCutShortBeginsAnew) {
  { const BacktestJournal journal(path_, "rows: 7\nstride: 1\n", false); }
  const auto whole = fs::file_size(path_);
  for (std::uintmax_t kept = 0; kept < whole; ++kept) {
    fs::resize_file(path_, kept);
    ASSERT_TRUE(read_all().empty()) << kept;
    ASSERT_EQ(fs::file_size(path_), whole) << kept;
  }
  BacktestJournal journal(path_, "rows: 7\nstride: 1\n", true);
  for (BacktestJournal::Record record; journal.next(record);) continue;
  const BacktestJournal::Record first{Kind::kForecast, 10, 0.0, {1.5f, 2.5f}};
  journal.append({&first, 1});
  EXPECT_EQ(read_all().size(), 1u);
}

TEST_F(JournalFile, ABitThatFlippedIsNoForecast) {
  write_three();
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-6, std::ios::end);
  const auto byte = static_cast<char>(file.get() ^ 1);
  file.seekp(-6, std::ios::end);
  file.put(byte);
  file.close();
  EXPECT_EQ(read_all().size(), 2u);
}

TEST_F(JournalFile, AnotherRunsIsRefusedWithWhatDiffers) {
  write_three();
  try {
    BacktestJournal journal(path_, "rows: 7\nstride: 24\n", true);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(error.message().find("'stride: 1', and this run 'stride: 24'"), std::string::npos)
        << error.message();
  }
  EXPECT_EQ(read_all().size(), 3u);
}

}  // namespace
}  // namespace pulsecast
