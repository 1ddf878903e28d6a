#include "pulsecast/paper/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "pulsecast/base/near_miss.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::paper {
namespace {

using Datasets = std::vector<std::string_view>;

const Datasets kSensitive = {"Electricity", "ETTh1", "ETTh2", "Solar"};

// clang-format off
const std::vector<Part> kParts = {
    {"main", "Main results",
     "Every model as it was published, and PULSE with its authors' recipes, at a look-back of 96.",
     {{"main", "Errors at look-back 96", Layout::kByHorizon}}},
    {"plug", "Plug and play",
     "Backbones as published and inside PULSE, at a look-back of 96. The paper's originals of iTransformer on ETTm1 repeat its rows of ETTh1.",
     {{"plug", "Originals and the same inside PULSE", Layout::kByHorizon}}},
    {"ablation", "Ablations",
     "PULSE without one of its parts, means of four horizons.",
     {{"ablation", "PULSE without one of its parts", Layout::kByDataset}}},
    {"anchors", "What the anchors hold",
     "Spectra of history, future and the anchor that is generated for it, and windows on a plane by their likeness (t-SNE), on windows of test.",
     {}, {}, Extra::kAnchors},
    {"efficiency", "Efficiency",
     "Weights, operations, latency and memory of one window's forecast at horizon 96 on one thread of this CPU, beside the paper's latency and memory on a graphics card; errors are means of four horizons.",
     {}, {}, Extra::kCosts},
    {"mismatch", "History-future mismatch",
     "How far the future of a window lies from its history, over the training rows, look-back 96. The paper's rows of ETTm are of the first 8640 rows; so are ours.",
     {}, {}, Extra::kMismatch},
    {"sensitivity", "Sensitivity",
     "PULSE with one setting varied at horizon 96, the recipe else as it is. Of the figures the paper prints no numbers. Its router width of 64 on ETTh2 looks like a misprint.",
     {{"width", "Width of the router, means of four horizons", Layout::kByDataset}},
     {{"period", "Global period W", {"1", "12", "24", "48", "96", "168"}, kSensitive},
      {"codebook-rows", "Codebook rows L", {"1", "6", "12", "24", "48", "96"}, kSensitive},
      {"patch", "Router's patch P", {"4", "8", "12", "24", "48"}, kSensitive},
      {"mixup-alpha", "Mixup's alpha", {"0.05", "0.15", "0.5", "1", "2"}, {"ETTh2"}},
      {"lookback", "Look-back T", {"96", "192", "336", "720"}, {"ETTh1", "ETTh2"}}}},
    {"lookback", "Longer look-backs",
     "The settings of look-back 96 with the look-back alone changed: nobody says what others the paper used.",
     {{"long", "Means of four horizons", Layout::kByDataset},
      {"plug720", "Plug and play at look-back 720", Layout::kByHorizon}}},
    {"mase", "Scaled errors",
     "MASE as the paper has it: the MAE over what the data that were forecast differ by from the value so many steps earlier, channels pooled. Gaps are filled by straight lines. The paper gives no recipe for these files: settings are ours.",
     {{"mase", "MSE, MAE and MASE of lag 1, look-back 96, means of four horizons", Layout::kByDataset},
      {"mase720", "MASE of lag 96, look-back 720", Layout::kByHorizon}}},
    {"forecasts", "Forecasts side by side",
     "The middle window of test of the first channel, horizon 96.",
     {}, {}, Extra::kForecasts},
    {"helps", "What helps when",
     "Of PULSE's parts: by how much each lowers the error, beside the mismatch of the file.",
     {}, {}, Extra::kHelps},
};
// clang-format on

constexpr std::array<std::string_view, 9> kPictured = {
    "dlinear",        "pulse:dlinear", "patchtst",           "pulse:patchtst", "timesnet",
    "pulse:timesnet", "itransformer",  "pulse:itransformer", "pulse"};

constexpr std::array<Without, 5> kWithouts = {{{"phase anchor", "anchor=false"},
                                               {"phase router", "router=false"},
                                               {"mixup", "mixup=none"},
                                               {"statistic-aware mixup", "mixup=plain"},
                                               {"frequency loss", "loss=mse"}}};

constexpr std::array<std::string_view, 8> kAblated = {"ETTh1",       "ETTh2",   "ETTm1",   "ETTm2",
                                                      "Electricity", "Traffic", "Weather", "Solar"};

}  // namespace

std::span<const Part> parts() { return kParts; }

const Part& find_part(std::string_view name, const std::string& where) {
  const auto found = std::ranges::find(kParts, name, &Part::name);
  if (found != kParts.end()) return *found;
  std::vector<std::string> known;
  std::string list;
  for (const Part& part : kParts) {
    known.emplace_back(part.name);
    list += fmt::format("{}{}", list.empty() ? "" : ", ", part.name);
  }
  throw_error(ErrorKind::kUsage, where, "there is no part '{}'.{} There are {}", name,
              did_you_mean(name, known), list);
}

std::span<const std::string_view> pictured_models() { return kPictured; }
std::span<const Without> withouts() { return kWithouts; }
std::span<const std::string_view> ablated_datasets() { return kAblated; }

std::vector<Want> wants_of(std::string_view model, std::string_view dataset, std::int64_t lookback,
                           std::string_view setting, std::int64_t horizon) {
  const Want one{std::string(model), std::string(dataset), lookback, std::string(setting), horizon};
  if (horizon != 0) return {one};
  std::vector<Want> all;
  for (const std::int64_t each : kHorizons) {
    all.push_back(one);
    all.back().horizon = each;
  }
  return all;
}

Want want_of(const Curve& curve, std::string_view dataset, std::string_view value) {
  Want want{
      .model = std::string(kOwnModel), .dataset = std::string(dataset), .horizon = curve.horizon};
  if (curve.setting == "lookback") {
    std::from_chars(value.data(), value.data() + value.size(), want.lookback);
  } else {
    want.setting = fmt::format("{}={}", curve.setting, value);
  }
  return want;
}

}  // namespace pulsecast::paper
