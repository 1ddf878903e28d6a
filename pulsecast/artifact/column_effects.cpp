#include "pulsecast/artifact/column_effects.h"

namespace pulsecast::artifact {

std::vector<ColumnEffect> effects_of(const Model& model) {
  const Effects& effects = *model.effects;
  const std::vector<EffectDesign::Column>& columns = effects.design().columns();
  std::vector<std::string> targets;
  std::vector<std::string> known;
  for (const ChannelInfo& channel : model.channels) {
    if (channel.role == Role::kTarget) targets.push_back(channel.name);
    if (channel.role == Role::kKnown) known.push_back(channel.name);
  }
  // Each series of a long file has columns of its own, which have these names in the file.
  if (model.settings.data.known.size() == columns.size()) known = model.settings.data.known;
  const bool is_shared = effects.sets() == 1 && targets.size() > 1;
  std::vector<ColumnEffect> all;
  for (std::size_t set = 0; set < effects.sets(); ++set) {
    if (!effects.has(set)) continue;
    const double unit = is_shared ? 1.0 : model.scaler.scales()[set];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      const Effects::Change change = effects.change(set, k);
      all.push_back({known[k],
                     is_shared ? "a series' deviation" : targets[set],
                     columns[k],
                     {change.mean * unit, change.least * unit, change.largest * unit}});
    }
  }
  return all;
}

}  // namespace pulsecast::artifact
