#include "pulsecast/benchmark/journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/error.h"
#include "pulsecast/base/testing.h"

namespace pulsecast::benchmark {
namespace {

RunRecord record_of(const std::string& model, double mse) {
  RunRecord record;
  record.key = {model, "load", 24, 2024};
  record.protocol = "split 0.7,0.1,0.2";
  record.settings = {{"data.lookback", "48"}, {"training.epochs", "2"}};
  record.chosen = {"period 24: strongest"};
  record.file = "load.csv";
  record.data_checksum = "abc";
  record.version = "1";
  record.command = "pulsecast train 'it''s'";
  record.split = {{0, 70}, {70, 80}, {80, 100}};
  record.channels = 2;
  record.test_windows = 17;
  record.training_loss = {2.0, 1.5};
  record.validation_mse = {1.0, 0.5};
  record.best_epoch = 2;
  record.seconds = 1.25;
  record.weights = 100;
  record.flops = 12345;
  record.mse = mse;
  record.mae = 0.1 + mse;
  record.mase = {{1, 0.5, 0.6}, {24, 0.25, 0.3}};
  record.baselines = {{"naive", 2.0, 1.0}};
  record.errors = "errors/a.safetensors";
  return record;
}

// As it was written before lines had checksums.
std::string first_format(const RunRecord& record) {
  std::string line = to_line(record);
  line.replace(line.find("\"format\":2"), 10, "\"format\":1");
  return line.substr(0, line.rfind(",\"crc32c\"")) + "}";
}

class JournalTest : public ::testing::Test {
 protected:
  std::string text() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  pulsecast::testing::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_.path() / "runs.jsonl";
};

TEST_F(JournalTest, ALineIsTheRecord) {
  const RunRecord record = record_of("pulse", 1.0 / 3.0);
  EXPECT_EQ(to_line(parse_record(to_line(record), "here")), to_line(record));
  EXPECT_EQ(parse_record(to_line(record), "here").mse, record.mse) << "to the bit";
  EXPECT_EQ(to_line(record).find('\n'), std::string::npos);
  EXPECT_EQ(parse_record(to_line(record), "here").mase[1].usual, 0.3);
  std::string before = first_format(record);
  const std::size_t mase = before.find("\"mase\"");
  before.erase(mase, before.find("\"times_scored\"") - mase);
  EXPECT_TRUE(parse_record(before, "here").mase.empty()) << "a record from before MASE was kept";
  const RunRecord broken = record_of("pulse", std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(std::isnan(parse_record(to_line(broken), "here").mse));
}

TEST_F(JournalTest, KeepsWhatIsAppended) {
  EXPECT_TRUE(Journal(path_).records().empty());
  Journal(path_).append(record_of("a", 1.0));
  Journal(path_).append(record_of("b", 2.0));
  Journal(path_).append(record_of("a", 3.0));
  const Journal journal(path_);
  ASSERT_EQ(journal.records().size(), 3u);
  EXPECT_EQ(journal.find(record_of("a", 0.0).key)->mse, 3.0) << "the newest";
  EXPECT_EQ(journal.find({"c", "load", 24, 2024}), nullptr);
  EXPECT_FALSE(journal.was_damaged());
}

// Whatever part of the last line a kill or a power cut leaves.
TEST_F(JournalTest, ALastLineThatIsCutShortIsTakenOff) {
  const std::string first = to_line(record_of("a", 1.0)) + "\n";
  const std::string second = to_line(record_of("b", 2.0));
  for (std::size_t length = 1; length < second.size(); length += 7) {
    write_file(path_, std::string_view(first + second.substr(0, length)));
    EXPECT_FALSE(read_journal(path_).damaged.empty());
    Journal journal(path_);
    EXPECT_TRUE(journal.was_damaged());
    ASSERT_EQ(journal.records().size(), 1u);
    EXPECT_EQ(text(), first);
    journal.append(record_of("b", 2.0));
    EXPECT_EQ(text(), first + second + "\n");
  }
  write_file(path_, std::string_view(first + std::string(50, '\0') + "\n"));
  EXPECT_TRUE(Journal(path_).was_damaged());
  EXPECT_EQ(text(), first);
}

TEST_F(JournalTest, AWholeLastLineWithoutItsEndIsKept) {
  const std::string line = to_line(record_of("a", 1.0));
  write_file(path_, std::string_view(line));
  Journal journal(path_);
  EXPECT_FALSE(journal.was_damaged());
  journal.append(record_of("b", 2.0));
  EXPECT_EQ(text(), line + "\n" + to_line(record_of("b", 2.0)) + "\n");
}

// A limit on file size stands in for a disk that takes a part of a line and then fails.
TEST_F(JournalTest, WhatTheDiskSaysIsSaidAndHalfALineIsTakenOff) {
  const std::string first = to_line(record_of("a", 1.0)) + "\n";
  write_file(path_, std::string_view(first));
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{first.size() + 10, first.size() + 10};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    try {
      Journal(path_).append(record_of("b", 2.0));
      ::_exit(1);
    } catch (const Error& error) {
      ::_exit(error.message().find(std::strerror(EFBIG)) == std::string::npos ? 2 : 0);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(text(), first);
}

TEST_F(JournalTest, ADamagedLineElsewhereIsRefusedAndNothingIsLost) {
  const std::string line = to_line(record_of("a", 1.0));
  const std::string broken = line + "\n{\"format\":\n" + line + "\n";
  write_file(path_, std::string_view(broken));
  try {
    Journal journal(path_);
    ADD_FAILURE() << "taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_EQ(error.where(), path_.string() + ":2");
  }
  EXPECT_EQ(text(), broken);
  // JSON, but of a later version: not for us to take off.
  const std::string later = "{\"format\":3}\n";
  write_file(path_, std::string_view(later));
  EXPECT_THROW(Journal{path_}, Error);
  EXPECT_EQ(text(), later);
}

// A digit of an error that is another digit is still JSON.
TEST_F(JournalTest, EveryFlippedBitOfARecordIsNoticed) {
  const std::string line = to_line(record_of("a", 0.125));
  const std::string last = to_line(record_of("b", 0.25));
  for (std::size_t i = 0; i < 8 * line.size(); ++i) {
    std::string damaged = line;
    damaged[i / 8] = static_cast<char>(damaged[i / 8] ^ (1 << i % 8));
    EXPECT_THROW(parse_record(damaged, "here"), Error) << "bit " << i;
  }
  std::string digit = line + "\n" + last + "\n";
  digit.replace(digit.rfind("0.25"), 4, "0.26");
  write_file(path_, std::string_view(digit));
  EXPECT_TRUE(Journal(path_).was_damaged());
  EXPECT_EQ(text(), line + "\n");
}

TEST_F(JournalTest, RecordsOfTheFirstFormatAreRead) {
  const std::string old = first_format(record_of("a", 1.0)) + "\n";
  write_file(path_, std::string_view(old));
  Journal journal(path_);
  ASSERT_EQ(journal.records().size(), 1u);
  journal.append(record_of("b", 2.0));
  EXPECT_EQ(text(), old + to_line(record_of("b", 2.0)) + "\n");
}

}  // namespace
}  // namespace pulsecast::benchmark
