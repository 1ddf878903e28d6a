#include "bench/accuracy_helps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "bench/paper_results.h"
#include "pulsecast/benchmark/mean_spread.h"
#include "pulsecast/paper/helps.h"

namespace pulsecast::bench {
namespace {

struct LackingVariant {
  const char* variant;
  const char* part;  // as paper::helping_parts() has it
};
constexpr std::array<LackingVariant, 5> kLacking = {{{"no-anchor", "phase anchor"},
                                                     {"no-router", "phase router"},
                                                     {"no-mixup", "mixup"},
                                                     {"plain-mixup", "statistic-aware mixup"},
                                                     {"mse-loss", "frequency loss"}}};

// What seeds alone do to the recipe, where there are some.
std::string seeds_words(const Runs& runs) {
  constexpr std::size_t kEnough = 3;
  double sum = 0.0, most = 0.0;
  std::size_t count = 0;
  for (const PaperCell& cell : kPaperCells) {
    const std::vector<TrainedRun> own = runs.of("recipe", cell.dataset, cell.horizon);
    if (own.size() < kEnough) continue;
    std::vector<double> errors;
    for (const TrainedRun& run : own) errors.push_back(run.mse);
    const benchmark::MeanSpread spread = benchmark::mean_spread(errors);
    const double percent = 100.0 * spread.spread / spread.mean;
    sum += percent;
    most = std::max(most, percent);
    ++count;
  }
  if (count == 0) return "No cell has three seeds, so that nobody knows what chance does here.";
  return fmt::format(
      "Chance: over the {} cells of the whole PULSE with three seeds or more the standard "
      "deviation "
      "over seeds is {:.1f} % of the error on average, {:.1f} % at most. A gain of one seed that "
      "is "
      "not well above that says nothing.",
      count, sum / static_cast<double>(count), most);
}

}  // namespace

std::string helps_page(const Runs& runs, const MeasureMismatch& measure) {
  paper::HelpsEvidence evidence;
  for (const PaperCell& cell : kPaperCells) {
    const paper::CellName name{std::string(cell.dataset), cell.horizon};
    evidence.cells.push_back(name);
    evidence.mismatches[name] = measure(cell.dataset, cell.horizon);
  }
  for (const LackingVariant& lacking : kLacking) {
    for (const PairedCell& pair : runs.paired(lacking.variant, "recipe")) {
      evidence.gains.push_back({lacking.part,
                                {std::string(pair.dataset), pair.horizon},
                                pair.left.size(),
                                100.0 * (pair.ratio(&TrainedRun::mse) - 1.0)});
    }
  }
  paper::Document document{
      .title = "What helps when",
      .lead =
          "Of PULSE's parts: by how much the test MSE is higher without each, the paper's "
          "recipes else as they are, beside how far futures lie from their histories (means "
          "over the training rows, look-back 96; of ETTm the first 8640 rows). Made with "
          "`./dev bench accuracy --out docs/results/accuracy.jsonl --data DIR --helps`; "
          "`pulsecast paper --only helps` trains what is missing and shows the same.",
      .headlines = {},
      .blocks = {},
      .made_by = {}};
  paper::add_helps(evidence, document.blocks);
  document.blocks.push_back(paper::Paragraph{seeds_words(runs)});
  document.blocks.push_back(paper::Paragraph{
      "What anchor and router together bring to other backbones is in plug_and_play.md (its column "
      "with RevIN, frequency loss and mixup against that of PULSE)."});
  return paper::to_markdown(document);
}

}  // namespace pulsecast::bench
