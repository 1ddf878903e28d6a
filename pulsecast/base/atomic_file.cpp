#include "pulsecast/base/atomic_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <tuple>
#include <utility>

#include "pulsecast/base/system_call.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// Links of /proc lead to open files, which need not have a name any more.
bool is_in_proc(const fs::path& path) {
  struct statfs status {};
  return ::statfs(folder_of(path).c_str(), &status) == 0 && status.f_type == PROC_SUPER_MAGIC;
}

struct End {
  fs::path path;               // that a chain of symbolic links leads to; it need not exist
  bool is_replaceable = true;  // a regular file, or nothing yet
};

End end_of(const fs::path& target) {
  constexpr int kMostLinks = 40;  // as the system follows
  End end{target};
  for (int links = 0;; ++links) {
    std::error_code no_link;
    const fs::path next = fs::read_symlink(end.path, no_link);
    if (no_link) break;
    if (is_in_proc(end.path)) return {target, false};
    if (links == kMostLinks) {
      throw_error(ErrorKind::kInputOutput, target.string(),
                  "could not create the file: {}. It is a symbolic link that leads in a circle",
                  std::strerror(ELOOP));
    }
    end.path = end.path.parent_path() / next;
  }
  std::error_code unknown;
  const fs::file_status status = fs::status(end.path, unknown);
  if (fs::is_directory(status)) {
    throw_error(ErrorKind::kInputOutput, target.string(), "it is a folder; name a file");
  }
  end.is_replaceable = !fs::exists(status) || fs::is_regular_file(status);
  return end;
}

// The mode and owner of what is replaced. Only root may give a file away: another's file that we
// may replace becomes ours, as with any program that replaces files.
void take_over(const struct stat& old, int file) {
  constexpr auto kAsItIs = static_cast<uid_t>(-1);
  std::ignore =
      ::fchown(file, old.st_uid, old.st_gid) == 0 || ::fchown(file, kAsItIs, old.st_gid) == 0;
  if (::fchmod(file, old.st_mode & 0777) != 0) {
    throw std::system_error(errno, std::generic_category(), "keep the mode of");
  }
}

void sync_folder(const fs::path& folder) {
  const int file =
      retried([&] { return ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); });
  if (file < 0) return;
  // Some file systems cannot sync a folder (EINVAL); the rename itself has happened either way.
  retried([&] { return ::fsync(file); });
  ::close(file);
}

}  // namespace

AtomicFile::AtomicFile(fs::path target) : target_(std::move(target)) {
  const End end = end_of(target_);
  if (end.is_replaceable) {
    make_temporary(end.path);
  } else if (::access(target_.c_str(), W_OK) != 0) {
    fail("write", errno);
  }
}

AtomicFile::~AtomicFile() {
  if (device_ >= 0) ::close(device_);
}

// Until it has its mode, nobody else may open what is to be private.
void AtomicFile::make_temporary(const fs::path& end) {
  try {
    struct stat old {};
    const bool is_new = ::stat(end.c_str(), &old) != 0;
    temporary_.emplace(end, is_new ? 0666 : 0600);
    if (!is_new) take_over(old, temporary_->descriptor());
    folder_ = folder_of(end);
  } catch (const std::system_error& error) {
    fail("create", error.code().value());
  }
}

// A pipe waits here for its reader. A regular file behind /dev/stdout is added to, as by a program
// that writes to its standard output.
int AtomicFile::descriptor() {
  if (temporary_) return temporary_->descriptor();
  if (device_ < 0) {
    const int append = fs::is_regular_file(target_) ? O_APPEND : 0;
    device_ =
        retried([&] { return ::open(target_.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC | append); });
    if (device_ < 0) fail("open", errno);
  }
  return device_;
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  const int file = descriptor();
  while (!bytes.empty()) {
    const ssize_t written = retried([&] { return ::write(file, bytes.data(), bytes.size()); });
    if (written < 0) fail("write", errno);
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void AtomicFile::write(std::string_view text) { write(std::as_bytes(std::span(text))); }

void AtomicFile::commit() {
  // Devices and pipes have nothing to sync (EINVAL).
  const int synced = retried([file = descriptor()] { return ::fsync(file); });
  if (!temporary_) {
    if (::close(std::exchange(device_, -1)) != 0 && errno != EINTR) fail("close", errno);
    return;
  }
  if (synced != 0) fail("sync", errno);
  try {
    temporary_->take_the_name();
  } catch (const std::system_error& error) {
    fail("replace", error.code().value());
  }
  sync_folder(folder_);
  temporary_.reset();
}

void AtomicFile::fail(const char* action, int error_number) const {
  throw_error(ErrorKind::kInputOutput, target_.string(), "could not {} the file: {}.{}", action,
              std::strerror(error_number),
              temporary_ || device_ < 0 ? " What was there before is unchanged." : "");
}

bool is_replaceable(const fs::path& path) { return end_of(path).is_replaceable; }

void write_file(const fs::path& target, std::span<const std::byte> bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

void write_file(const fs::path& target, std::string_view text) {
  write_file(target, std::as_bytes(std::span(text)));
}

}  // namespace pulsecast
