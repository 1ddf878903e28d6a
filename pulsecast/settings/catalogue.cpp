#include "pulsecast/settings/catalogue.h"

#include "pulsecast/settings/data_settings.h"
#include "pulsecast/settings/model_settings.h"
#include "pulsecast/settings/synthetic_settings.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast {

std::vector<const SettingInfo*> every_setting() {
  std::vector<const SettingInfo*> all;
  for (const auto& section : {data_settings().infos(), model_settings().infos(),
                              training_settings().infos(), synthetic_settings().infos()}) {
    all.insert(all.end(), section.begin(), section.end());
  }
  return all;
}

}  // namespace pulsecast
