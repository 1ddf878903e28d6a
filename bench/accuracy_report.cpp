#include "bench/accuracy_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/paper_results.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/usual.h"

namespace pulsecast::bench {
namespace {

std::string range_of(const std::vector<TrainedRun>& runs, Field field) {
  const auto [low, high] = std::ranges::minmax_element(runs, {}, field);
  return fmt::format("{:.4f} - {:.4f}", *low.*field, *high.*field);
}

std::string variant_section(const VariantText& variant, const Runs& runs) {
  std::string text = fmt::format(
      "\n### {}: {}\n\n| dataset | H | seeds | MSE | lowest - highest | MAE | paper MSE / MAE | "
      "ratio of MSE | epochs (best) | seconds |\n|---|---|---|---|---|---|---|---|---|---|\n",
      variant.name, variant.meaning);
  double sum = 0.0, worst = 0.0;
  int cells = 0;
  std::map<std::string_view, std::array<double, 5>> sums;  // mse, mae, the paper's two, cells
  for (const PaperCell& cell : kPaperCells) {
    const std::vector<TrainedRun> own = runs.of(variant.name, cell.dataset, cell.horizon);
    if (own.empty()) continue;
    const double mse = mean_of(own, &TrainedRun::mse), mae = mean_of(own, &TrainedRun::mae);
    const double ratio = mse / cell.mse;
    ++cells;
    sum += ratio;
    worst = std::max(worst, ratio);
    const std::array<double, 5> values = {mse, mae, cell.mse, cell.mae, 1.0};
    for (std::size_t i = 0; i < values.size(); ++i) sums[cell.dataset][i] += values[i];
    text += fmt::format(
        "| {} | {} | {} | {:.4f} | {} | {:.4f} | {:.3f} / {:.3f} | {:.3f} | {:.1f} ({:.1f}) | "
        "{:.1f} |\n",
        cell.dataset, cell.horizon, own.size(), mse, range_of(own, &TrainedRun::mse), mae, cell.mse,
        cell.mae, ratio, mean_of(own, &TrainedRun::epochs), mean_of(own, &TrainedRun::best_epoch),
        mean_of(own, &TrainedRun::seconds));
  }
  if (cells == 0) return "";
  text += fmt::format("\nMean ratio to the paper's MSE over {}: {:.4f}; highest {:.4f}.\n",
                      counted(cells, "cell"), sum / cells, worst);
  for (const auto& [dataset, total] : sums) {
    text += fmt::format("{}, mean of {}: MSE {:.4f}, MAE {:.4f} (paper {:.4f}, {:.4f}).\n", dataset,
                        counted(static_cast<int>(total[4]), "horizon"), total[0] / total[4],
                        total[1] / total[4], total[2] / total[4], total[3] / total[4]);
  }
  return text;
}

std::string ablation_section(const Runs& runs) {
  std::string rows;
  for (const PaperAverage& paper : kPaperAblations) {
    const auto cells = runs.paired(paper.variant, "recipe", paper.dataset);
    if (cells.empty()) continue;
    const auto whole = std::ranges::find_if(kPaperAblations, [&](const PaperAverage& each) {
      return each.variant == "recipe" && each.dataset == paper.dataset;
    });
    std::size_t count = 0;
    for (const PairedCell& cell : cells) count += cell.left.size();
    const double mse = mean_left(cells, &TrainedRun::mse);
    rows += fmt::format(
        "| {} | {} | {} of 4 | {} | {:.4f} | {:.4f} | {:.3f} | {:.3f} | {:.3f} | {:.3f} |\n",
        paper.dataset, paper.variant, cells.size(), count, mse, mean_left(cells, &TrainedRun::mae),
        mse / mean_right(cells, &TrainedRun::mse), paper.mse, paper.mae, paper.mse / whole->mse);
  }
  if (rows.empty()) return "";
  return "\n### Ablations beside the paper\n\n"
         "Means over horizons. 'To recipe' is the ratio of MSE to the recipe's over the same "
         "horizons "
         "and seeds.\n\n"
         "| dataset | variant | horizons | runs | MSE | MAE | to recipe | paper MSE | paper MAE | "
         "paper's to recipe |\n|---|---|---|---|---|---|---|---|---|---|\n" +
         rows;
}

std::string defaults_section(const Runs& runs, const ReportInputs& inputs) {
  const auto cells = runs.paired("defaults", "recipe");
  if (cells.empty()) return "";
  std::string text =
      "\n### Defaults against the recipe\n\n"
      "The same seeds. Seasonal naive repeats the last day.\n\n"
      "| dataset | H | seeds | defaults MSE | recipe MSE | ratio | seasonal naive MSE "
      "| defaults to naive |\n|---|---|---|---|---|---|---|---|\n";
  for (const PairedCell& cell : cells) {
    const double mse = mean_of(cell.left, &TrainedRun::mse);
    const auto naive = inputs.seasonal_naive_mse.find({std::string(cell.dataset), cell.horizon});
    text += fmt::format("| {} | {} | {} | {:.4f} | {:.4f} | {:.3f} | {} |\n", cell.dataset,
                        cell.horizon, cell.left.size(), mse, mean_of(cell.right, &TrainedRun::mse),
                        cell.ratio(&TrainedRun::mse),
                        naive == inputs.seasonal_naive_mse.end()
                            ? "- | -"
                            : fmt::format("{:.4f} | {:.3f}", naive->second, mse / naive->second));
  }
  return text + fmt::format("\nMean ratio of MSE, defaults to recipe, over {}: {:.4f}.\n",
                            counted(cells.size(), "cell"), mean_ratio(cells, &TrainedRun::mse));
}

// What validates better is to be the default; test stands beside it and decides nothing.
std::string order_section(const Runs& runs) {
  const auto cells = runs.paired("calendar", "recipe");
  if (cells.empty()) return "";
  std::string text =
      "\n### Orders of the codebook\n\nThe same seeds and settings; validation MSE is that of the "
      "epoch kept.\n\n"
      "| dataset | H | seeds | validation MSE, reference | calendar | ratio "
      "| test MSE, reference | calendar | ratio |\n|---|---|---|---|---|---|---|---|---|\n";
  for (const PairedCell& cell : cells) {
    text += fmt::format(
        "| {} | {} | {} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} | {:.4f} |\n", cell.dataset,
        cell.horizon, cell.left.size(), mean_of(cell.right, &TrainedRun::validation_mse),
        mean_of(cell.left, &TrainedRun::validation_mse), cell.ratio(&TrainedRun::validation_mse),
        mean_of(cell.right, &TrainedRun::mse), mean_of(cell.left, &TrainedRun::mse),
        cell.ratio(&TrainedRun::mse));
  }
  const double ratio = mean_ratio(cells, &TrainedRun::validation_mse);
  const CodebookOrder better = ratio < 1.0 ? CodebookOrder::kCalendar : CodebookOrder::kReference;
  const CodebookOrder default_order = usual::kCodebookOrder;
  return text +
         fmt::format(
             "\nThe {} order validates better by {:.2f} % (mean ratio over {}); the default "
             "is {}.\n",
             choice_name(better), 100.0 * std::abs(1.0 - ratio), counted(cells.size(), "cell"),
             better == default_order ? "this one" : fmt::format("{}", choice_name(default_order)));
}

std::string twin_section(const Runs& runs) {
  std::string rows, means;
  std::string_view last;
  for (const PaperCell& cell : kPaperCells) {
    if (cell.dataset == last) continue;
    last = cell.dataset;
    const auto cells = runs.paired("recipe", "twin", cell.dataset, Seeds::kAll);
    if (cells.empty()) continue;
    for (const PairedCell& each : cells) {
      rows += fmt::format(
          "| {} | {} | {} / {} | {:.4f} | {:.4f} | {:.3f} | {:.4f} | {:.4f} | {:.3f} |\n",
          each.dataset, each.horizon, each.left.size(), each.right.size(),
          mean_of(each.left, &TrainedRun::mse), mean_of(each.right, &TrainedRun::mse),
          each.ratio(&TrainedRun::mse), mean_of(each.left, &TrainedRun::mae),
          mean_of(each.right, &TrainedRun::mae), each.ratio(&TrainedRun::mae));
    }
    means += fmt::format(
        "{}, mean of {}: MSE {:.4f}, twin {:.4f}, ratio {:.4f}; MAE {:.4f}, twin {:.4f}, ratio "
        "{:.4f}.\n",
        cell.dataset, counted(cells.size(), "horizon"), mean_left(cells, &TrainedRun::mse),
        mean_right(cells, &TrainedRun::mse),
        mean_left(cells, &TrainedRun::mse) / mean_right(cells, &TrainedRun::mse),
        mean_left(cells, &TrainedRun::mae), mean_right(cells, &TrainedRun::mae),
        mean_left(cells, &TrainedRun::mae) / mean_right(cells, &TrainedRun::mae));
  }
  if (rows.empty()) return "";
  return "\n### Beside the PyTorch twin\n\n"
         "Means over seeds, ours / the twin's; a seed draws other numbers in each.\n\n"
         "| dataset | H | seeds | MSE | twin MSE | ratio | MAE | twin MAE | ratio |\n"
         "|---|---|---|---|---|---|---|---|---|\n" +
         rows + "\n" + means;
}

}  // namespace

std::string report_text(const ReportInputs& inputs) {
  const Runs runs(inputs.runs);
  std::string text;
  for (const VariantText& variant : inputs.variants) text += variant_section(variant, runs);
  return text + ablation_section(runs) + defaults_section(runs, inputs) + order_section(runs) +
         twin_section(runs);
}

}  // namespace pulsecast::bench
