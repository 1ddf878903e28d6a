// The one exception type of the library.
//
// A message says what failed, what was expected and what came; the place says where (a file with
// line and column, a setting, an operation), and the remedies what to do about it, as data that
// every door of the library puts in its own words (words.h). Programs turn the kind into an exit
// code or an HTTP status; the library itself never prints, exits or aborts. Asserts are for our
// own bugs, never for what a user or a file can cause.
// The library itself makes them with throw_error.h.
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "pulsecast/base/place.h"
#include "pulsecast/base/remedy.h"

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
  Error(ErrorKind kind, std::string message, Place place = {});

  Error&& with(Remedy remedy) &&;
  Error&& with(std::vector<Remedy> remedies) &&;

  ErrorKind kind() const { return kind_; }
  // Without a full stop, unless there are several sentences.
  const std::string& message() const { return message_; }
  const Place& place() const { return place_; }
  // The place in plain words: "load.csv:7".
  const std::string& where() const { return where_; }
  const std::vector<Remedy>& remedies() const { return remedies_; }
  // "where: message. Remedies", in plain words.
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  void say();

  ErrorKind kind_;
  std::string message_;
  Place place_;
  std::vector<Remedy> remedies_;
  std::string where_;
  std::string what_;
};

}  // namespace pulsecast
