#include "pulsecast/backtest_rival.h"

#include <algorithm>
#include <limits>

#include "pulsecast/artifact/model_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/forecast/align.h"

namespace pulsecast {

void rescale(std::span<float> values, const Scaler& from, std::size_t from_channel,
             const Scaler& to, std::size_t to_channel) {
  if (from.means()[from_channel] == to.means()[to_channel] &&
      from.scales()[from_channel] == to.scales()[to_channel]) {
    return;
  }
  for (float& value : values) {
    value = static_cast<float>(to.scaled(to_channel, from.original(from_channel, value)));
  }
}

BacktestRival::BacktestRival(const Series& series, const OriginForecasts& ours,
                             std::span<const RowRange> rows, bool is_panel,
                             const BacktestOptions& options, ThreadPool& pool)
    : series_(series),
      options_(options),
      pool_(pool),
      scaler_(ours.scaler()),
      lead_(ours.scaled().lead()),
      targets_(ours.targets()),
      horizon_(ours.horizon()) {
  if (options.against_model) open_model(rows, is_panel);
}

void BacktestRival::open_model(std::span<const RowRange> rows, bool is_panel) {
  const artifact::Model& other = options_.against_model->inside();
  const std::string& name = options_.against_name;
  const std::size_t horizon = options_.against_model->card().horizon;
  if (horizon < horizon_) {
    throw_error(ErrorKind::kUsage, name,
                "it forecasts {}, and the model {}: both must forecast the same steps",
                counted(horizon, "step"), horizon_);
  }
  if (other.is_panel() != is_panel) {
    throw_error(ErrorKind::kUsage, name,
                "one of the models forecasts each series alone and the other all channels "
                "together: their windows are not the same");
  }
  aligned_ = align(series_, other);
  model_ = std::make_unique<OriginForecasts>(*aligned_, other, rows, pool_);
  // A channel that is new has nothing to be held against.
  for (std::size_t c = 0; c < targets_; ++c) {
    std::optional<std::size_t>& there = theirs_.emplace_back();
    for (std::size_t k = 0; k < model_->targets() && !there; ++k) {
      if (aligned_->channels[k].name == series_.channels[c].name) there = k;
    }
  }
  if (std::ranges::none_of(theirs_, [](const auto& there) { return there.has_value(); })) {
    throw_error(ErrorKind::kUsage, name, "it forecasts none of the model's channels");
  }
  const Instant seen = std::max(other.origin.trained.last, other.origin.validated.last);
  const std::size_t first = rows.front().begin;
  if (first < series_.rows() && series_.stamps[first] <= seen) {
    options_.watch.remark(fmt::format(
        "{} has seen rows up to {}, some of which are forecast here: its errors flatter it", name,
        to_text(seen, series_.zone)));
  }
}

std::size_t BacktestRival::row_there(std::size_t row) const {
  return row - lead_ + model_->scaled().lead();
}

void BacktestRival::mask(std::size_t row, std::span<std::uint8_t> present) const {
  if (!model_) return;
  std::vector<std::uint8_t> theirs(model_->targets());
  model_->present(row_there(row), theirs);
  for (std::size_t c = 0; c < targets_; ++c) {
    if (!theirs_[c] || theirs[*theirs_[c]] == 0) present[c] = 0;
  }
}

void BacktestRival::read(std::span<const std::size_t> origins, std::vector<std::uint8_t> present) {
  if (options_.against_forecasts.empty()) return;
  ForecastWindows windows{.series = series_,
                          .scaler = scaler_,
                          .channels = targets_,
                          .horizon = horizon_,
                          .first_targets = {},
                          .present = std::move(present)};
  for (const std::size_t row : origins) windows.first_targets.push_back(row - lead_);
  file_ = std::make_unique<ReadForecasts>(options_.against_forecasts, windows, pool_);
}

std::vector<float> BacktestRival::forecast(std::size_t number, std::size_t row) {
  if (file_) {
    const std::span<const float> values = file_->window(number);
    return {values.begin(), values.end()};
  }
  const std::size_t horizon = model_->horizon();
  std::vector<float> all(model_->targets() * horizon);
  const std::size_t there = row_there(row);
  model_->forecast({&there, 1}, all);
  std::vector<float> own(targets_ * horizon_, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t c = 0; c < targets_; ++c) {
    if (!theirs_[c]) continue;
    const Scaler& from = model_->scaler();
    const auto values = std::span(own).subspan(c * horizon_, horizon_);
    std::copy_n(all.data() + *theirs_[c] * horizon, horizon_, values.data());
    rescale(values, from, *theirs_[c], scaler_, c);
  }
  return own;
}

}  // namespace pulsecast
