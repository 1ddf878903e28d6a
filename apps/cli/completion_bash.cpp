#include <fmt/format.h>

#include "apps/cli/completions.h"

namespace pulsecast::cli {
namespace {

// `verb` is the path of what is being completed, `flag` the one that awaits a value. Words are
// offered behind a comma too, since flags that take several take them so.
constexpr const char* kHead =
    R"(# Completes 'pulsecast' in bash. Made by 'pulsecast completion bash'.

_pulsecast_words() {
  local head=
  [[ $current == *,* ]] && head=${current%,*},
  mapfile -t COMPREPLY < <(compgen -P "$head" -W "$1" -- "${current##*,}")
}

_pulsecast_files() {
  compopt -o filenames 2> /dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
}

_pulsecast() {
  local current=${COMP_WORDS[COMP_CWORD]} flag=${COMP_WORDS[COMP_CWORD - 1]} verb= i
  COMPREPLY=()
  # "--fill=linear" comes as three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $flag == = ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == -* ]] && continue
    if [[ -z $verb ]]; then
      verb=${COMP_WORDS[i]}
    else
      case "$verb" in
)";

std::string bash_value(const Parameter& parameter) {
  if (!parameter.words.empty()) {
    return fmt::format("_pulsecast_words {}", shell_quoted(names_of(parameter.words)));
  }
  if (parameter.takes == Takes::kFile) return "_pulsecast_files -f";
  if (parameter.takes == Takes::kFolder) return "_pulsecast_files -d";
  return ":";
}

// "      'train --fill' | 'train -f') ... ; return ;;"
std::string value_case(const Command& command, const Parameter& flag) {
  std::string patterns;
  for (const std::string& name : flag.names) {
    patterns +=
        (patterns.empty() ? "" : " | ") + shell_quoted(joined_path(command, " ") + " " + name);
  }
  return fmt::format("    {}) {}; return ;;\n", patterns, bash_value(flag));
}

std::string command_case(const Command& command) {
  std::string flags;
  for (const Parameter& flag : command.flags) {
    for (const std::string& name : flag.names) flags += (flags.empty() ? "" : " ") + name;
  }
  std::string otherwise = "COMPREPLY=()";
  if (!command.commands.empty()) {
    const std::string help = command.path.empty() ? " help" : "";
    otherwise = fmt::format("_pulsecast_words {}", shell_quoted(names_of(command.commands) + help));
  } else if (!command.arguments.empty()) {
    otherwise = bash_value(command.arguments.back());
  }
  return fmt::format(
      "    {})\n      if [[ $current == -* ]]; then _pulsecast_words {}; else {}; fi ;;\n",
      shell_quoted(joined_path(command, " ")), shell_quoted(flags), otherwise);
}

}  // namespace

std::string bash_completion(std::span<const Command> tree) {
  std::string groups, values, commands;
  for (const Command& command : tree) {
    if (!command.path.empty() && !command.commands.empty()) {
      groups += fmt::format("        {}) verb+=\" ${{COMP_WORDS[i]}}\" ;;\n",
                            shell_quoted(joined_path(command, " ")));
    }
    for (const Parameter& flag : command.flags) {
      if (flag.takes != Takes::kNothing) values += value_case(command, flag);
    }
    commands += command_case(command);
  }
  return kHead + groups + R"(      esac
    fi
  done
  case "$verb $flag" in
)" + values +
         fmt::format(R"(  esac
  case "$verb" in
{}    help) _pulsecast_words {} ;;
  esac
}}

complete -F _pulsecast pulsecast
)",
                     commands, shell_quoted(names_of(tree.front().commands) + " settings"));
}

}  // namespace pulsecast::cli
