#include "pulsecast/benchmark/rerun_command.h"

#include <fmt/format.h>

#include "pulsecast/settings/shell_word.h"

#include "pulsecast/settings/catalogue.h"
#include "pulsecast/train/completion.h"

namespace pulsecast::benchmark {
namespace {

// What train::complete decides other settings by. It is told, and what follows from it is not.
Settings deciding(const Settings& settings) {
  Settings told;
  told.data.horizon = settings.data.horizon;
  told.model.model = settings.model.model;
  told.model.backbone = settings.model.backbone;
  told.training.recipe = settings.training.recipe;
  return told;
}

}  // namespace

std::string rerun_command(const Task& task) {
  Settings own = task.base.settings;
  Settings decisive = deciding(own);
  Settings following = train::complete(decisive);
  Settings nothing;
  const std::vector<BoundSetting> all = bind_all(own);
  const std::vector<BoundSetting> deciders = bind_all(decisive);
  const std::vector<BoundSetting> untold = bind_all(following);
  const std::vector<BoundSetting> defaults = bind_all(nothing);
  const std::string file = shell_word(task.file.string());
  const std::string model = file_stem(task.key) + ".model";
  std::string command = fmt::format("pulsecast train {} --out {}", file, model);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::vector<std::string> values = all[i].values();
    const bool decides = deciders[i].values() != defaults[i].values();
    if (values.empty() || (!decides && values == untold[i].values())) continue;
    const SettingInfo& info = *all[i].info;
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
