#include "pulsecast/benchmark/contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/published.h"
#include "pulsecast/settings/recipes.h"
#include "pulsecast/train/completion.h"

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

// Tells the protocol of the data, and says which it is.
std::string tell_protocol(std::string_view name, std::int64_t horizon, Settings& told) {
  const Dataset* dataset = find_dataset(name);
  if (dataset == nullptr) {
    told.data.split = kOtherSplit;
    return "70 % of the rows for training, 10 % for validation, 20 % held out for test";
  }
  const bool has_recipe = std::ranges::any_of(recipes(), [&](const Recipe& each) {
    return each.horizon == horizon && is_same_name(each.dataset, dataset->name);
  });
  if (has_recipe) {
    told.training.recipe = dataset->name;
    return fmt::format("the paper's split of {} and its recipe at horizon {}", dataset->name,
                       horizon);
  }
  if (!dataset->start.empty()) {
    told.data.start = dataset->start;
    told.data.step = dataset->step;
  }
  told.data.split = dataset->name;
  told.data.grid = Grid::kRows;
  told.data.phase = PhaseSource::kRow;
  if (dataset->period > 0) told.data.period = dataset->period;
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
  Settings told;
  told.data.horizon = std::to_string(horizon);
  std::string protocol = tell_protocol(dataset, horizon, told);
  const Published& source = published_for(contender.backbone, dataset, horizon);
  const std::string_view backbone = choice_name(contender.backbone);
  if (contender.around == Around::kNothing) {
    told.model.model = alone(contender.backbone);
    protocol += fmt::format("; {} as in {}", backbone, source.source);
  } else {
    told.model.backbone = contender.backbone;
    // What the frame and PULSE add to a backbone is to be seen, and nothing else.
    if (contender.name != "pulse") told.model.companion = CompanionKind::kNone;
    told.model.anchor = told.model.router = contender.around == Around::kPulse;
    const bool has_sizes = source.width != 0;
    if (has_sizes) protocol += fmt::format("; sizes of {} as in {}", backbone, source.source);
  }
  // A study compares what it names: each run is one training, and no search for a better one.
  if (!told.training.budget) told.training.budget = "none";
  return {train::complete(told, dataset), std::move(protocol)};
}

}  // namespace pulsecast::benchmark
