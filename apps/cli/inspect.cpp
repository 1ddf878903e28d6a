// pulsecast inspect MODEL: what is in a model file.

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

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

std::string describe(const artifact::Model& model, const InspectArguments& arguments) {
  const model::ModelShape& shape = model.pulse->shape();
  const artifact::Origin& origin = model.origin;
  std::vector<std::string> features;
  for (const CalendarFeature feature : model.calendar.features)
    features.emplace_back(name(feature));
  std::string text = fmt::format(
      "{}\n"
      "  model      {}, {} weights, {} of history to {} ahead\n"
      "  targets    {}\n",
      arguments.model, model_title(shape), model.pulse->parameters().learned_count(),
      counted(shape.lookback, "step"), shape.horizon, channels_text(model, Role::kTarget));
  if (const std::string known = channels_text(model, Role::kKnown); !known.empty()) {
    text += fmt::format("  known      {}\n", known);
  }
  text += fmt::format(
      "  calendar   step {}, zone {}, period {}, phase by {}, features {}\n"
      "  trained    {}\n"
      "  validated  {}, MSE {:.4f}{} over {}, epoch {} of {}\n"
      "  test       {}\n"
      "  data       {}, sha256 {}\n"
      "  written    by {} on {}{}{}\n",
      model.step.to_string(), model.zone.name(), shape.period, choice_name(model.calendar.phase),
      joined(features), range_text(origin.trained, model.zone),
      range_text(origin.validated, model.zone), origin.best_validation,
      std::isnan(origin.naive_validation) ? ""
                                          : fmt::format(" (naive {:.4f})", origin.naive_validation),
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
    for (const auto& view : model.pulse->parameters().views()) {
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
    json["weights"] = model.pulse->parameters().learned_count();
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
