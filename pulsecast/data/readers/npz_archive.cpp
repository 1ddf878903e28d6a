#include "pulsecast/data/readers/npz_archive.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <zip.h>

#include <algorithm>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

class EntrySource : public ByteSource {
 public:
  EntrySource(zip_t* archive, const std::string& entry, std::string source)
      : source_(std::move(source)), file_(zip_fopen(archive, entry.c_str(), 0)) {
    if (file_ == nullptr) {
      throw_error(ErrorKind::kData, source_, "{} cannot be opened: {}", entry,
                  zip_strerror(archive));
    }
  }
  ~EntrySource() override { zip_fclose(file_); }
  EntrySource(const EntrySource&) = delete;
  EntrySource& operator=(const EntrySource&) = delete;

  std::size_t read(std::span<char> bytes) override {
    std::size_t filled = 0;
    while (filled < bytes.size()) {
      const zip_int64_t count = zip_fread(file_, bytes.data() + filled, bytes.size() - filled);
      if (count < 0) {
        throw make_error(ErrorKind::kData, source_, "what the archive holds is damaged ({})",
                         zip_error_strerror(zip_file_get_error(file_)))
            .with(remedy::advice("copy the file again"));
      }
      if (count == 0) break;
      filled += static_cast<std::size_t>(count);
    }
    return filled;
  }

 private:
  std::string source_;
  zip_file_t* file_;
};

}  // namespace

NpzArchive::NpzArchive(std::string bytes, std::string source)
    : bytes_(std::move(bytes)), source_(std::move(source)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* buffer = zip_source_buffer_create(bytes_.data(), bytes_.size(), 0, &error);
  if (buffer != nullptr) archive_ = zip_open_from_source(buffer, ZIP_RDONLY, &error);
  const std::string reason = archive_ == nullptr ? zip_error_strerror(&error) : "";
  zip_error_fini(&error);
  if (archive_ == nullptr) {
    zip_source_free(buffer);
    throw make_error(ErrorKind::kData, source_, "the archive is damaged ({})", reason)
        .with(remedy::advice("copy the file again"));
  }
}

NpzArchive::~NpzArchive() { zip_discard(archive_); }

std::vector<std::string> NpzArchive::entries() const {
  std::vector<std::string> entries;
  const zip_int64_t count = zip_get_num_entries(archive_, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* entry = zip_get_name(archive_, static_cast<zip_uint64_t>(i), 0);
    entries.emplace_back(entry == nullptr ? "" : entry);
  }
  return entries;
}

bool NpzArchive::holds(const std::string& entry) const {
  return zip_name_locate(archive_, entry.c_str(), 0) >= 0;
}

std::optional<std::string> NpzArchive::text_entry() const {
  if (!arrays().empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const std::string& name : entries()) {
    // What macOS adds to an archive is no table.
    if (name.starts_with("__MACOSX/")) continue;
    if (name.ends_with(".csv") || name.ends_with(".txt") || name.ends_with(".tsv")) {
      texts.push_back(name);
    }
  }
  if (texts.size() > 1) {
    throw make_error(ErrorKind::kData, source_, "the archive holds {} tables: {} and {}",
                     texts.size(), texts[0], texts[1])
        .with(remedy::advice("unpack it, and give one of them"));
  }
  if (texts.empty()) return std::nullopt;
  return texts.front();
}

std::vector<std::string> NpzArchive::arrays() const {
  std::vector<std::string> arrays;
  for (const std::string& name : entries()) {
    if (name.ends_with(".npy")) arrays.push_back(name.substr(0, name.size() - 4));
  }
  return arrays;
}

std::string NpzArchive::choose(const std::optional<std::string>& name) const {
  std::vector<std::string> all = arrays();
  if (all.empty()) {
    throw_error(ErrorKind::kData, source_,
                "the archive holds no array (no file that ends with .npy)");
  }
  std::string wanted = name.value_or("data");
  if (std::find(all.begin(), all.end(), wanted) != all.end()) return wanted;
  if (!name && all.size() == 1) return all.front();
  if (all.size() > 20) all.resize(20);
  if (name) {
    throw_error(ErrorKind::kUsage, Place(source_).about("array"),
                "there is no array '{}'; there are: {}.{}", wanted, fmt::join(all, ", "),
                did_you_mean(wanted, all));
  }
  throw make_error(ErrorKind::kData, source_, "there are several arrays: {}", fmt::join(all, ", "))
      .with(remedy::example("array", all.front(), "names one"));
}

std::unique_ptr<ByteSource> NpzArchive::open(const std::string& array) const {
  return open_entry(array + ".npy");
}

std::unique_ptr<ByteSource> NpzArchive::open_entry(const std::string& entry) const {
  return std::make_unique<EntrySource>(archive_, entry, source_);
}

}  // namespace pulsecast
