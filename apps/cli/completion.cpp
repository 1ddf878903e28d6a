// pulsecast completion SHELL: what that shell needs to complete this command line.

#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/completions.h"
#include "apps/cli/verbs.h"

namespace pulsecast::cli {
namespace {

const std::map<std::string, std::string (*)(std::span<const Command>)> kShells = {
    {"bash", bash_completion}, {"fish", fish_completion}, {"zsh", zsh_completion}};

Action declare_completion(CLI::App& command) {
  auto shell = std::make_shared<std::string>();
  command.add_option("shell", *shell, "shell to complete in")
      ->required()
      ->type_name("SHELL")
      ->check(CLI::IsMember(kShells));
  return [shell, &command](const Console& console) {
    const std::string script = kShells.at(*shell)(command_tree(program_of(command)));
    if (console.json) {
      console.print_json({{"shell", *shell}, {"script", script}});
    } else {
      console.print(script);
    }
    return kDone;
  };
}

}  // namespace

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter;
    }
  }
  return out + "'";
}

std::string names_of(std::span<const Word> words) {
  std::string text;
  for (const Word& word : words) text += (text.empty() ? "" : " ") + word.name;
  return text;
}

const Verb kCompletion = {
    "completion", "print what bash, zsh or fish needs to complete verbs, flags and files",
    "  . <(pulsecast completion bash)                     # in this shell\n"
    "  pulsecast completion bash > ~/.local/share/bash-completion/completions/pulsecast\n"
    "  pulsecast completion zsh > \"${fpath[1]}/_pulsecast\"\n"
    "  pulsecast completion fish > ~/.config/fish/completions/pulsecast.fish\n",
    declare_completion};

}  // namespace pulsecast::cli
