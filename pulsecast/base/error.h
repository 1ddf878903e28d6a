// The one exception type of the library.
//
// A message says what failed, what was expected, what came, and what to do about it; `where` says
// the place (a file with row and column, or an operation). Programs turn the kind into an exit
// code or an HTTP status; the library itself never prints, exits or aborts. Asserts are for our
// own bugs, never for what a user or a file can cause.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

namespace pulsecast {

enum class ErrorKind {
  kUsage,        // a wrong call: settings, shapes, arguments
  kData,         // the rows are not what they must be
  kModelFile,    // a model file is damaged, hostile or of an unknown version
  kInputOutput,  // the operating system refused to read or write
  kTraining,     // training cannot go on, e.g. the loss is not finite
  kInterrupted,  // the user asked to stop
};

// "usage", "data", "model file", "input or output", "training", "interrupted".
const char* name(ErrorKind kind);

// The process exit code that stands for the kind: 2, 3, 4, 5, 6, 130.
int exit_code(ErrorKind kind);

class Error : public std::exception {
 public:
  Error(ErrorKind kind, std::string message, std::string where = {});

  ErrorKind kind() const { return kind_; }
  const std::string& message() const { return message_; }
  const std::string& where() const { return where_; }
  // "where: message", or the message alone.
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  ErrorKind kind_;
  std::string message_;
  std::string where_;
  std::string what_;
};

// throw_error(ErrorKind::kData, "file.csv:3", "expected {} cells, found {}", 4, 5);
template <typename... Args>
[[noreturn]] void throw_error(ErrorKind kind, std::string where, fmt::format_string<Args...> format,
                              Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...), std::move(where));
}

}  // namespace pulsecast
