#include "apps/cli/help.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cli/terminal/wrap.h"

namespace pulsecast::cli {
namespace {

constexpr std::string_view kExamples = "Examples:\n";

// Where meanings begin: less room for names where there is little at all.
std::size_t column_for(std::size_t width) { return width >= 100 ? 34 : width >= 76 ? 28 : 12; }

std::string usage(const Command& command) {
  std::string line = "Usage: pulsecast";
  for (const std::string& word : command.path) line += " " + word;
  if (!command.commands.empty()) return line + " VERB ...";
  for (const Parameter& argument : command.arguments) {
    line += argument.is_required ? " " + argument.value : " [" + argument.value + "]";
  }
  return line + " [OPTION ...]";
}

std::string term_of(const Parameter& flag) {
  std::string term;
  // The short name first, as people look for it.
  for (auto name = flag.names.rbegin(); name != flag.names.rend(); ++name) {
    term += (term.empty() ? "" : ",") + *name;
  }
  return flag.value.empty() ? term : term + " " + flag.value;
}

// Lines as they are written where they fit; else each anew.
std::string footer_text(const std::string& footer, std::size_t width) {
  const bool is_examples = footer.starts_with(kExamples);
  std::string text = is_examples ? std::string(kExamples) : "";
  std::string_view rest = std::string_view(footer).substr(text.size());
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) text += wrapped(paragraph, width, 0);
    paragraph.clear();
  };
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (is_examples) {
      while (line.starts_with(' ')) line.remove_prefix(1);
      text += wrapped_command(line, width);
    } else if (line.empty()) {
      end_paragraph();
      text += "\n";
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + std::string(line);
    }
  }
  end_paragraph();
  return text;
}

}  // namespace

std::string help_text(const Command& command, std::size_t width) {
  const std::size_t column = column_for(width);
  std::string text = wrapped(command.summary, width, 0) + wrapped(usage(command), width, 4, 1);
  if (!command.arguments.empty()) text += "\nArguments:\n";
  for (const Parameter& argument : command.arguments) {
    text += wrapped_entry(argument.value, argument.meaning, width, column);
  }
  if (!command.commands.empty()) text += "\nVerbs:\n";
  for (const Word& member : command.commands) {
    text += wrapped_entry(member.name, member.meaning, width, std::min<std::size_t>(column, 14));
  }
  std::vector<std::string> groups;
  for (const Parameter& flag : command.flags) {
    if (std::ranges::find(groups, flag.group) == groups.end()) groups.push_back(flag.group);
  }
  for (const std::string& group : groups) {
    text += "\n" + wrapped(group + ":", width, 0);
    for (const Parameter& flag : command.flags) {
      if (flag.group == group) {
        text += wrapped_entry(term_of(flag), flag.meaning, width, column);
      }
    }
  }
  if (!command.footer.empty()) text += "\n" + footer_text(command.footer, width);
  return text;
}

}  // namespace pulsecast::cli
