#include "pulsecast/benchmark/standings.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <span>

#include "pulsecast/benchmark/window_errors.h"

namespace pulsecast::benchmark {
namespace {

using Runs = std::vector<const RunRecord*>;

MeanSpread over_seeds(const Runs& runs, double RunRecord::*field) {
  std::vector<double> values;
  for (const RunRecord* run : runs) values.push_back(run->*field);
  return mean_spread(values);
}

// Over runs, where all of them have the same lags.
std::vector<LagMase> mean_mase(const Runs& runs) {
  std::vector<LagMase> means = runs.front()->mase;
  for (const RunRecord* run : std::span(runs).subspan(1)) {
    const bool is_alike =
        std::equal(means.begin(), means.end(), run->mase.begin(), run->mase.end(),
                   [](const LagMase& one, const LagMase& other) { return one.lag == other.lag; });
    if (!is_alike) return {};
    for (std::size_t i = 0; i < means.size(); ++i) {
      means[i].paper += run->mase[i].paper;
      means[i].usual += run->mase[i].usual;
    }
  }
  for (LagMase& each : means) {
    each.paper /= static_cast<double>(runs.size());
    each.usual /= static_cast<double>(runs.size());
  }
  return means;
}

Standing standing_of(const Runs& runs) {
  Standing standing{.seeds = runs.size()};
  if (runs.empty()) return standing;
  standing.mse = over_seeds(runs, &RunRecord::mse);
  standing.mae = over_seeds(runs, &RunRecord::mae);
  standing.mase = mean_mase(runs);
  standing.weights = runs.front()->weights;
  standing.flops = runs.front()->flops;
  return standing;
}

// Places among those that are there; a score that is not finite comes last.
void rank(std::vector<Standing>& standings, MeanSpread Standing::*score,
          std::size_t Standing::*place) {
  const auto key = [&](const Standing& each) {
    const double mean = (each.*score).mean;
    return std::isfinite(mean) ? mean : std::numeric_limits<double>::infinity();
  };
  for (Standing& each : standings) {
    if (each.seeds == 0) continue;
    each.*place =
        1 + static_cast<std::size_t>(std::ranges::count_if(standings, [&](const Standing& other) {
          return other.seeds > 0 && key(other) < key(each);
        }));
  }
}

void rank_both(StandingsRow& row) {
  rank(row.standings, &Standing::mse, &Standing::mse_rank);
  rank(row.standings, &Standing::mae, &Standing::mae_rank);
}

// Baselines that every row has, their errors the means of all.
std::vector<BaselineScore> mean_baselines(const std::vector<StandingsRow>& rows) {
  std::vector<BaselineScore> means;
  for (const BaselineScore& first : rows.front().baselines) {
    BaselineScore mean{.name = first.name};
    bool is_everywhere = true;
    for (const StandingsRow& row : rows) {
      const auto own = std::ranges::find(row.baselines, first.name, &BaselineScore::name);
      is_everywhere = is_everywhere && own != row.baselines.end();
      if (!is_everywhere) break;
      mean.mse += own->mse / static_cast<double>(rows.size());
      mean.mae += own->mae / static_cast<double>(rows.size());
    }
    if (is_everywhere) means.push_back(std::move(mean));
  }
  return means;
}

// A run that stands for those of one seed at every horizon.
RunRecord mean_run(const Runs& runs) {
  RunRecord mean;
  for (const RunRecord* run : runs) {
    const auto share = 1.0 / static_cast<double>(runs.size());
    mean.mse += share * run->mse;
    mean.mae += share * run->mae;
  }
  mean.mase = mean_mase(runs);
  return mean;
}

// The loss of every window, a mean over runs; empty where their windows are not the same.
struct MeanLosses {
  std::vector<double> first_rows;
  std::vector<double> squared;
  std::vector<double> absolute;
};

MeanLosses mean_losses(const Runs& runs, const std::filesystem::path& out) {
  MeanLosses losses;
  for (const RunRecord* run : runs) {
    const WindowErrors errors = read_errors(out / run->errors);
    if (losses.first_rows.empty()) {
      losses.first_rows = errors.first_rows;
      losses.squared.assign(errors.squared.size(), 0.0);
      losses.absolute.assign(errors.absolute.size(), 0.0);
    }
    if (losses.first_rows != errors.first_rows) return {};
    for (std::size_t i = 0; i < losses.squared.size(); ++i) {
      losses.squared[i] +=
          static_cast<double>(errors.squared[i]) / static_cast<double>(runs.size());
      losses.absolute[i] +=
          static_cast<double>(errors.absolute[i]) / static_cast<double>(runs.size());
    }
  }
  return losses;
}

// Windows of one moment are no evidence apart from each other: of a panel, whose series all have
// one of that row, their mean is one loss.
std::vector<double> by_row(const std::vector<double>& rows, const std::vector<double>& losses) {
  std::map<double, std::pair<double, std::size_t>> sums;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    auto& [sum, count] = sums[rows[i]];
    sum += losses[i];
    ++count;
  }
  std::vector<double> means;
  means.reserve(sums.size());
  for (const auto& [row, sum] : sums) {
    means.push_back(sum.first / static_cast<double>(sum.second));
  }
  return means;
}

double promotion(const Runs& own, const Runs& original, double RunRecord::*field) {
  const double before = over_seeds(original, field).mean;
  return 100.0 * (before - over_seeds(own, field).mean) / before;
}

class Builder {
 public:
  Builder(const Study& study, const std::vector<RunRecord>& records) : study_(study) {
    for (const RunRecord& record : records) newest_[record.key] = &record;
  }

  Standings build() && {
    for (const Contender& model : study_.models) standings_.columns.push_back(model.name);
    for (const OutsideForecasts& outside : study_.forecasts) {
      if (std::ranges::find(standings_.columns, outside.name) == standings_.columns.end()) {
        standings_.columns.push_back(outside.name);
      }
    }
    standings_.mse_firsts.resize(standings_.columns.size());
    standings_.mae_firsts.resize(standings_.columns.size());
    for (const StudyDataset& dataset : study_.datasets) add(dataset);
    return std::move(standings_);
  }

 private:
  Runs trained(const std::string& model, const std::string& dataset, std::int64_t horizon,
               const std::vector<std::int64_t>& seeds) const {
    Runs runs;
    for (const std::int64_t seed : seeds) {
      const auto found = newest_.find({model, dataset, horizon, seed});
      if (found != newest_.end() && !found->second->is_outside) runs.push_back(found->second);
    }
    return runs;
  }

  Runs of_column(std::size_t column, const std::string& dataset, std::int64_t horizon) {
    const std::string& name = standings_.columns[column];
    const bool is_model = column < study_.models.size();
    Runs runs;
    if (is_model) {
      runs = trained(name, dataset, horizon, study_.seeds);
    } else {
      const auto found = newest_.find({name, dataset, horizon, 0});
      if (found != newest_.end() && found->second->is_outside) runs.push_back(found->second);
    }
    const bool is_wanted =
        is_model || std::ranges::any_of(study_.forecasts, [&](const OutsideForecasts& each) {
          return each.name == name && each.dataset == dataset && each.horizon == horizon;
        });
    if (is_wanted) {
      standings_.runs += runs.size();
      standings_.missing += (is_model ? study_.seeds.size() : 1) - runs.size();
    }
    return runs;
  }

  void add(const StudyDataset& dataset) {
    std::vector<StandingsRow> rows;
    for (const std::int64_t horizon : dataset.horizons) {
      StandingsRow row{.dataset = dataset.name, .horizon = horizon};
      for (std::size_t column = 0; column < standings_.columns.size(); ++column) {
        const Runs runs = of_column(column, dataset.name, horizon);
        row.standings.push_back(standing_of(runs));
        if (!runs.empty() && row.baselines.empty()) {
          row.baselines = runs.front()->baselines;
          row.windows = runs.front()->test_windows;
        }
      }
      rank_both(row);
      for (std::size_t column = 0; column < standings_.columns.size(); ++column) {
        standings_.mse_firsts[column] += row.standings[column].mse_rank == 1;
        standings_.mae_firsts[column] += row.standings[column].mae_rank == 1;
      }
      rows.push_back(std::move(row));
      compare(dataset.name, horizon);
    }
    if (rows.size() > 1) {
      StandingsRow mean{.dataset = dataset.name, .baselines = mean_baselines(rows)};
      for (std::size_t column = 0; column < standings_.columns.size(); ++column) {
        mean.standings.push_back(mean_standing(dataset, column));
      }
      rank_both(mean);
      rows.push_back(std::move(mean));
    }
    std::ranges::move(rows, std::back_inserter(standings_.rows));
  }

  // Over horizons, seed by seed; of the seeds that have every horizon.
  Standing mean_standing(const StudyDataset& dataset, std::size_t column) const {
    const bool is_model = column < study_.models.size();
    std::vector<RunRecord> means;
    for (const std::int64_t seed : is_model ? study_.seeds : std::vector<std::int64_t>{0}) {
      Runs runs;
      for (const std::int64_t horizon : dataset.horizons) {
        const auto found = newest_.find({standings_.columns[column], dataset.name, horizon, seed});
        if (found != newest_.end() && found->second->is_outside != is_model) {
          runs.push_back(found->second);
        }
      }
      if (runs.size() == dataset.horizons.size()) means.push_back(mean_run(runs));
    }
    Runs seeds;
    for (const RunRecord& mean : means) seeds.push_back(&mean);
    return standing_of(seeds);
  }

  void compare(const std::string& dataset, std::int64_t horizon) {
    for (const Contender& model : study_.models) {
      if (model.around == Contender::Around::kNothing) continue;
      const auto original = std::ranges::find_if(study_.models, [&](const Contender& other) {
        return other.around == Contender::Around::kNothing && other.backbone == model.backbone;
      });
      if (original == study_.models.end()) continue;
      // Seeds that both have: others would compare the seeds.
      std::vector<std::int64_t> seeds;
      for (const std::int64_t seed : study_.seeds) {
        if (newest_.contains({model.name, dataset, horizon, seed}) &&
            newest_.contains({original->name, dataset, horizon, seed})) {
          seeds.push_back(seed);
        }
      }
      if (seeds.empty()) continue;
      add_comparison({.model = model.name,
                      .original = original->name,
                      .dataset = dataset,
                      .horizon = horizon,
                      .seeds = seeds.size(),
                      .squared = {},
                      .absolute = {}},
                     seeds);
    }
  }

  void add_comparison(Comparison comparison, const std::vector<std::int64_t>& seeds) {
    const Runs own = trained(comparison.model, comparison.dataset, comparison.horizon, seeds);
    const Runs before = trained(comparison.original, comparison.dataset, comparison.horizon, seeds);
    comparison.mse_promotion = promotion(own, before, &RunRecord::mse);
    comparison.mae_promotion = promotion(own, before, &RunRecord::mae);
    const MeanLosses ours = mean_losses(own, study_.out);
    const MeanLosses theirs = mean_losses(before, study_.out);
    if (!ours.first_rows.empty() && ours.first_rows == theirs.first_rows) {
      const auto horizon = static_cast<std::size_t>(comparison.horizon);
      const auto test = [&](const std::vector<double>& new_losses,
                            const std::vector<double>& old_losses) {
        return diebold_mariano(by_row(ours.first_rows, new_losses),
                               by_row(theirs.first_rows, old_losses), horizon);
      };
      comparison.squared = test(ours.squared, theirs.squared);
      comparison.absolute = test(ours.absolute, theirs.absolute);
    }
    standings_.comparisons.push_back(std::move(comparison));
  }

  const Study& study_;
  std::map<RunKey, const RunRecord*> newest_;
  Standings standings_;
};

}  // namespace

Standings make_standings(const Study& study, const std::vector<RunRecord>& records) {
  return Builder(study, records).build();
}

}  // namespace pulsecast::benchmark
