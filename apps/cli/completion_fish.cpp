#include <fmt/format.h>

#include "apps/cli/completions.h"

namespace pulsecast::cli {
namespace {

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'' || letter == '\\') out += '\\';
    out += letter;
  }
  return out + "'";
}

// Holds while the words before are the command's: for a verb all of its path was seen, for the
// program and for groups none of the commands under them yet.
std::string condition(const Command& command) {
  if (command.path.empty()) return "__fish_use_subcommand";
  std::string text;
  for (const std::string& word : command.path) {
    text += fmt::format("{}__fish_seen_subcommand_from {}", text.empty() ? "" : "; and ", word);
  }
  if (!command.commands.empty()) {
    text += fmt::format("; and not __fish_seen_subcommand_from {}", names_of(command.commands));
  }
  return text;
}

std::string fish_value(const Parameter& parameter) {
  if (!parameter.words.empty()) {
    return fmt::format(" -x -a {}", fish_quoted(names_of(parameter.words)));
  }
  if (parameter.takes == Takes::kFile) return " -r -F";
  if (parameter.takes == Takes::kFolder) return " -x -a '(__fish_complete_directories)'";
  return " -x";
}

std::string flag_line(const std::string& start, const Parameter& flag) {
  std::string names;
  for (const std::string& name : flag.names) {
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  return fmt::format("{}{}{} -d {}\n", start, names,
                     flag.takes == Takes::kNothing ? "" : fish_value(flag),
                     fish_quoted(flag.meaning));
}

}  // namespace

std::string fish_completion(std::span<const Command> tree) {
  std::string text =
      "# Completes 'pulsecast' in fish. Made by 'pulsecast completion fish'.\n\n"
      "complete -c pulsecast -f\n";
  for (const Command& command : tree) {
    const std::string start =
        fmt::format("complete -c pulsecast -n {}", fish_quoted(condition(command)));
    text += "\n";
    for (const Word& member : command.commands) {
      text += fmt::format("{} -a {} -d {}\n", start, member.name, fish_quoted(member.meaning));
    }
    for (const Parameter& argument : command.arguments) {
      if (argument.takes == Takes::kFile) text += start + " -F\n";
      if (argument.takes == Takes::kFolder) text += start + " -a '(__fish_complete_directories)'\n";
      if (!argument.words.empty()) {
        text += fmt::format("{} -a {}\n", start, fish_quoted(names_of(argument.words)));
      }
    }
    for (const Parameter& flag : command.flags) text += flag_line(start, flag);
  }
  return text;
}

}  // namespace pulsecast::cli
