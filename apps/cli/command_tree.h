// The command line as plain data: what the manual and the completions of shells are made from.
//
// Everything in it comes from the declarations: verbs and their flags from the commands that they
// declared, the words that a flag takes from the setting it stands for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pulsecast::cli {

// What comes after a flag, or as an argument.
enum class Takes { kNothing, kText, kFile, kFolder };

struct Word {
  std::string name;
  std::string meaning;  // may be empty
};

struct Parameter {
  std::vector<std::string> names;  // "--out", "-o"; an argument has none
  std::string value;               // what it takes as --help calls it: "FILE"
  Takes takes = Takes::kNothing;
  std::vector<Word> words;  // all that it takes, if there are only so many
  std::string meaning;
  std::string group;  // heading in --help
  bool is_required = false;
};

struct Command {
  std::vector<std::string> path;  // {"data", "make"}; empty for the program itself
  std::string summary;
  std::string footer;  // of --help: examples, or for the program what holds for all
  std::vector<Parameter> arguments;
  std::vector<Parameter> flags;
  std::vector<Word> commands;  // of the program and of groups
};

// "data make", with `between` in place of the space.
std::string joined_path(const Command& command, const std::string& between);

// The program first, then groups and verbs, each after what it stands under.
std::vector<Command> command_tree(const CLI::App& program);

// The program that `command` is a verb of.
const CLI::App& program_of(const CLI::App& command);

}  // namespace pulsecast::cli
