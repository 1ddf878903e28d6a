#include "apps/cli/command_tree.h"

#include <algorithm>

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/recipes.h"

namespace pulsecast::cli {
namespace {

// Files and folders go by the names that --help has for them.
Takes takes_of(const std::string& value) {
  if (value.empty()) return Takes::kNothing;
  if (value.starts_with("FILE") || value == "MODEL") return Takes::kFile;
  return value == "DIR" || value == "FOLDER" ? Takes::kFolder : Takes::kText;
}

std::vector<Word> recipe_words() {
  std::vector<Word> words;
  for (const Recipe& recipe : recipes()) {
    const std::string name(recipe.dataset);
    if (words.empty() || words.back().name != name) words.push_back({name, ""});
  }
  return words;
}

// "{bash,zsh}", as CLI::IsMember describes what it allows.
std::vector<Word> listed_words(std::string_view allowed) {
  std::vector<Word> words;
  if (!allowed.starts_with('{') || !allowed.ends_with('}')) return words;
  allowed = allowed.substr(1, allowed.size() - 2);
  while (!allowed.empty()) {
    const std::string_view word = allowed.substr(0, allowed.find(','));
    words.push_back({std::string(word), ""});
    allowed.remove_prefix(std::min(word.size() + 1, allowed.size()));
  }
  return words;
}

// A setting's flag stands under the setting's heading.
std::vector<Word> setting_words(const CLI::Option& option) {
  std::vector<Word> words;
  for (const SettingInfo* info : every_setting()) {
    if (info->group != option.get_group() || !option.check_lname(info->name)) continue;
    for (const SettingInfo::Option& choice : info->choices) {
      words.push_back({choice.name, choice.meaning});
    }
    break;
  }
  return words;
}

Parameter parameter_of(const CLI::Option& option) {
  Parameter parameter;
  for (const std::string& name : option.get_lnames()) parameter.names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) parameter.names.push_back("-" + name);
  if (option.get_items_expected_max() > 0) {
    // Behind a colon stands what a check allows.
    const std::string type = option.get_type_name();
    const std::size_t colon = std::min(type.find(':'), type.size());
    parameter.value = type.substr(0, colon);
    parameter.takes = takes_of(parameter.value);
    parameter.words = colon < type.size() ? listed_words(std::string_view(type).substr(colon + 1))
                      : parameter.value == "DATASET" ? recipe_words()
                                                     : setting_words(option);
  }
  parameter.meaning = option.get_description();
  parameter.group = option.get_group();
  parameter.is_required = option.get_required();
  return parameter;
}

void append(const CLI::App& app, std::vector<std::string> path, std::vector<Command>& to) {
  Command command;
  command.path = std::move(path);
  command.summary = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options()) {
    (option->get_positional() ? command.arguments : command.flags).push_back(parameter_of(*option));
  }
  const std::vector<const CLI::App*> below =
      app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* member : below) {
    command.commands.push_back({member->get_name(), member->get_description()});
  }
  const std::vector<std::string> here = command.path;
  to.push_back(std::move(command));
  for (const CLI::App* member : below) {
    std::vector<std::string> deeper = here;
    deeper.push_back(member->get_name());
    append(*member, std::move(deeper), to);
  }
}

}  // namespace

std::string joined_path(const Command& command, const std::string& between) {
  std::string text;
  for (const std::string& word : command.path) text += (text.empty() ? "" : between) + word;
  return text;
}

std::vector<Command> command_tree(const CLI::App& program) {
  std::vector<Command> tree;
  append(program, {}, tree);
  return tree;
}

const CLI::App& program_of(const CLI::App& command) {
  const CLI::App* app = &command;
  while (app->get_parent() != nullptr) app = app->get_parent();
  return *app;
}

}  // namespace pulsecast::cli
