#include "pulsecast/train/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/series/period.h"
#include "pulsecast/data/windows/window_steps.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/ridge.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kMostCodebookRows = 96;
constexpr std::size_t kMostPatch = 24;
constexpr std::size_t kUsualKernel = 5;
constexpr std::size_t kMostTimeWidth = 64;
constexpr std::size_t kUsualRouterWidth = 16;
constexpr std::size_t kManyChannels = 64;
constexpr std::size_t kEpochRows = 1'000'000;  // windows of one channel
constexpr std::size_t kFewestSteps = 20;

std::size_t size_of(std::int64_t value) { return static_cast<std::size_t>(value); }

std::size_t largest_divisor(std::size_t number, std::size_t most) {
  for (std::size_t divisor = std::min(number, most); divisor > 1; --divisor) {
    if (number % divisor == 0) return divisor;
  }
  return 1;
}

std::size_t count_role(const Series& series, Role role) {
  return static_cast<std::size_t>(std::ranges::count(series.channels, role, &Channel::role));
}

// Of complete settings; a size that is unset is one that the backbone does not have.
model::BackboneSizes backbone_sizes(const ModelSettings& given) {
  model::BackboneSizes sizes;
  const auto take = [](std::size_t& size, const std::optional<std::int64_t>& own) {
    if (own) size = size_of(*own);
  };
  take(sizes.width, given.width);
  take(sizes.heads, given.heads);
  take(sizes.layers, given.layers);
  take(sizes.feed_forward, given.feed_forward);
  sizes.patch = size_of(given.backbone_patch);
  sizes.stride = size_of(given.backbone_stride);
  sizes.moving_average = size_of(given.moving_average);
  sizes.top_periods = size_of(given.top_periods);
  sizes.dropout = static_cast<float>(*given.backbone_dropout);
  return sizes;
}

// What the plan found, put beside what was told: settings that leave nothing open that new rows or
// a second training need.
Settings settled(Settings settings, const Plan& plan, const Series& series) {
  const auto number = [](std::size_t size) { return static_cast<std::int64_t>(size); };
  DataSettings& data = settings.data;
  data.lookback = std::to_string(plan.shape.lookback);
  data.horizon = std::to_string(plan.shape.horizon);
  data.period = plan.calendar.period;
  data.time_features.clear();
  for (const CalendarFeature feature : plan.calendar.features) {
    data.time_features.emplace_back(name(feature));
  }
  if (!data.time_zone && !series.zone.is_utc()) data.time_zone = series.zone.name();
  if (plan.shape.anchor) {
    settings.model.codebook_rows = number(plan.shape.codebook_rows);
    settings.model.patch = number(plan.shape.patch);
    settings.model.router_width = number(plan.shape.router_width);
    settings.model.time_kernel = number(plan.shape.time_kernel);
  }
  settings.training.batch = number(plan.batch);
  settings.training.epoch_steps = number(plan.epoch_steps);
  return settings;
}

class Planner {
 public:
  Planner(const Series& series, const Settings& told)
      : series_(series), settings_(complete(told)), rows_(target_rows(series)) {}

  Plan make() && {
    if (rows_ == 0) {
      throw_error(ErrorKind::kData, series_.source,
                  "no row has a value of a target, so there is nothing to learn from");
    }
    model::ModelShape& shape = plan_.shape;
    shape.horizon = size_of(horizon_steps(settings_.data, series_.step));
    if (!settings_.data.horizon) {
      chose("horizon", std::to_string(shape.horizon), "the default");
    }
    shape.channels = count_role(series_, Role::kTarget);
    split();
    calendar();
    shape.period = size_of(plan_.calendar.period);
    shape.features = plan_.calendar.features.size() + count_role(series_, Role::kKnown);
    lookback();
    model();
    batch();
    epoch();
    plan_.settings = settled(settings_, plan_, series_);
    return std::move(plan_);
  }

 private:
  void chose(std::string what, std::string value, std::string why) {
    plan_.decisions.push_back({std::move(what), std::move(value), std::move(why)});
  }

  void split() {
    if (settings_.data.split) {
      plan_.split = parse_split(*settings_.data.split, series_);
      return;
    }
    // At least one window of validation, and no more than a third of the rows.
    const std::size_t newest =
        std::min(std::max(rows_ / 10, plan_.shape.horizon), std::max<std::size_t>(1, rows_ / 3));
    plan_.split = {{0, rows_ - newest}, {rows_ - newest, rows_}, {rows_, rows_}};
    chose("split", fmt::format("validation on the newest {} of {}", newest, counted(rows_, "row")),
          "nothing is held out for test without a split or a recipe");
  }

  void calendar() {
    plan_.calendar = plan_calendar(series_, plan_.split.train, settings_.data);
    const std::int32_t period = plan_.calendar.period;
    if (!settings_.data.period) {
      chose("period", std::to_string(period),
            period == 1 ? "no cycle stands out in the autocorrelation of the training rows"
                        : "the strongest cycle in the autocorrelation of the training rows");
    }
    if (settings_.data.time_features.empty()) {
      std::vector<std::string> names;
      for (const CalendarFeature feature : plan_.calendar.features)
        names.emplace_back(name(feature));
      chose("time-features", joined(names),
            period == 1 ? "those that come round within a week"
                        : "those that come round within the period");
    }
  }

  void lookback() {
    model::ModelShape& shape = plan_.shape;
    if (const auto given = lookback_steps(settings_.data, series_.step)) {
      shape.lookback = size_of(*given);
      return;
    }
    const auto usual = static_cast<std::size_t>(kUsualLookback);
    const std::size_t periods = (usual + shape.period - 1) / shape.period;
    shape.lookback = shape.period == 1 ? usual : periods * shape.period;
    // Half of the training rows at most, so that there is something to learn from.
    const std::size_t train = plan_.split.train.size();
    const std::size_t most = train > shape.horizon ? (train - shape.horizon) / 2 : 0;
    if (shape.lookback > most) {
      shape.lookback = std::max<std::size_t>(2, most);
      chose("lookback", std::to_string(shape.lookback), "the rows allow no more");
    } else {
      chose("lookback", std::to_string(shape.lookback),
            shape.period == 1
                ? "the usual, where there is no period"
                : fmt::format("{}, at least {} steps", counted(periods, "period"), usual));
    }
  }

  void model() {
    model::ModelShape& shape = plan_.shape;
    const ModelSettings& given = settings_.model;
    const std::optional<BackboneKind> alone = backbone_alone(given.model);
    shape.alone = alone.has_value();
    shape.backbone = alone.value_or(given.backbone);
    shape.hidden = size_of(given.hidden);
    shape.sizes = backbone_sizes(given);
    shape.anchor = given.anchor && !shape.alone;
    shape.router = shape.anchor && given.router;
    shape.codebook_order = *given.codebook_order;
    shape.dropout = static_cast<float>(given.dropout);
    if (shape.anchor) anchor();
    require_valid(shape);
    if (settings_.training.solver == Solver::kRidge && !has_closed_form(shape)) {
      throw make_error(ErrorKind::kUsage, "solver",
                       "{} has no closed form: only the linear backbone alone has one",
                       model_title(shape))
          .with(remedy::set("model", "linear", "is that model"))
          .with(remedy::set("solver", "gradients", "trains this one"));
    }
  }

  void anchor() {
    model::ModelShape& shape = plan_.shape;
    const ModelSettings& given = settings_.model;
    if (given.codebook_rows) {
      shape.codebook_rows = size_of(*given.codebook_rows);
    } else {
      shape.codebook_rows = largest_divisor(shape.period, kMostCodebookRows);
      chose("codebook-rows", std::to_string(shape.codebook_rows),
            shape.codebook_rows == shape.period ? "a row a phase of the period"
                                                : "the largest divisor of the period up to 96");
    }
    if (given.patch) {
      shape.patch = size_of(*given.patch);
    } else {
      const std::size_t fits = std::min({kMostPatch, shape.lookback, shape.horizon});
      shape.patch = shape.period == 1 ? fits : largest_divisor(shape.period, fits);
      chose("patch", std::to_string(shape.patch),
            shape.period == 1 ? "no period to follow"
                              : "the largest divisor of the period up to 24 that fits");
    }
    shape.router_width = given.router_width ? size_of(*given.router_width) : kUsualRouterWidth;
    shape.time_kernel = given.time_kernel ? size_of(*given.time_kernel) : kUsualKernel;
    // The encoders grow with the square of their width, and the calendar has little to say that
    // needs a number per channel.
    const auto width = [&](const std::optional<std::int64_t>& shrink) {
      const std::size_t own =
          shrink ? shape.channels / size_of(*shrink) : std::min(shape.channels, kMostTimeWidth);
      return std::max(size_of(*given.time_width_min), own);
    };
    shape.time_width_a = width(given.time_shrink_a);
    shape.time_width_b = width(given.time_shrink_b);
  }

  std::size_t training_windows() const {
    const std::size_t window = plan_.shape.lookback + plan_.shape.horizon;
    const std::size_t train = plan_.split.train.size();
    return train >= window ? train - window + 1 : 1;
  }

  void epoch() {
    if (settings_.training.epoch_steps) {
      plan_.epoch_steps = size_of(*settings_.training.epoch_steps);
      return;
    }
    const std::size_t step = plan_.batch * plan_.shape.channels;
    const std::size_t all = training_windows() / plan_.batch;
    const std::size_t enough = std::max(kFewestSteps, (kEpochRows + step - 1) / step);
    if (enough >= all) return;
    plan_.epoch_steps = enough;
    chose("steps an epoch", std::to_string(enough),
          fmt::format("of {} over all windows, drawn anew every epoch: many channels", all));
  }

  void batch() {
    if (settings_.training.batch) {
      plan_.batch = size_of(*settings_.training.batch);
      return;
    }
    const std::size_t windows = training_windows();
    const std::size_t usual = plan_.shape.channels > kManyChannels ? 64 : 256;
    plan_.batch = std::clamp<std::size_t>(windows / kFewestSteps, 8, usual);
    chose("batch", std::to_string(plan_.batch),
          plan_.batch < usual ? "few windows: at least 20 steps an epoch"
                              : (usual == 64 ? "many channels" : "the usual"));
  }

  const Series& series_;
  const Settings settings_;  // complete
  std::size_t rows_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Series& series, const Settings& told) { return Planner(series, told).make(); }

}  // namespace pulsecast::train
