// The program: builds the command line from the verbs, runs one, and turns errors into exit codes.

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <map>
#include <new>
#include <string>
#include <vector>

#include "apps/cli/command_tree.h"
#include "apps/cli/help.h"
#include "apps/cli/interrupt.h"
#include "apps/cli/terminal/terminal.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/near_miss.h"

namespace pulsecast::cli {
namespace {

constexpr const char* kFooter =
    "Every verb takes --help (with examples), --json, --quiet and --threads. A FILE may be '-' "
    "for\n"
    "standard input, and may be compressed with gzip. 'pulsecast help settings' describes every\n"
    "setting.\n"
    "\n"
    "Exit codes: 0 done or clean, 1 findings or a partial result, 2 usage, 3 data, 4 model file,\n"
    "5 input or output, 6 training failed, 130 interrupted.\n";

// What a verb may not name, because every verb has it.
void add_shared_flags(CLI::App& command, Console& console) {
  command.add_flag("--json", console.json, "print the result as JSON");
  command.add_flag("--quiet,-q", console.quiet, "print no remarks on standard error");
  command
      .add_option("--threads", console.threads, "threads to use; 0 is one per CPU it may use [0]")
      ->take_last()
      ->type_name("N")
      ->check(CLI::Range(0, 1024));
}

// The command that verbs named "GROUP NAME" hang under, made at the first of them.
CLI::App& group_of(const std::string& name, CLI::App& program,
                   std::map<std::string, CLI::App*>& groups) {
  const std::size_t space = name.find(' ');
  if (space == std::string::npos) return program;
  CLI::App*& group = groups[name.substr(0, space)];
  if (group == nullptr) {
    group = program.add_subcommand(name.substr(0, space), "");
    group->require_subcommand(1);
  }
  return *group;
}

// A group is summed up by what is in it: "data  make, list or verify".
void describe_groups(const std::map<std::string, CLI::App*>& groups) {
  for (const auto& [name, group] : groups) {
    std::string members;
    for (const CLI::App* member : group->get_subcommands({})) {
      members += (members.empty() ? "" : ", ") + member->get_name();
    }
    group->description(fmt::format("{} ... : {}", name, members));
  }
}

// The innermost command that the arguments reached: whose --help answers a mistake.
const CLI::App* reached(const CLI::App& program) {
  const CLI::App* command = &program;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return command;
}

std::string full_name(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return parent == nullptr ? "pulsecast" : full_name(*parent) + " " + command.get_name();
}

std::string help_of(const CLI::App& command) {
  std::vector<std::string> path;
  for (const CLI::App* app = &command; app->get_parent() != nullptr; app = app->get_parent()) {
    path.insert(path.begin(), app->get_name());
  }
  const std::vector<Command> tree = command_tree(program_of(command));
  return help_text(*std::ranges::find(tree, path, &Command::path), terminal_width(stdout));
}

// A first word that is no verb is a mistyped one.
void refuse_unknown_verb(const CLI::App& program, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw Error(ErrorKind::kUsage, fmt::format("there is no verb '{}'.{} See 'pulsecast --help'.",
                                             word, did_you_mean(word, names)));
}

// "--horison 24" is a mistyped flag, and so is the word after it.
void refuse_unknown_flag(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : command.remaining()) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--")) continue;
    throw Error(ErrorKind::kUsage, fmt::format("there is no flag '{}'.{} See '{} --help'.", flag,
                                               did_you_mean(flag, names), full_name(command)));
  }
}

// "help settings" is the verb that describes them, "help VERB" is "VERB --help".
std::vector<std::string> words_of(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  if (words.empty() || words[0] != "help") return words;
  words.erase(words.begin());
  if (words.empty() || words[0] != "settings") words.emplace_back("--help");
  return words;
}

struct DeclaredVerb {
  const Verb* verb;
  const CLI::App* command;
  Action action;
};

int run(int argc, char** argv, Console& console) {
  std::vector<std::string> words = words_of(argc, argv);
  CLI::App program("Pulsecast: forecasts for many drifting series, on CPUs.", "pulsecast");
  program.set_version_flag("-v,--version", std::string("pulsecast ") + PULSECAST_VERSION);
  program.require_subcommand(1);
  program.footer(kFooter);

  std::map<std::string, CLI::App*> groups;
  std::vector<DeclaredVerb> declared;
  for (const Verb* verb : verbs()) {
    const std::string name = verb->name;
    CLI::App* command = group_of(name, program, groups)
                            .add_subcommand(name.substr(name.find(' ') + 1), verb->summary);
    command->footer(std::string("Examples:\n") + verb->examples);
    add_shared_flags(*command, console);
    declared.push_back({verb, command, verb->declare(*command)});
  }
  describe_groups(groups);

  if (!words.empty()) refuse_unknown_verb(program, words.front());
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // as CLI11 takes it
  } catch (const CLI::CallForHelp&) {
    console.print(help_of(*reached(program)));
    return kDone;
  } catch (const CLI::CallForVersion& version) {
    console.print(std::string(version.what()) + "\n");
    return kDone;
  } catch (const CLI::ParseError& error) {
    if (words.empty()) {
      console.remark(help_of(program));
      return exit_code(ErrorKind::kUsage);
    }
    refuse_unknown_flag(*reached(program));
    throw Error(ErrorKind::kUsage,
                fmt::format("{}. See '{} --help'.", error.what(), full_name(*reached(program))));
  }
  for (const DeclaredVerb& each : declared) {
    if (!each.command->parsed()) continue;
    console.words = &each.verb->words();
    return each.action(console);
  }
  return exit_code(ErrorKind::kUsage);
}

int guarded(int argc, char** argv, Console& console) {
  // Parsing may fail before it meets --json, and the answer must be JSON all the same.
  console.json = std::any_of(argv, argv + argc, [](const char* argument) {
    return std::string_view(argument) == "--json";
  });
  try {
    const int code = run(argc, argv, console);
    console.flush();
    return code;
  } catch (const Error& error) {
    console.fail(error);
    return exit_code(error.kind());
  } catch (const std::bad_alloc&) {
    console.fail(Error(ErrorKind::kInputOutput, "out of memory"));
    return exit_code(ErrorKind::kInputOutput);
  } catch (const std::exception& error) {
    // Such as a file system's: whatever it is, a script gets a message and an exit code.
    console.fail(Error(ErrorKind::kInputOutput, error.what()));
    return exit_code(ErrorKind::kInputOutput);
  }
}

}  // namespace
}  // namespace pulsecast::cli

int main(int argc, char** argv) {
  // A limit on file sizes is then an error of the write (EFBIG), with a message and no leftovers.
  std::signal(SIGXFSZ, SIG_IGN);
  pulsecast::cli::end_when_interrupted();
  pulsecast::cli::Console console(stdout, stderr);
  try {
    return pulsecast::cli::guarded(argc, argv, console);
  } catch (const pulsecast::Error& error) {
    // Standard output is what failed, so the message goes where it still can.
    std::fprintf(stderr, "pulsecast: %s\n", error.what());
    return pulsecast::exit_code(error.kind());
  }
}
