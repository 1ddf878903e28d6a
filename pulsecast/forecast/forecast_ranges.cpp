#include "pulsecast/forecast/forecast_ranges.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast {

ForecastRanges::ForecastRanges(const artifact::Model& model, const ForecastOptions& options)
    : model_(model),
      request_(options.levels, options.quantiles),
      recent_steps_(calibrate::recent_steps(model.shape().lookback, model.shape().period)) {
  if (!model.ranges) {
    throw make_error(ErrorKind::kUsage, "ranges",
                     "the model has none: no rows were kept to measure them on when it was "
                     "trained, because it was told so, its rows for validation were fewer than "
                     "two horizons, or it is older than ranges are")
        .with(remedy::set("calibration", "0.5", "in training keeps half of validation for them"))
        .with(remedy::advice("train with more rows for validation"));
  }
  model.ranges->require(request_.probabilities(), "ranges");
}

calibrate::WindowRanges ForecastRanges::ranges() const {
  return {*model_.ranges, request_, replay ? &replay->correction : nullptr};
}

void ForecastRanges::add(std::size_t channel, const calibrate::Outlook& window, double unit,
                         calibrate::WindowRanges& made, ChannelForecast& out) const {
  made.make(model_.ranges->set_of(channel, model_.is_panel(), window.look), window);
  const auto around = [&](std::size_t p) {
    const std::span<const float> distances = made.distances(p);
    std::vector<double> values = out.values;
    for (std::size_t h = 0; h < values.size(); ++h) values[h] += unit * double{distances[h]};
    return values;
  };
  out.ranges.reserve(request_.levels().size());
  for (const auto& level : request_.levels()) {
    out.ranges.push_back({level.level, around(level.lower), around(level.upper)});
  }
  for (const auto& quantile : request_.quantiles()) {
    out.quantiles.push_back({quantile.probability, around(quantile.at)});
  }
}

std::unique_ptr<ForecastRanges> ranges_for(const artifact::Model& model,
                                           const ForecastOptions& options) {
  if (options.levels.empty() && options.quantiles.empty()) return nullptr;
  return std::make_unique<ForecastRanges>(model, options);
}

}  // namespace pulsecast
