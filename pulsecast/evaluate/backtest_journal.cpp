#include "pulsecast/evaluate/backtest_journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "pulsecast/base/crc32c.h"
#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

constexpr char kMagic[8] = {'p', 'u', 'l', 's', 'e', 'b', 't', '1'};
constexpr std::uint32_t kLongestFingerprint = 1 << 20;

// What comes before the values of a record.
struct RecordHead {
  std::uint32_t kind;
  std::uint32_t values;
  std::uint64_t row;
  double number;
};

template <typename Value>
void append_bytes(std::string& bytes, const Value* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(Value));
}

void append_checksum(std::string& bytes, std::size_t from) {
  const std::uint32_t sum = crc32c(std::as_bytes(std::span(bytes).subspan(from)));
  append_bytes(bytes, &sum, 1);
}

std::string head_of(const std::string& fingerprint) {
  std::string head(kMagic, sizeof(kMagic));
  const auto length = static_cast<std::uint32_t>(fingerprint.size());
  append_bytes(head, &length, 1);
  head += fingerprint;
  append_checksum(head, 0);
  return head;
}

// Lines of both side by side; the first that differs, for a message.
std::string first_difference(const std::string& theirs, const std::string& ours) {
  std::istringstream a(theirs), b(ours);
  std::string left, right;
  for (;;) {
    const bool has_left = static_cast<bool>(std::getline(a, left));
    const bool has_right = static_cast<bool>(std::getline(b, right));
    if (!has_left && !has_right) return "its end";
    if (!has_left) left = "nothing";
    if (!has_right) right = "nothing";
    if (left != right) return fmt::format("it has '{}', and this run '{}'", left, right);
  }
}

}  // namespace

BacktestJournal::BacktestJournal(std::filesystem::path path, const std::string& fingerprint,
                                 bool resume)
    : path_(std::move(path)) {
  const std::string head = head_of(fingerprint);
  const bool goes_on = resume && std::filesystem::exists(path_) && !is_begun(head);
  file_ = retried([&] {
    return ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (goes_on ? 0 : O_TRUNC), 0666);
  });
  if (file_ < 0) fail(errno);
  if (goes_on) {
    size_ = std::filesystem::file_size(path_);
    read_head(fingerprint);
    return;
  }
  is_read_ = true;
  write_synced(head);
}

// Whether a kill came before the head was whole: then there is nothing to go on from, and nothing
// that could be another run's.
bool BacktestJournal::is_begun(const std::string& head) const {
  if (std::filesystem::file_size(path_) >= head.size()) return false;
  std::ifstream file(path_, std::ios::binary);
  const std::string there{std::istreambuf_iterator<char>(file), {}};
  return head.starts_with(there);
}

BacktestJournal::~BacktestJournal() {
  if (file_ >= 0) ::close(file_);
}

void BacktestJournal::fail(int error_number) const {
  throw_error(ErrorKind::kInputOutput, path_.string(),
              "could not read or write the forecasts so far: {}", std::strerror(error_number));
}

bool BacktestJournal::read_exactly(void* to, std::size_t bytes) {
  auto* out = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = retried([&] { return ::read(file_, out, bytes); });
    if (got < 0) fail(errno);
    if (got == 0) return false;
    out += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void BacktestJournal::read_head(const std::string& fingerprint) {
  const auto refuse = [&](const std::string& reason) {
    throw make_error(ErrorKind::kUsage, path_.string(),
                     "the forecasts there are not of this run: {}", reason)
        .with(remedy::advice("leave out the wish to resume, and the backtest begins anew"));
  };
  std::string head(sizeof(kMagic) + sizeof(std::uint32_t), '\0');
  std::uint32_t length = 0;
  bool is_whole = read_exactly(head.data(), head.size());
  if (is_whole) {
    std::memcpy(&length, head.data() + sizeof(kMagic), sizeof(length));
    is_whole =
        std::memcmp(head.data(), kMagic, sizeof(kMagic)) == 0 && length <= kLongestFingerprint;
  }
  std::string theirs(is_whole ? length : 0, '\0');
  std::uint32_t sum = 0;
  is_whole =
      is_whole && read_exactly(theirs.data(), theirs.size()) && read_exactly(&sum, sizeof(sum)) &&
      sum == crc32c(std::as_bytes(std::span(theirs)), crc32c(std::as_bytes(std::span(head))));
  if (!is_whole) refuse("it does not begin as such a file does");
  if (theirs != fingerprint) refuse(first_difference(theirs, fingerprint));
  whole_ = head.size() + theirs.size() + sizeof(sum);
}

bool BacktestJournal::next(Record& record) {
  if (is_read_) return false;
  RecordHead head{};
  const bool has_head = read_exactly(&head, sizeof(head));
  const auto kind = static_cast<Kind>(head.kind);
  // A count that the file has no room for would take memory for nothing.
  const bool is_known = (kind == Kind::kForecast || kind == Kind::kRefit) &&
                        head.values <= (size_ - whole_) / sizeof(float);
  if (has_head && is_known) {
    record = {kind, head.row, head.number, std::vector<float>(head.values)};
    std::uint32_t sum = 0;
    const std::size_t bytes = record.values.size() * sizeof(float);
    if (read_exactly(record.values.data(), bytes) && read_exactly(&sum, sizeof(sum)) &&
        sum == crc32c(std::as_bytes(std::span(record.values)),
                      crc32c(std::as_bytes(std::span(&head, 1))))) {
      whole_ += sizeof(head) + bytes + sizeof(sum);
      return true;
    }
  }
  is_read_ = true;
  if (retried([&] { return ::ftruncate(file_, static_cast<off_t>(whole_)); }) != 0) fail(errno);
  return false;
}

void BacktestJournal::append(std::span<const Record> records) {
  assert(is_read_);
  std::string bytes;
  for (const Record& record : records) {
    const std::size_t from = bytes.size();
    const RecordHead head{static_cast<std::uint32_t>(record.kind),
                          static_cast<std::uint32_t>(record.values.size()), record.row,
                          record.number};
    append_bytes(bytes, &head, 1);
    append_bytes(bytes, record.values.data(), record.values.size());
    append_checksum(bytes, from);
  }
  write_synced(bytes);
}

void BacktestJournal::write_synced(const std::string& bytes) {
  if (::lseek(file_, static_cast<off_t>(whole_), SEEK_SET) < 0) fail(errno);
  std::string_view left = bytes;
  while (!left.empty()) {
    const ssize_t written = retried([&] { return ::write(file_, left.data(), left.size()); });
    if (written < 0) fail(errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  if (retried([&] { return ::fsync(file_); }) != 0) fail(errno);
  whole_ += bytes.size();
}

void BacktestJournal::remove() {
  std::error_code gone_already;
  std::filesystem::remove(path_, gone_already);
}

}  // namespace pulsecast
