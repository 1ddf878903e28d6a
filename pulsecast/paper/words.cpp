#include "pulsecast/paper/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "pulsecast/paper/parts.h"

namespace pulsecast::paper {
namespace {

struct Name {
  std::string_view model;
  std::string_view name;
};

constexpr std::array<Name, 11> kNames = {{{"pulse", "PULSE"},
                                          {"cfpt", "CFPT"},
                                          {"timexer", "TimeXer"},
                                          {"cyclenet", "CycleNet"},
                                          {"itransformer", "iTransformer"},
                                          {"patchtst", "PatchTST"},
                                          {"timesnet", "TimesNet"},
                                          {"dlinear", "DLinear"},
                                          {"msgnet", "MSGNet"},
                                          {"crossformer", "Crossformer"},
                                          {"sparsetsf", "SparseTSF"}}};

}  // namespace

std::string model_words(std::string_view model) {
  constexpr std::string_view kInside = "pulse:";
  if (model.starts_with(kInside)) return model_words(model.substr(kInside.size())) + " + PULSE";
  const auto found = std::ranges::find(kNames, model, &Name::model);
  return std::string(found == kNames.end() ? model : found->name);
}

std::string setting_words(std::string_view setting) {
  const auto without = std::ranges::find(withouts(), setting, &Without::setting);
  if (without != withouts().end()) return fmt::format("without {}", without->part);
  std::string words(setting);
  std::ranges::replace(words, '=', ' ');
  return words;
}

std::string number_words(double value, int digits) {
  return std::isfinite(value) ? fmt::format("{:.{}f}", value, digits) : "-";
}

TableCell compared(const benchmark::MeanSpread& ours, std::size_t seeds, double paper) {
  TableCell cell{.text = "-"};
  if (seeds > 0) {
    cell.text = number_words(ours.mean, 4);
    if (seeds > 1) cell.text += fmt::format(" ± {:.4f}", ours.spread);
  }
  if (!std::isfinite(paper)) return cell;
  cell.note = fmt::format("paper {:.3f}", paper);
  if (seeds > 0) cell.note += fmt::format(", {:.3f}", ours.mean / paper);
  return cell;
}

}  // namespace pulsecast::paper
