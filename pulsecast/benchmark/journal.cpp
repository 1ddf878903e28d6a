#include "pulsecast/benchmark/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::benchmark {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw_error(ErrorKind::kInputOutput, path.string(), "could not read or write the records: {}",
              reason);
}

void append_synced(const std::filesystem::path& path, std::string_view text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) fail(path, std::strerror(errno));
  const ssize_t written = ::write(file, text.data(), text.size());
  const bool is_synced = written == static_cast<ssize_t>(text.size()) && ::fsync(file) == 0;
  const std::string reason =
      written < 0 || is_synced ? std::strerror(errno) : "the disk took a part of them";
  ::close(file);
  if (!is_synced) fail(path, reason);
}

}  // namespace

JournalContents read_journal(const std::filesystem::path& path) {
  JournalContents contents{};
  if (!std::filesystem::exists(path)) return contents;
  std::ifstream stream(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) fail(path, std::strerror(errno));
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
  if (contents_.whole_bytes > 0) {
    std::ifstream stream(path_, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(contents_.whole_bytes) - 1);
    if (stream.get() != '\n') append_synced(path_, "\n");
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
