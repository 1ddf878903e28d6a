// Preloaded into the program: makes one of its calls of the operating system fail, or all from one
// on.
//
// Calls on files below TORTURE_ROOT are counted, and call number TORTURE_CALL fails in the way that
// TORTURE_FAULT names: "enospc", "eio", "eintr" or "short" (half of what was asked for is read or
// written). With TORTURE_LASTS set, later calls that change files fail too, as on a disk that stays
// full. Each failed call is a line in the file TORTURE_REPORT, and the number of calls the last
// one.
//
// Everything here goes to the system by syscall(), so that it never meets itself.

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum class Fault { kNone, kNoSpace, kIo, kInterrupted, kShort };

Fault fault_named(const char* name) {
  if (std::strcmp(name, "enospc") == 0) return Fault::kNoSpace;
  if (std::strcmp(name, "eio") == 0) return Fault::kIo;
  if (std::strcmp(name, "eintr") == 0) return Fault::kInterrupted;
  if (std::strcmp(name, "short") == 0) return Fault::kShort;
  return Fault::kNone;
}

struct Orders {
  const char* root = std::getenv("TORTURE_ROOT");
  const char* report = std::getenv("TORTURE_REPORT");
  Fault fault = Fault::kNone;
  long call = 0;  // from 1
  bool lasts = std::getenv("TORTURE_LASTS") != nullptr;

  Orders() {
    if (const char* name = std::getenv("TORTURE_FAULT")) fault = fault_named(name);
    if (const char* number = std::getenv("TORTURE_CALL")) call = std::atol(number);
  }
};

// Made at the first call, which may come before the constructors of this library.
const Orders& orders() {
  static const Orders all;
  return all;
}

std::atomic<long> calls{0};

void report(const char* call, const char* path) {
  if (orders().report == nullptr) return;
  char line[4400];
  const int size = std::snprintf(line, sizeof line, "%s %s\n", call, path);
  const long file = syscall(SYS_openat, AT_FDCWD, orders().report,
                            O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return;
  syscall(SYS_write, file, line, static_cast<std::size_t>(size));
  syscall(SYS_close, file);
}

struct AtExit {
  ~AtExit() {
    char count[32];
    std::snprintf(count, sizeof count, "%ld", calls.load());
    report("calls", count);
  }
};
const AtExit at_exit;

bool is_ours(const char* path) {
  const char* root = orders().root;
  return root != nullptr && std::strncmp(path, root, std::strlen(root)) == 0;
}

// What this call is to suffer. A call that fails for good has left errno.
Fault suffer(const char* call, const char* path, bool changes_files) {
  const Orders& told = orders();
  if (!is_ours(path)) return Fault::kNone;
  const long number = ++calls;
  const bool is_it = number == told.call;
  if (!is_it && !(told.lasts && told.call > 0 && number > told.call && changes_files)) {
    return Fault::kNone;
  }
  Fault fault = told.fault;
  const bool may_be_short = std::strcmp(call, "read") == 0 || std::strcmp(call, "write") == 0;
  if (fault == Fault::kShort && !may_be_short) return Fault::kNone;
  if (fault == Fault::kInterrupted && std::strcmp(call, "rename") == 0) return Fault::kNone;
  if (fault == Fault::kNoSpace && !changes_files) return Fault::kNone;
  report(call, path);
  errno = fault == Fault::kNoSpace ? ENOSPC : fault == Fault::kIo ? EIO : EINTR;
  return fault;
}

bool is_fatal(Fault fault) { return fault != Fault::kNone && fault != Fault::kShort; }

// The path behind a descriptor; empty where there is none.
struct PathOf {
  char text[4096] = "";
  explicit PathOf(int file) {
    const int kept = errno;
    char link[64];
    std::snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const long size = syscall(SYS_readlinkat, AT_FDCWD, link, text, sizeof text - 1);
    text[size > 0 ? size : 0] = '\0';
    errno = kept;
  }
};

int open_at(int folder, const char* path, int flags, mode_t mode) {
  if (is_fatal(suffer("open", path, (flags & O_CREAT) != 0))) return -1;
  return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
}

mode_t mode_of(int flags, va_list arguments) {
  return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(arguments, mode_t) : 0;
}

std::size_t half(std::size_t size) { return size > 1 ? size / 2 : size; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char* path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  const mode_t mode = mode_of(flags, arguments);
  va_end(arguments);
  return open_at(folder, path, flags, mode);
}

ssize_t read(int file, void* bytes, std::size_t size) {
  const Fault fault = suffer("read", PathOf(file).text, false);
  if (is_fatal(fault)) return -1;
  return syscall(SYS_read, file, bytes, fault == Fault::kShort ? half(size) : size);
}

ssize_t write(int file, const void* bytes, std::size_t size) {
  const Fault fault = suffer("write", PathOf(file).text, true);
  if (is_fatal(fault)) return -1;
  return syscall(SYS_write, file, bytes, fault == Fault::kShort ? half(size) : size);
}

int fsync(int file) {
  if (is_fatal(suffer("fsync", PathOf(file).text, true))) return -1;
  return static_cast<int>(syscall(SYS_fsync, file));
}

int ftruncate(int file, off_t size) noexcept {
  if (is_fatal(suffer("ftruncate", PathOf(file).text, true))) return -1;
  return static_cast<int>(syscall(SYS_ftruncate, file, size));
}

int rename(const char* from, const char* to) noexcept {
  if (is_fatal(suffer("rename", from, true))) return -1;
  return static_cast<int>(syscall(SYS_rename, from, to));
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (is_fatal(suffer("mkdir", path, true))) return -1;
  return static_cast<int>(syscall(SYS_mkdir, path, mode));
}

}  // extern "C"
