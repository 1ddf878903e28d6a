// A verb of the command line: `pulsecast check FILE`.
//
// Each verb is one file with the same parts in the same order: its arguments, what it does with
// them, how the result reads (text and JSON), and the Verb that declares it all. To add one, write
// the file, declare its Verb in verbs.h and list it in verbs.cpp.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

#include "apps/cli/console.h"

namespace pulsecast::cli {

// Exit codes of a verb that ran; errors have their own (exit_code(ErrorKind)).
inline constexpr int kDone = 0;
inline constexpr int kFindings = 1;  // findings, or a result that is partial

// Does the work with the arguments that were parsed, and returns an exit code.
using Action = std::function<int(const Console&)>;

struct Verb {
  const char* name;      // "check", or "data make" for a verb inside a group
  const char* summary;   // a line for the list of verbs
  const char* examples;  // lines of commands, shown by --help
  // Adds flags and arguments to `command`; the action owns what they are parsed into. --json,
  // --quiet and --help are there already.
  Action (*declare)(CLI::App& command);
  // In which its errors are shown.
  const Words& (*words)() = command_line_words;
};

}  // namespace pulsecast::cli
