// pulsecast inspect MODEL: what is in a model file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/error_text.h"
#include "apps/cli/verbs.h"
#include "pulsecast/artifact/metadata.h"
#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct InspectArguments {
  std::string model;
  bool weights = false;
  bool settings = false;
  bool verify = false;
};

std::string range_text(const artifact::StampRange& range, const Zone& zone) {
  if (range.rows == 0) return "none";
  return fmt::format("{} to {}, {}", to_text(range.first, zone), to_text(range.last, zone),
                     counted(range.rows, "row"));
}

const char* groups_word(EffectGroups groups) {
  switch (groups) {
    case EffectGroups::kHour:
      return "hours of working days and weekends";
    case EffectGroups::kWeekday:
      return "days of the week";
    case EffectGroups::kMonth:
      return "months";
    case EffectGroups::kNone:
      break;
  }
  return "rows";
}

std::string channels_text(const artifact::Model& model, Role role) {
  constexpr std::size_t kMost = 12;
  std::vector<std::string> names;
  for (const artifact::ChannelInfo& channel : model.channels) {
    if (channel.role == role) names.push_back(channel.name);
  }
  if (names.size() <= kMost) return joined(names);
  return fmt::format("{}, and {} more", joined(std::span(names).first(kMost)),
                     names.size() - kMost);
}

// What a known column does to a target when it goes from its low to its high value, in the target's
// own units; of a panel, whose series share their effects, in deviations of a series.
struct ColumnEffect {
  std::string column;
  std::string target;
  EffectDesign::Column range;
  Effects::Change change;
};

std::vector<ColumnEffect> effects_of(const artifact::Model& model) {
  const Effects& effects = *model.effects;
  const std::vector<EffectDesign::Column>& columns = effects.design().columns();
  std::vector<std::string> targets;
  std::vector<std::string> known;
  for (const artifact::ChannelInfo& channel : model.channels) {
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

std::string effects_text(const artifact::Model& model) {
  constexpr std::size_t kMost = 12;
  constexpr double kAlike = 1e-3;
  const std::vector<ColumnEffect> effects = effects_of(model);
  std::string text;
  for (const ColumnEffect& each : std::span(effects).first(std::min(kMost, effects.size()))) {
    const Effects::Change& change = each.change;
    text += fmt::format("  effect     {} from {:.4g} to {:.4g}: {:+.4g} of {}", each.column,
                        each.range.low, each.range.high, change.mean, each.target);
    if (change.largest - change.least > kAlike * std::abs(change.mean)) {
      text += fmt::format(", from {:+.4g} to {:+.4g} over the {}", change.least, change.largest,
                          groups_word(model.effects->design().groups()));
    }
    text += '\n';
  }
  if (effects.size() > kMost) {
    text += fmt::format("  effect     and {} more\n", effects.size() - kMost);
  }
  return text;
}

Json effects_json(const artifact::Model& model) {
  Json list = Json::array();
  for (const ColumnEffect& each : effects_of(model)) {
    list.push_back({{"column", each.column},
                    {"of", each.target},
                    {"from", each.range.low},
                    {"to", each.range.high},
                    {"change", each.change.mean},
                    {"least", each.change.least},
                    {"largest", each.change.largest}});
  }
  return list;
}

// The groups of each static column, and between what their shapes of the period lie, in scales of a
// series and beside what all share.
std::string statics_text(const StaticProfiles& profiles) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t k = 0; k < profiles.columns().size(); ++k) {
    const StaticGroups& groups = profiles.columns()[k];
    text += fmt::format("  static     {}: {}\n", groups.column, counted(groups.size(), "group"));
    for (std::size_t g = 0; g < std::min(kMost, groups.size()); ++g) {
      const auto [least, largest] = std::ranges::minmax(profiles.of_group(k, g));
      text += fmt::format("    {}: from {:+.4g} to {:+.4g} of a series' scale over the period\n",
                          groups.label(g), least, largest);
    }
    if (groups.size() > kMost) text += fmt::format("    and {} more\n", groups.size() - kMost);
  }
  return text;
}

Json statics_json(const StaticProfiles& profiles) {
  Json list = Json::array();
  for (std::size_t k = 0; k < profiles.columns().size(); ++k) {
    const StaticGroups& groups = profiles.columns()[k];
    Json of_groups = Json::array();
    for (std::size_t g = 0; g < groups.size(); ++g) {
      of_groups.push_back({{"group", groups.label(g)}, {"profile", profiles.of_group(k, g)}});
    }
    list.push_back({{"column", groups.column}, {"groups", std::move(of_groups)}});
  }
  return list;
}

std::string describe(const artifact::Model& model, const InspectArguments& arguments) {
  const model::ModelShape& shape = model.shape();
  const artifact::Origin& origin = model.origin;
  std::vector<std::string> features;
  for (const CalendarFeature feature : model.calendar.features)
    features.emplace_back(name(feature));
  std::string text = fmt::format(
      "{}\n"
      "  model      {}, {} weights, {} of history to {} ahead\n"
      "  targets    {}\n",
      arguments.model, model.ensemble.title(), model.ensemble.learned_count(),
      counted(shape.lookback, "step"), shape.horizon, channels_text(model, Role::kTarget));
  if (const std::string known = channels_text(model, Role::kKnown); !known.empty()) {
    text += fmt::format("  known      {}\n", known);
    if (model.effects) text += effects_text(model);
  }
  if (model.profiles) text += statics_text(*model.profiles);
  text += fmt::format(
      "  calendar   step {}, zone {}, period {}, phase by {}, features {}\n"
      "  trained    {}\n"
      "  validated  {}, MSE {}{} over {}, epoch {} of {}\n"
      "  test       {}\n"
      "  data       {}, sha256 {}\n"
      "  written    by {} on {}{}{}\n",
      model.step.to_string(), model.zone.name(), shape.period, choice_name(model.calendar.phase),
      joined(features), range_text(origin.trained, model.zone),
      range_text(origin.validated, model.zone), error_text(origin.best_validation),
      std::isnan(origin.naive_validation)
          ? ""
          : fmt::format(" (naive {})", error_text(origin.naive_validation)),
      counted(origin.validation_windows, "window"), origin.best_epoch, origin.history.size(),
      range_text(origin.test, model.zone), origin.data_source, origin.data_sha256,
      origin.written_by, origin.cpu, origin.engine.empty() ? "" : ", " + origin.engine,
      origin.is_refit ? "; trained again on every row" : "");
  for (const std::string& choice : origin.choices) text += fmt::format("  chosen     {}\n", choice);
  for (const std::string& warning : origin.warnings) {
    text += fmt::format("  warning    {}\n", warning);
  }
  if (arguments.settings) {
    for (const auto& [name, value] : setting_texts(model.settings)) {
      text += fmt::format("  {} = {}\n", name, value);
    }
  }
  if (arguments.weights) {
    for (const auto& view : model.ensemble.lead().parameters().views()) {
      text += fmt::format("  {:<40} {}\n", view.name, autodiff::to_string(view.shape));
    }
  }
  return text;
}

// Every file of tensors, so that checkpoints are verified too. Loading compares all checksums: what
// is damaged does not come back from it.
int verify(const InspectArguments& arguments, const Console& console) {
  const store::TensorFile file = store::read_tensors(arguments.model);
  std::size_t bytes = 0;
  for (const store::StoredTensor& tensor : file.tensors) bytes += tensor.bytes.size();
  if (console.json) {
    console.print_json({{"file", arguments.model},
                        {"has_checksums", file.is_checked},
                        {"tensors", file.tensors.size()},
                        {"bytes", bytes}});
  } else {
    console.print(fmt::format(
        "{}: {} of {} bytes, {}\n", arguments.model, counted(file.tensors.size(), "tensor"), bytes,
        file.is_checked
            ? "every checksum is right"
            : "no checksums to compare: an earlier version or another program wrote it"));
  }
  return file.is_checked ? kDone : kFindings;
}

int inspect(const InspectArguments& arguments, const Console& console) {
  if (arguments.verify) return verify(arguments, console);
  const artifact::Model model = artifact::load_model(arguments.model);
  if (console.json) {
    Json json = Json::parse(artifact::encode_metadata(model));
    json["weights"] = model.ensemble.learned_count();
    if (model.effects) json["effects"] = effects_json(model);
    if (model.profiles) json["statics"] = statics_json(*model.profiles);
    console.print_json(json);
  } else {
    console.print(describe(model, arguments));
  }
  return kDone;
}

Action declare_inspect(CLI::App& command) {
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("model", arguments->model, "model file")->required()->type_name("MODEL");
  command.add_flag("--weights", arguments->weights, "list every tensor of weights");
  command.add_flag("--settings", arguments->settings, "list every setting");
  command.add_flag("--verify", arguments->verify,
                   "only compare the checksums, also of a checkpoint; 1 where there are none");
  return [arguments](const Console& console) { return inspect(*arguments, console); };
}

}  // namespace

const Verb kInspect = {"inspect", "describe a model file",
                       "  pulsecast inspect load.model\n"
                       "  pulsecast inspect load.model --weights --settings\n"
                       "  pulsecast inspect load.model --json\n"
                       "  pulsecast inspect load.model.checkpoint --verify\n",
                       declare_inspect};

}  // namespace pulsecast::cli
