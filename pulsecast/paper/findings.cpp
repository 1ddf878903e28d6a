#include "pulsecast/paper/findings.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/benchmark/journal.h"
#include "pulsecast/benchmark/runner.h"

namespace pulsecast::paper {

using benchmark::RunRecord;

namespace {

benchmark::RunKey of_any_seed(benchmark::RunKey key) {
  key.seed = 0;
  return key;
}

}  // namespace

void require_planned_settings(const Plan& plan, const std::vector<RunRecord>& records) {
  for (const RunRecord& record : records) {
    const auto want = plan.wants().find(of_any_seed(record.key));
    if (want == plan.wants().end()) continue;
    require_same_settings(record, plan.task_of(want->second, record.key.seed), plan.study());
  }
}

Findings::Findings(const Plan& plan)
    : plan_(plan),
      records_(benchmark::read_journal(benchmark::journal_path(plan.study())).records) {
  require_planned_settings(plan, records_);
  for (const RunRecord& record : records_) {
    by_run_[of_any_seed(record.key)][record.key.seed] = &record;
  }
}

const Findings::Seeds* Findings::seeds_of(const Want& want) const {
  const auto found = by_run_.find(plan_.key_of(want, 0));
  return found == by_run_.end() ? nullptr : &found->second;
}

const RunRecord* Findings::record_of(const Want& want) const {
  const Seeds* seeds = seeds_of(want);
  return seeds == nullptr ? nullptr : seeds->begin()->second;
}

Ours Findings::of(const std::vector<Want>& wants) const {
  std::vector<const Seeds*> all;
  all.reserve(wants.size());
  for (const Want& want : wants) all.push_back(seeds_of(want));
  if (std::ranges::find(all, nullptr) != all.end()) return {};
  std::vector<double> mse, mae;
  for (const auto& [seed, first] : *all.front()) {
    double sum_mse = 0.0, sum_mae = 0.0;
    std::size_t found = 0;
    for (const Seeds* each : all) {
      const auto own = each->find(seed);
      if (own == each->end()) continue;
      sum_mse += own->second->mse;
      sum_mae += own->second->mae;
      ++found;
    }
    if (found != all.size()) continue;
    mse.push_back(sum_mse / static_cast<double>(found));
    mae.push_back(sum_mae / static_cast<double>(found));
  }
  return {mse.size(), benchmark::mean_spread(mse), benchmark::mean_spread(mae)};
}

std::pair<Ours, Ours> Findings::on_same_seeds(const Want& a, const Want& b) const {
  const Seeds* left = seeds_of(a);
  const Seeds* right = seeds_of(b);
  if (left == nullptr || right == nullptr) return {};
  std::vector<double> errors[4];
  for (const auto& [seed, own] : *left) {
    const auto other = right->find(seed);
    if (other == right->end()) continue;
    errors[0].push_back(own->mse);
    errors[1].push_back(own->mae);
    errors[2].push_back(other->second->mse);
    errors[3].push_back(other->second->mae);
  }
  const auto ours = [&](std::size_t first) {
    return Ours{errors[first].size(), benchmark::mean_spread(errors[first]),
                benchmark::mean_spread(errors[first + 1])};
  };
  return {ours(0), ours(2)};
}

Ours Findings::of(const Cell& cell) const {
  return of(wants_of(cell.model, cell.dataset, cell.lookback, cell.setting, cell.horizon));
}

std::size_t mase_lag(const Cell& cell) { return cell.table == "mase720" ? 96 : 1; }

Count& Count::operator+=(const Count& other) {
  cells += other.cells;
  filled += other.filled;
  without_data += other.without_data;
  return *this;
}

Count count_of(const Part& part, const Plan& plan, const Findings& findings, Measuring& measuring) {
  Count count;
  const auto add = [&](std::string_view dataset, bool is_filled) {
    ++count.cells;
    if (is_filled) {
      ++count.filled;  // also where the file has gone since
    } else if (!plan.has(dataset) && !plan.is_left_out(dataset)) {
      ++count.without_data;
    }
  };
  for (const ErrorTable& table : part.tables) {
    for (const Cell& cell : cells()) {
      if (cell.table == table.name) add(cell.dataset, static_cast<bool>(findings.of(cell)));
    }
  }
  if (part.extra == Extra::kCosts) {
    for (const CostCell& cell : cost_cells()) {
      add(cell.dataset,
          static_cast<bool>(findings.of(wants_of(cell.model, cell.dataset, kLookback, "", 0))));
    }
  }
  if (part.extra == Extra::kMismatch) {
    for (const MismatchCell& cell : mismatch_cells()) {
      add(cell.dataset, plan.has(cell.dataset) &&
                            std::isfinite(measuring.mismatch(cell.dataset, cell.horizon).spectral));
    }
  }
  return count;
}

}  // namespace pulsecast::paper
