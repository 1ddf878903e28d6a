#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/benchmark/report.h"
#include "pulsecast/benchmark/report_text.h"

namespace pulsecast::benchmark {
namespace {

std::string cell(const MeanSpread& score, std::size_t rank, std::size_t seeds) {
  if (seeds == 0) return "-";
  std::string text = fmt::format("{:.4f}", score.mean);
  if (rank == 1) text = "**" + text + "**";
  if (rank == 2) text = "<u>" + text + "</u>";
  return seeds > 1 ? text + fmt::format(" ± {:.4f}", score.spread) : text;
}

std::string scores_table(const Standings& standings) {
  std::string text = "| dataset | H |";
  for (const std::string& name : standings.columns) {
    text += fmt::format(" {0} MSE | {0} MAE |", markdown_cell(name));
  }
  text += "\n" + markdown_rule(2 + 2 * standings.columns.size());
  for (const StandingsRow& row : standings.rows) {
    text += fmt::format("| {} | {} |", markdown_cell(row.dataset), horizon_text(row.horizon));
    for (const Standing& each : row.standings) {
      text += fmt::format(" {} | {} |", cell(each.mse, each.mse_rank, each.seeds),
                          cell(each.mae, each.mae_rank, each.seeds));
    }
    text += "\n";
  }
  text += "| times first | |";
  for (std::size_t column = 0; column < standings.columns.size(); ++column) {
    text += fmt::format(" {} | {} |", standings.mse_firsts[column], standings.mae_firsts[column]);
  }
  return text + "\n";
}

std::string baselines_table(const Standings& standings) {
  const std::vector<std::string> names = baseline_names(standings);
  std::string text = "| dataset | H | windows |";
  for (const std::string& name : names) text += fmt::format(" {0} MSE | {0} MAE |", name);
  text += " best model's MSE |\n" + markdown_rule(4 + 2 * names.size());
  for (const StandingsRow& row : standings.rows) {
    text += fmt::format("| {} | {} | {} |", markdown_cell(row.dataset), horizon_text(row.horizon),
                        row.horizon == 0 ? "" : std::to_string(row.windows));
    for (const std::string& name : names) {
      const auto own = std::ranges::find(row.baselines, name, &BaselineScore::name);
      text += own == row.baselines.end() ? " - | - |"
                                         : fmt::format(" {:.4f} | {:.4f} |", own->mse, own->mae);
    }
    const auto best = std::ranges::find(row.standings, 1u, &Standing::mse_rank);
    text += best == row.standings.end() ? " - |\n" : fmt::format(" {:.4f} |\n", best->mse.mean);
  }
  return text;
}

std::string mase_table(const Standings& standings) {
  std::string text = "| dataset | H | lag |";
  for (const std::string& name : standings.columns) {
    text += fmt::format(" {0} usual | {0} paper's |", markdown_cell(name));
  }
  text += "\n" + markdown_rule(3 + 2 * standings.columns.size());
  for (const StandingsRow& row : standings.rows) {
    for (const std::size_t lag : mase_lags(row)) {
      text += fmt::format("| {} | {} | {} |", markdown_cell(row.dataset), horizon_text(row.horizon),
                          lag);
      for (const Standing& each : row.standings) {
        text += fmt::format(" {} | {} |", mase_text(each, lag, &LagMase::usual),
                            mase_text(each, lag, &LagMase::paper));
      }
      text += "\n";
    }
  }
  return text;
}

std::string comparisons_table(const Standings& standings) {
  std::string text =
      "| dataset | H | model | against | seeds | MSE promotion | p | MAE promotion | p |\n" +
      markdown_rule(9);
  for (const Comparison& each : standings.comparisons) {
    text += fmt::format("| {} | {} | {} | {} | {} | {:+.1f} % | {} | {:+.1f} % | {} |\n",
                        markdown_cell(each.dataset), each.horizon, each.model, each.original,
                        each.seeds, each.mse_promotion, p_text(each.squared), each.mae_promotion,
                        p_text(each.absolute));
  }
  return text;
}

std::string costs_table(const Standings& standings) {
  std::string text = "| dataset | H | model | weights | MFLOP a window |\n" + markdown_rule(5);
  for (const StandingsRow& row : standings.rows) {
    if (row.horizon == 0) continue;
    for (std::size_t column = 0; column < standings.columns.size(); ++column) {
      const Standing& each = row.standings[column];
      if (each.weights == 0) continue;
      text += fmt::format("| {} | {} | {} | {} | {:.4g} |\n", markdown_cell(row.dataset),
                          row.horizon, standings.columns[column], each.weights,
                          static_cast<double>(each.flops) / 1e6);
    }
  }
  return text;
}

}  // namespace

std::string to_markdown(const Standings& standings) {
  std::string text = fmt::format(
      "# Benchmark\n\n{} finished{}. Errors are of scaled values, means over every test window, "
      "step and channel, and over seeds (± their standard deviation); the best of a row is "
      "**bold**, "
      "the second <u>underlined</u>.\n\n",
      counted(standings.runs, "run"),
      standings.missing == 0 ? "" : fmt::format(", {} still missing", standings.missing));
  text += scores_table(standings);
  if (!standings.comparisons.empty()) {
    text +=
        "\n## What PULSE adds\n\nPer cent by which the original's error is lowered, over the seeds "
        "that both have. p is that of the Diebold-Mariano test that allows for windows that "
        "overlap, two-sided, on the mean loss over seeds.\n\n" +
        comparisons_table(standings);
  }
  if (has_mase(standings)) {
    text += fmt::format("\n## Scaled errors\n\n{}\n\n", kMaseExplained) + mase_table(standings);
  }
  return text + "\n## What costs nothing\n\nThe same windows.\n\n" + baselines_table(standings) +
         "\n## What they cost\n\n" + costs_table(standings);
}

}  // namespace pulsecast::benchmark
