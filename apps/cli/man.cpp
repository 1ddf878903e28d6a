// pulsecast man [VERB...]: the manual, a page a verb, in the language that man(1) reads.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/command_tree.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::cli {
namespace {

struct ManArguments {
  std::vector<std::string> verb;
  std::string folder;
};

// Text as roff has it: a backslash, and a dot or a quote at the start of a line, are commands.
std::string plain(const std::string& text) {
  std::string out;
  bool at_start = true;
  for (const char letter : text) {
    if (at_start && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";  // a minus that can be copied into a shell, not a hyphen
    } else {
      out += letter;
    }
    at_start = letter == '\n';
  }
  return out;
}

std::string page_name(const Command& command) {
  return command.path.empty() ? "pulsecast" : "pulsecast-" + joined_path(command, "-");
}

std::string command_line(const Command& command) {
  return command.path.empty() ? "pulsecast" : "pulsecast " + joined_path(command, " ");
}

std::string synopsis(const Command& command) {
  std::string line = fmt::format(".B {}\n", plain(command_line(command)));
  if (!command.commands.empty()) line += "\\fIVERB\\fR [\\fIARGUMENT\\fR ...]\n";
  for (const Parameter& argument : command.arguments) {
    const std::string value = fmt::format("\\fI{}\\fR", plain(argument.value));
    line += argument.is_required ? value + "\n" : "[" + value + "]\n";
  }
  return command.commands.empty() ? line + "[\\fIOPTION\\fR ...]\n" : line;
}

std::string entry(const Parameter& parameter) {
  std::string names;
  for (const std::string& name : parameter.names) {
    names += (names.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
  }
  if (!parameter.value.empty()) {
    names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", plain(parameter.value));
  }
  std::string text = fmt::format(".TP\n{}\n{}\n", names, plain(parameter.meaning));
  for (const Word& word : parameter.words) {
    if (word.meaning.empty()) continue;
    text += fmt::format(".br\n\\fB{}\\fR: {}\n", plain(word.name), plain(word.meaning));
  }
  return text;
}

// Flags under their headings, in the order of --help.
std::string options(const Command& command) {
  std::vector<std::string> groups;
  for (const Parameter& flag : command.flags) {
    if (std::find(groups.begin(), groups.end(), flag.group) == groups.end()) {
      groups.push_back(flag.group);
    }
  }
  std::string text = ".SH OPTIONS\n";
  for (const std::string& group : groups) {
    if (groups.size() > 1) text += fmt::format(".SS \"{}\"\n", plain(group));
    for (const Parameter& flag : command.flags) {
      if (flag.group == group) text += entry(flag);
    }
  }
  return text;
}

std::string verbatim(const std::string& text) { return ".nf\n" + plain(text) + ".fi\n"; }

std::string page(const Command& command) {
  std::string title = page_name(command);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::string text = fmt::format(".TH {} 1 \"\" \"pulsecast {}\" \"Pulsecast\"\n", plain(title),
                                 PULSECAST_VERSION);
  text += fmt::format(".SH NAME\n{} \\- {}\n", plain(page_name(command)), plain(command.summary));
  text += ".SH SYNOPSIS\n" + synopsis(command);
  if (!command.arguments.empty()) {
    text += ".SH ARGUMENTS\n";
    for (const Parameter& argument : command.arguments) text += entry(argument);
  }
  if (!command.commands.empty()) {
    text += ".SH VERBS\n";
    for (const Word& member : command.commands) {
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", plain(member.name), plain(member.meaning));
    }
  }
  text += options(command);
  constexpr std::string_view kExamples = "Examples:\n";
  if (command.footer.starts_with(kExamples)) {
    text += ".SH EXAMPLES\n" + verbatim(command.footer.substr(kExamples.size()));
  } else if (!command.footer.empty()) {
    text += ".SH NOTES\n" + verbatim(command.footer);
  }
  if (!command.path.empty()) text += ".SH SEE ALSO\n.BR pulsecast (1)\n";
  return text;
}

const Command& find_command(const std::vector<Command>& tree,
                            const std::vector<std::string>& path) {
  const auto found = std::find_if(tree.begin(), tree.end(),
                                  [&](const Command& command) { return command.path == path; });
  if (found != tree.end()) return *found;
  throw_error(ErrorKind::kUsage, "man", "there is no verb '{}'; 'pulsecast --help' lists them",
              fmt::join(path, " "));
}

int write_manual(const std::vector<Command>& tree, const std::string& folder,
                 const Console& console) {
  make_folder(folder);
  nlohmann::json files = nlohmann::json::array();
  for (const Command& command : tree) {
    const std::string file = (std::filesystem::path(folder) / (page_name(command) + ".1")).string();
    write_file(file, page(command));
    files.push_back(file);
  }
  if (console.json) {
    console.print_json({{"files", files}});
  } else {
    console.remark(fmt::format("{} pages are in {}\n", tree.size(), folder));
  }
  return kDone;
}

int print_page(const std::vector<Command>& tree, const std::vector<std::string>& verb,
               const Console& console) {
  const Command& command = find_command(tree, verb);
  if (console.json) {
    console.print_json({{"name", page_name(command)}, {"section", 1}, {"page", page(command)}});
  } else {
    console.print(page(command));
  }
  return kDone;
}

Action declare_man(CLI::App& command) {
  auto arguments = std::make_shared<ManArguments>();
  command.add_option("verb", arguments->verb, "verb to print the page of; none is the program's")
      ->type_name("VERB");
  command.add_option("--folder", arguments->folder, "write every page into this folder instead")
      ->type_name("FOLDER");
  return [arguments, &command](const Console& console) {
    const std::vector<Command> tree = command_tree(program_of(command));
    return arguments->folder.empty() ? print_page(tree, arguments->verb, console)
                                     : write_manual(tree, arguments->folder, console);
  };
}

}  // namespace

const Verb kMan = {"man", "print the manual page of a verb",
                   "  pulsecast man train | man -l -\n"
                   "  pulsecast man --folder ~/.local/share/man/man1\n",
                   declare_man};

}  // namespace pulsecast::cli
