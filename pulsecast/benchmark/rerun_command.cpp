#include "pulsecast/benchmark/rerun_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/settings/presets.h"

namespace pulsecast::benchmark {
namespace {

// As a shell takes it for one word.
std::string shell_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:+=";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

// What `pulsecast train` starts from with a model and a backbone.
Settings untold_settings(const Settings& settings) {
  Settings untold;
  const std::optional<BackboneKind> alone = backbone_alone(settings.model.model);
  if (alone) {
    apply_published(published_for(*alone), untold);
  } else {
    apply_inside(settings.model.backbone, untold);
  }
  untold.model.model = ModelKind::kPulse;  // it is always told
  return untold;
}

}  // namespace

std::string rerun_command(const Task& task) {
  Settings own = task.base.settings;
  Settings untold = untold_settings(own);
  const std::vector<BoundSetting> told = bind_all(own);
  const std::vector<BoundSetting> usual = bind_all(untold);
  const std::string file = shell_word(task.file.string());
  const std::string model = file_stem(task.key) + ".model";
  std::string command = fmt::format("pulsecast train {} --out {}", file, model);
  for (std::size_t i = 0; i < told.size(); ++i) {
    const std::vector<std::string> values = told[i].values();
    if (values == usual[i].values() || values.empty()) continue;
    const SettingInfo& info = *told[i].info;
    if (info.is_switch) {
      command += fmt::format(" --{}{}", values.front() == "true" ? "" : "no-", info.name);
    } else {
      std::string list;
      for (const std::string& value : values) list += (list.empty() ? "" : ",") + value;
      command += fmt::format(" --{} {}", info.name, shell_word(list));
    }
  }
  return command + fmt::format(" && pulsecast evaluate {} {}", model, file);
}

}  // namespace pulsecast::benchmark
