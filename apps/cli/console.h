// Where a verb writes: results to standard output, remarks to standard error.
//
// With --json the one result is a JSON document, on standard output, also when the verb fails; with
// --quiet there are no remarks, but warnings there are. A result that cannot be written (a full
// disk, a closed pipe) is an error of its own: a script must not take half a report for a whole
// one.
#pragma once

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "pulsecast/base/error.h"
#include "pulsecast/base/words.h"

namespace pulsecast::cli {

const Words& command_line_words();

class Console {
 public:
  Console(std::FILE* out, std::FILE* err) : out_(out), err_(err) {}

  bool json = false;
  bool quiet = false;
  std::size_t threads = 0;  // 0: one per CPU that it may use
  const Words* words = &command_line_words();

  // A piece of the result. Throws Error(kInputOutput).
  void print(std::string_view text) const;
  // The whole result, as JSON; numbers that are not finite become null.
  void print_json(const nlohmann::ordered_json& document) const;
  // A remark for a person, unless --quiet.
  void remark(std::string_view text) const;
  // What a person should know of a result that is there, also with --quiet: the exit code is 1.
  void warn(std::string_view text) const;
  // What went wrong: {"error": ...} with --json, a line on standard error otherwise.
  void fail(const Error& error) const;
  // Whether a person reads the result as it is printed: tables then have no marks of Markdown.
  bool is_terminal() const;
  // Hands everything to the operating system. Throws Error(kInputOutput).
  void flush() const;

 private:
  std::FILE* out_;
  std::FILE* err_;
};

}  // namespace pulsecast::cli
