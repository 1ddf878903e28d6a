#include "pulsecast/benchmark/contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pulsecast/base/error.h"
#include "pulsecast/base/near_miss.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/presets.h"

namespace pulsecast::benchmark {
namespace {

using Around = Contender::Around;

constexpr std::string_view kFramePrefix = "frame:";
constexpr std::string_view kPulsePrefix = "pulse:";
constexpr const char* kOtherSplit = "0.7,0.1,0.2";

bool is_same_name(std::string_view a, std::string_view b) { return edit_distance(a, b) == 0; }

[[noreturn]] void refuse_contender(std::string_view name, const std::string& where) {
  std::vector<std::string> known = {"pulse"};
  std::string backbones;
  for (const auto& backbone : kChoices<BackboneKind>) {
    for (const std::string_view prefix : {std::string_view(), kPulsePrefix, kFramePrefix}) {
      known.push_back(fmt::format("{}{}", prefix, backbone.name));
    }
    backbones += fmt::format("{}{}", backbones.empty() ? "" : ", ", backbone.name);
  }
  throw_error(ErrorKind::kUsage, where,
              "there is no model '{}'.{} Write pulse, NAME (as published), pulse:NAME (inside "
              "PULSE) or frame:NAME (without anchor and router), where NAME is one of {}",
              name, did_you_mean(name, known), backbones);
}

// The row for this dataset and horizon, else the one for any other data.
const Published& nearest_published(BackboneKind backbone, std::string_view dataset,
                                   std::int64_t horizon) {
  const auto found = std::ranges::find_if(published(), [&](const Published& row) {
    return row.backbone == backbone && !row.dataset.empty() && is_same_name(row.dataset, dataset) &&
           (row.horizon == 0 || row.horizon == horizon);
  });
  return found == published().end() ? published_for(backbone) : *found;
}

// Sets the protocol of the data and says which it is.
std::string apply_protocol(std::string_view name, std::int64_t horizon, Settings& settings) {
  const Dataset* dataset = find_dataset(name);
  if (dataset == nullptr) {
    settings.data.split = kOtherSplit;
    return "70 % of the rows for training, 10 % for validation, 20 % held out for test";
  }
  if (!dataset->start.empty()) {
    settings.data.start = dataset->start;
    settings.data.step = dataset->step;
  }
  const auto recipe = std::ranges::find_if(recipes(), [&](const Recipe& each) {
    return each.horizon == horizon && is_same_name(each.dataset, dataset->name);
  });
  if (recipe != recipes().end()) {
    apply_recipe(*recipe, settings);
    return fmt::format("the paper's split of {} and its recipe at horizon {}", dataset->name,
                       horizon);
  }
  settings.data.split = dataset->name;
  settings.data.grid = Grid::kRows;
  settings.data.phase = PhaseSource::kRow;
  if (dataset->period > 0) settings.data.period = dataset->period;
  return fmt::format("the paper's split of {}; it has no recipe at horizon {}", dataset->name,
                     horizon);
}

}  // namespace

Contender parse_contender(std::string_view name, const std::string& where) {
  Contender contender{.name = std::string(name)};
  if (name == "pulse") return contender;
  std::string_view backbone = name;
  if (name.starts_with(kPulsePrefix)) {
    backbone.remove_prefix(kPulsePrefix.size());
  } else if (name.starts_with(kFramePrefix)) {
    backbone.remove_prefix(kFramePrefix.size());
    contender.around = Around::kFrame;
  } else {
    contender.around = Around::kNothing;
  }
  const std::optional<BackboneKind> kind = choice_of<BackboneKind>(backbone);
  if (!kind) refuse_contender(name, where);
  contender.backbone = *kind;
  return contender;
}

BaseSettings base_settings(const Contender& contender, std::string_view dataset,
                           std::int64_t horizon) {
  BaseSettings base;
  base.protocol = apply_protocol(dataset, horizon, base.settings);
  const Published& source = nearest_published(contender.backbone, dataset, horizon);
  const std::string_view backbone = choice_name(contender.backbone);
  if (contender.around == Around::kNothing) {
    apply_published(source, base.settings);
    base.protocol += fmt::format("; {} as in {}", backbone, source.source);
  } else {
    const bool has_sizes = source.width != 0;
    if (has_sizes) {
      apply_published_sizes(source, base.settings);
      base.protocol += fmt::format("; sizes of {} as in {}", backbone, source.source);
    }
    apply_inside(contender.backbone, base.settings);
    base.settings.model.backbone = contender.backbone;
    base.settings.model.anchor = base.settings.model.router = contender.around == Around::kPulse;
  }
  base.settings.data.horizon = std::to_string(horizon);
  return base;
}

}  // namespace pulsecast::benchmark
