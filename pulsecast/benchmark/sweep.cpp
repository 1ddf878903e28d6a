#include "pulsecast/benchmark/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/catalogue.h"

namespace pulsecast::benchmark {
namespace {

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string_view value = text.substr(begin, end - begin);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    values.emplace_back(value);
    begin = end + 1;
  }
  return values;
}

std::string name_at(const std::string& model, const std::string& setting,
                    const std::string& value) {
  return fmt::format("{} {}={}", model, setting, value);
}

double kept_validation(const RunRecord& record) {
  const std::size_t epoch = record.best_epoch;
  const bool is_known = epoch >= 1 && epoch <= record.validation_mse.size();
  return is_known ? record.validation_mse[epoch - 1] : std::numeric_limits<double>::quiet_NaN();
}

SweepPoint point_of(const std::vector<const RunRecord*>& runs) {
  SweepPoint point{.seeds = runs.size()};
  if (runs.empty()) return point;
  std::vector<double> validation, mse, mae;
  for (const RunRecord* run : runs) {
    validation.push_back(kept_validation(*run));
    mse.push_back(run->mse);
    mae.push_back(run->mae);
  }
  point.validation = mean_spread(validation);
  point.mse = mean_spread(mse);
  point.mae = mean_spread(mae);
  point.weights = runs.front()->weights;
  return point;
}

std::vector<const RunRecord*> runs_of(const Study& study, const std::vector<RunRecord>& records,
                                      const std::string& model, const std::string& dataset,
                                      std::int64_t horizon) {
  std::vector<const RunRecord*> runs;
  for (const std::int64_t seed : study.seeds) {
    const auto found =
        std::ranges::find(records, RunKey{model, dataset, horizon, seed}, &RunRecord::key);
    if (found != records.end()) runs.push_back(&*found);
  }
  return runs;
}

// Over horizons that all have as many seeds; the spread over seeds is not carried over.
SweepPoint mean_point(std::span<const SweepLine> horizons, std::size_t value) {
  SweepPoint mean;
  const auto count = static_cast<double>(horizons.size());
  for (const SweepLine& line : horizons) {
    const SweepPoint& point = line.points[value];
    if (point.seeds == 0 || point.seeds != horizons.front().points[value].seeds) return {};
    mean.validation.mean += point.validation.mean / count;
    mean.mse.mean += point.mse.mean / count;
    mean.mae.mean += point.mae.mean / count;
    mean.weights = std::max(mean.weights, point.weights);
    mean.seeds = point.seeds;
  }
  return mean;
}

}  // namespace

Sweep make_sweep(const Study& study, std::string_view vary, const std::string& where) {
  const std::size_t equals = vary.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == vary.size()) {
    throw_error(ErrorKind::kUsage, where,
                "expected a setting and its values, such as width=8,16,32; got '{}'", vary);
  }
  Sweep sweep{
      .study = study, .setting = std::string(vary.substr(0, equals)), .values = {}, .models = {}};
  refuse_grid_setting(sweep.setting, where);
  sweep.values = split_values(vary.substr(equals + 1));
  Settings scratch;
  const std::vector<BoundSetting> bound = bind_all(scratch);
  const BoundSetting& setting = find_setting(bound, sweep.setting, where);
  for (std::size_t i = 0; i < sweep.values.size(); ++i) {
    const std::string& value = sweep.values[i];
    setting.assign({&value, 1}, where);
    if (std::find(sweep.values.begin(), sweep.values.begin() + static_cast<std::ptrdiff_t>(i),
                  value) != sweep.values.begin() + static_cast<std::ptrdiff_t>(i)) {
      throw_error(ErrorKind::kUsage, where, "{} is there twice", value);
    }
  }
  sweep.study.out /= "sweep-" + sweep.setting;
  sweep.study.models.clear();
  sweep.study.model_overrides.clear();
  sweep.study.forecasts.clear();  // of other programs, which know nothing of the setting
  for (const Contender& model : study.models) {
    sweep.models.push_back(model.name);
    for (const std::string& value : sweep.values) {
      Contender varied = model;
      varied.name = name_at(model.name, sweep.setting, value);
      const auto own = study.model_overrides.find(model.name);
      auto& overrides = sweep.study.model_overrides[varied.name];
      if (own != study.model_overrides.end()) overrides = own->second;
      overrides.push_back({sweep.setting, {value}, where});
      sweep.study.models.push_back(std::move(varied));
    }
  }
  return sweep;
}

std::vector<SweepLine> sweep_lines(const Sweep& sweep, const std::vector<RunRecord>& records) {
  std::vector<SweepLine> lines;
  for (const StudyDataset& dataset : sweep.study.datasets) {
    for (const std::string& model : sweep.models) {
      const std::size_t first = lines.size();
      for (const std::int64_t horizon : dataset.horizons) {
        SweepLine line{.model = model, .dataset = dataset.name, .horizon = horizon, .points = {}};
        for (const std::string& value : sweep.values) {
          line.points.push_back(point_of(runs_of(
              sweep.study, records, name_at(model, sweep.setting, value), dataset.name, horizon)));
        }
        lines.push_back(std::move(line));
      }
      if (dataset.horizons.size() < 2) continue;
      SweepLine mean{.model = model, .dataset = dataset.name, .horizon = 0, .points = {}};
      for (std::size_t value = 0; value < sweep.values.size(); ++value) {
        mean.points.push_back(
            mean_point(std::span(lines).subspan(first, dataset.horizons.size()), value));
      }
      lines.push_back(std::move(mean));
    }
  }
  return lines;
}

std::optional<std::size_t> best_validated(const SweepLine& line) {
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < line.points.size(); ++i) {
    if (line.points[i].seeds == 0 || std::isnan(line.points[i].validation.mean)) continue;
    if (!best || line.points[i].validation.mean < line.points[*best].validation.mean) best = i;
  }
  return best;
}

}  // namespace pulsecast::benchmark
