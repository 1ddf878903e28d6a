#include "pulsecast/benchmark/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <tuple>

#include "pulsecast/base/input_file.h"
#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::benchmark {
namespace {

constexpr std::size_t kLargestJournal = std::size_t{1} << 30;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw_error(ErrorKind::kInputOutput, path.string(), "could not read or write the records: {}",
              reason);
}

// False with errno where the disk does not take it. It may take a part first; what keeps it from
// the rest is then said by the next write.
bool write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = retried([&] { return ::write(file, text.data(), text.size()); });
    if (written < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void append_synced(const std::filesystem::path& path, std::string_view text) {
  const int file = retried(
      [&] { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666); });
  if (file < 0) fail(path, std::strerror(errno));
  const off_t before = ::lseek(file, 0, SEEK_END);
  const bool is_written = write_all(file, text) && retried([&] { return ::fsync(file); }) == 0;
  const int reason = errno;
  // A part of a line helps nobody; where it cannot be taken off, the next start does it.
  if (!is_written) std::ignore = ::ftruncate(file, before);
  ::close(file);
  if (!is_written) fail(path, std::strerror(reason));
}

}  // namespace

JournalContents read_journal(const std::filesystem::path& path) {
  JournalContents contents{};
  if (!std::filesystem::exists(path)) return contents;
  // A study of a hundred thousand runs has some hundred megabytes of records.
  const std::string text = read_whole(path, kLargestJournal, "journal");
  contents.ends_line = text.ends_with('\n');
  std::size_t number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::size_t next = std::min(end + 1, text.size());
    const std::string_view line = std::string_view(text).substr(begin, end - begin);
    if (next == text.size() && !is_whole(line)) {
      contents.damaged = line;
      break;
    }
    contents.records.push_back(parse_record(line, fmt::format("{}:{}", path.string(), number)));
    contents.whole_bytes = begin = next;
  }
  return contents;
}

Journal::Journal(std::filesystem::path path)
    : path_(std::move(path)), contents_(read_journal(path_)) {
  if (was_damaged()) std::filesystem::resize_file(path_, contents_.whole_bytes);
  // A last line that is whole may lack its end.
  if (contents_.whole_bytes > 0 && !was_damaged() && !contents_.ends_line) {
    append_synced(path_, "\n");
  }
}

const RunRecord* Journal::find(const RunKey& key) const {
  const auto& all = contents_.records;
  const auto found = std::find_if(all.rbegin(), all.rend(),
                                  [&](const RunRecord& each) { return each.key == key; });
  return found == all.rend() ? nullptr : &*found;
}

void Journal::append(const RunRecord& record) {
  append_synced(path_, to_line(record) + "\n");
  contents_.records.push_back(record);
}

}  // namespace pulsecast::benchmark
