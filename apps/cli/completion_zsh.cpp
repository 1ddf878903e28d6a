#include <fmt/format.h>

#include "apps/cli/completions.h"

namespace pulsecast::cli {
namespace {

// Inside a specification of _arguments and of _describe, a colon ends a part and brackets a
// description.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == ':' || letter == '[' || letter == ']' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string zsh_value(const Parameter& parameter) {
  if (!parameter.words.empty()) return fmt::format("({})", names_of(parameter.words));
  if (parameter.takes == Takes::kFile) return "_files";
  return parameter.takes == Takes::kFolder ? "_files -/" : " ";
}

std::string flag_spec(const std::string& name, const Parameter& flag) {
  const std::string meaning = fmt::format("[{}]", escaped(flag.meaning));
  if (flag.takes == Takes::kNothing) return shell_quoted(name + meaning);
  // A long flag has its value behind "=" or in the next word, a short one in the next word.
  return shell_quoted(fmt::format("{}{}{}:{}:{}", name, name.starts_with("--") ? "=" : "", meaning,
                                  escaped(flag.value), zsh_value(flag)));
}

std::string function_name(const Command& command) {
  return command.path.empty() ? "_pulsecast" : "_pulsecast_" + joined_path(command, "_");
}

std::string flags_of(const Command& command) {
  std::string text;
  for (const Parameter& flag : command.flags) {
    for (const std::string& name : flag.names)
      text += fmt::format(" \\\n    {}", flag_spec(name, flag));
  }
  return text;
}

// A verb: its flags and arguments.
std::string verb_function(const Command& command) {
  std::string text =
      fmt::format("{}() {{\n  _arguments{}", function_name(command), flags_of(command));
  for (const Parameter& argument : command.arguments) {
    text += fmt::format(
        " \\\n    {}",
        shell_quoted(fmt::format("{}:{}:{}", &argument == &command.arguments.back() ? "*" : "",
                                 escaped(argument.value), zsh_value(argument))));
  }
  return text + "\n}\n\n";
}

// The program or a group: its flags, then one of its commands and what follows that.
std::string group_function(const Command& command) {
  std::string described, cases;
  for (const Word& member : command.commands) {
    described += fmt::format("        {}\n",
                             shell_quoted(escaped(member.name) + ":" + escaped(member.meaning)));
    cases += fmt::format("        {0}) {1}_{0} ;;\n", member.name, function_name(command));
  }
  return fmt::format(R"({}() {{
  local curcontext=$curcontext state line
  _arguments -C{} \
    '1: :->verb' '*:: :->rest'
  case $state in
    verb)
      local -a verbs=(
{}      )
      _describe verb verbs ;;
    rest)
      case $line[1] in
{}      esac ;;
  esac
}}

)",
                     function_name(command), flags_of(command), described, cases);
}

}  // namespace

std::string zsh_completion(std::span<const Command> tree) {
  std::string text =
      "#compdef pulsecast\n# Completes 'pulsecast' in zsh. Made by 'pulsecast completion zsh'.\n\n";
  for (const Command& command : tree) {
    text += command.commands.empty() ? verb_function(command) : group_function(command);
  }
  return text + "_pulsecast \"$@\"\n";
}

}  // namespace pulsecast::cli
