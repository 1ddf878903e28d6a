// The forecasts of a backtest on disk as they are made, so that a kill at any moment loses no more
// than those since the last save.
//
// A run that goes on reads them back and scores them by the code that scores new ones, in the same
// order: it ends with the bits of one that was never stopped. The file begins with a fingerprint,
// lines of "name: value" for all that the run's bits depend on; then a record an origin and a
// record a refit, each with a checksum. A kill can leave a last record that is cut short or
// garbled: it and what follows is taken off and done again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace pulsecast {

class BacktestJournal {
 public:
  enum class Kind : std::uint32_t { kForecast = 1, kRefit = 2 };
  struct Record {
    Kind kind = Kind::kForecast;
    std::uint64_t row = 0;      // first row forecast, or of a refit the first that it has not seen
    double number = 0.0;        // of a refit: its validation MSE
    std::vector<float> values;  // of a forecast (C, H)
  };

  // Begins a new file, or where `resume` goes on with the one that is there. Throws Error(kUsage)
  // that names the first line of the fingerprint that differs, Error(kInputOutput).
  BacktestJournal(std::filesystem::path path, const std::string& fingerprint, bool resume);
  ~BacktestJournal();
  BacktestJournal(const BacktestJournal&) = delete;
  BacktestJournal& operator=(const BacktestJournal&) = delete;

  // Reads the next record that was there; false when there is none left. All must be read before
  // the first is appended.
  bool next(Record& record);
  // Written and synced as a whole.
  void append(std::span<const Record> records);
  // Takes the file away: the run is over.
  void remove();

 private:
  [[noreturn]] void fail(int error_number) const;
  void write_synced(const std::string& bytes);
  // False at the end of the file.
  bool read_exactly(void* to, std::size_t bytes);
  bool is_begun(const std::string& head) const;
  void read_head(const std::string& fingerprint);

  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;   // of the file when it was opened
  std::uint64_t whole_ = 0;  // bytes of whole records
  bool is_read_ = false;     // to its end
};

}  // namespace pulsecast
