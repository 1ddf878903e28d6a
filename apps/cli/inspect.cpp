// pulsecast inspect MODEL: what is in a model file.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/error_text.h"
#include "apps/cli/verbs.h"
#include "pulsecast/artifact/column_effects.h"
#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/json/model_json.h"
#include "pulsecast/settings/data_declaration.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast::cli {
namespace {

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

std::string effects_text(const artifact::Model& model) {
  constexpr std::size_t kMost = 12;
  constexpr double kAlike = 1e-3;
  const std::vector<artifact::ColumnEffect> effects = artifact::effects_of(model);
  std::string text;
  for (const artifact::ColumnEffect& each :
       std::span(effects).first(std::min(kMost, effects.size()))) {
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
  if (const std::string past = channels_text(model, Role::kPast); !past.empty()) {
    text += fmt::format("  past       {}\n", past);
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
    console.print_json(json::model_json(model));
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
