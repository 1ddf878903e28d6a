#include "pulsecast/settings/declaration.h"

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast {

const BoundSetting& find_setting(std::span<const BoundSetting> settings, std::string_view name,
                                 const std::string& where) {
  std::vector<std::string> known;
  for (const BoundSetting& setting : settings) {
    if (setting.info->name == name) return setting;
    known.push_back(setting.info->name);
  }
  throw_error(ErrorKind::kUsage, where,
              "there is no setting '{}'.{} docs/settings.md lists them all", name,
              did_you_mean(name, known));
}

}  // namespace pulsecast
