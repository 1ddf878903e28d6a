// pulsecast backbones: what every forecaster weighs and costs, alone and inside PULSE.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/verbs.h"
#include "pulsecast/benchmark/cost.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/settings/model_declaration.h"

namespace pulsecast::cli {
namespace {

using benchmark::Cost;
using Json = nlohmann::ordered_json;

struct BackbonesArguments {
  std::int64_t lookback = 96;
  std::int64_t horizon = 96;
  std::int64_t channels = 7;
};

// Hourly rows, as few as there can be a plan for.
Series rows_for(const BackbonesArguments& arguments) {
  SyntheticSettings settings;
  settings.rows = 4 * (arguments.lookback + arguments.horizon);
  settings.channels = arguments.channels;
  return make_series(Synthetic(settings));
}

Json cost_json(const Cost& cost) {
  return {{"weights", cost.weights},
          {"flops", cost.operations},
          {"milliseconds", cost.milliseconds},
          {"memory_bytes", cost.bytes}};
}

std::string cost_text(const Cost& cost) {
  return fmt::format("{:>10} {:>9.2f} {:>9.3f} {:>7.1f}", cost.weights,
                     static_cast<double>(cost.operations) / 1e6, cost.milliseconds,
                     static_cast<double>(cost.bytes) / 1e6);
}

int list_backbones(const BackbonesArguments& arguments, const Console& console) {
  const Series series = rows_for(arguments);
  Settings settings;
  settings.data.lookback = std::to_string(arguments.lookback);
  settings.data.horizon = std::to_string(arguments.horizon);
  settings.data.period = 24;
  Json list = Json::array();
  std::string text = fmt::format(
      "One window of {} steps to {} ahead, {} channel{}, on one thread\n"
      "{:<14}{:^38}   {:^38}\n{:<14}{:>10} {:>9} {:>9} {:>7}   {:>10} {:>9} {:>9} {:>7}\n",
      arguments.lookback, arguments.horizon, arguments.channels, arguments.channels == 1 ? "" : "s",
      "", "alone", "with PULSE", "", "weights", "MFLOP", "ms", "MB", "weights", "MFLOP", "ms",
      "MB");
  for (const auto& backbone : kChoices<BackboneKind>) {
    settings.model.backbone = backbone.value;
    settings.model.model = alone(backbone.value);
    const Cost own = benchmark::measure_cost(series, settings);
    settings.model.model = ModelKind::kPulse;
    const Cost inside = benchmark::measure_cost(series, settings);
    text += fmt::format("{:<14}{}   {}\n", backbone.name, cost_text(own), cost_text(inside));
    list.push_back({{"backbone", backbone.name},
                    {"meaning", backbone.meaning},
                    {"alone", cost_json(own)},
                    {"with_pulse", cost_json(inside)}});
  }
  if (console.json) {
    console.print_json({{"lookback", arguments.lookback},
                        {"horizon", arguments.horizon},
                        {"channels", arguments.channels},
                        {"backbones", list}});
  } else {
    console.print(text);
  }
  return kDone;
}

Action declare_backbones(CLI::App& command) {
  auto arguments = std::make_shared<BackbonesArguments>();
  const auto add = [&](const char* flag, std::int64_t& value, std::int64_t least,
                       const char* meaning) {
    command.add_option(flag, value, meaning)
        ->check(CLI::Range(least, std::int64_t{100000}))
        ->capture_default_str()
        ->type_name("NUMBER");
  };
  add("--lookback", arguments->lookback, 2, "steps of history");
  add("--horizon", arguments->horizon, 1, "steps to forecast");
  add("--channels", arguments->channels, 1, "columns");
  return [arguments](const Console& console) { return list_backbones(*arguments, console); };
}

}  // namespace

const Verb kBackbones = {"backbones", "list every forecaster with its weights, cost and latency",
                         "  pulsecast backbones\n"
                         "  pulsecast backbones --lookback 336 --horizon 720 --channels 321\n"
                         "  pulsecast backbones --json\n",
                         declare_backbones};

}  // namespace pulsecast::cli
