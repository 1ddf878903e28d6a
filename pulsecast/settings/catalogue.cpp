#include "pulsecast/settings/catalogue.h"

#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/synthetic_declaration.h"
#include "pulsecast/settings/training_declaration.h"

namespace pulsecast {

std::vector<const SettingInfo*> every_setting() {
  std::vector<const SettingInfo*> all;
  for (const auto& section : {data_settings().infos(), model_settings().infos(),
                              training_settings().infos(), synthetic_settings().infos()}) {
    all.insert(all.end(), section.begin(), section.end());
  }
  return all;
}

std::vector<BoundSetting> bind_all(Settings& settings) {
  std::vector<BoundSetting> all = data_settings().bind(settings.data);
  for (const auto& section :
       {model_settings().bind(settings.model), training_settings().bind(settings.training)}) {
    all.insert(all.end(), section.begin(), section.end());
  }
  return all;
}

}  // namespace pulsecast
