#include "pulsecast/train/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/series/panel_choice.h"
#include "pulsecast/data/series/usual_horizon.h"
#include "pulsecast/data/windows/series_windows.h"
#include "pulsecast/data/windows/window_steps.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/training_declaration.h"
#include "pulsecast/settings/usual.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/lookback_wish.h"
#include "pulsecast/train/ridge.h"
#include "pulsecast/train/settled.h"

namespace pulsecast::train {
namespace {

constexpr std::size_t kMostCodebookRows = 96;
constexpr std::size_t kMostWeekRows = 168;  // of a week's codebook: hours
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

bool mixes_channels(BackboneKind backbone) {
  return backbone == BackboneKind::kITransformer || backbone == BackboneKind::kTimeXer ||
         backbone == BackboneKind::kTimesNet || backbone == BackboneKind::kMsgNet ||
         backbone == BackboneKind::kCrossformer;
}

// The rows that hold a part of every series.
RowRange hull_of(std::span<const Split> splits, RowRange Split::*part) {
  RowRange hull;
  for (const Split& split : splits) {
    const RowRange own = split.*part;
    if (own.size() == 0) continue;
    if (hull.size() == 0) hull = own;
    hull = {std::min(hull.begin, own.begin), std::max(hull.end, own.end)};
  }
  return hull;
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
    horizon();
    const std::size_t targets = count_role(series_, Role::kTarget);
    const bool is_panel = panel(targets);
    if (!is_panel) tell_masks();
    shape.channels = is_panel ? 1 : targets;
    if (is_panel) {
      split_series();
    } else {
      split();
    }
    calendar();
    shape.period = size_of(plan_.calendar.period);
    shape.features = plan_.calendar.features.size() + known_inputs();
    lookback();
    model();
    batch();
    epoch();
    training();
    plan_.settings = settled(settings_, plan_, series_);
    return std::move(plan_);
  }

 private:
  void chose(std::string what, std::string value, std::string why) {
    plan_.decisions.push_back({std::move(what), std::move(value), std::move(why)});
  }

  void horizon() {
    if (settings_.data.horizon) {
      plan_.shape.horizon = size_of(horizon_steps(settings_.data, series_.step));
      return;
    }
    const UsualHorizon usual = usual_horizon(series_.step, rows_);
    plan_.shape.horizon = usual.steps;
    chose("horizon", std::to_string(usual.steps), usual.why);
  }

  bool panel(std::size_t targets) {
    if (settings_.data.panel) {
      const bool is_panel = *settings_.data.panel == Panel::kSeries;
      if (!is_panel) refuse_statics_of_channels("of channels together");
      return is_panel;
    }
    if (targets <= kMostTogether && is_long(series_) && mixes_channels(looks_with())) {
      refuse_statics_of_channels("of a backbone that looks across channels");
      chose("panel", "channels", "this backbone looks across channels; missing ones are masked");
      return false;
    }
    const std::optional<std::string> why = why_each_alone(series_);
    if (!why) return false;
    chose("panel", "series", *why + ": each has windows of its own, all share the weights");
    return true;
  }

  // What a window lacks is masked for every backbone; those that look across channels see it.
  void tell_masks() {
    const bool is_said = std::ranges::count(plan_.decisions, "panel", &Decision::what) > 0;
    if (is_said || !mixes_channels(looks_with())) return;
    const bool has_gaps = std::ranges::any_of(series_.channels, [&](const Channel& channel) {
      return channel.role == Role::kTarget &&
             (channel.begin > 0 || channel.values.size() < rows_ ||
              std::ranges::any_of(channel.values, [](double value) { return std::isnan(value); }));
    });
    if (has_gaps) {
      chose("gaps", "masked",
            "this backbone looks across channels: one without values is left out");
    }
  }

  BackboneKind looks_with() const {
    return backbone_alone(settings_.model.model).value_or(settings_.model.backbone);
  }

  void refuse_statics_of_channels(const char* what) const {
    if (series_.statics.empty()) return;
    throw make_error(ErrorKind::kUsage, Place::of_setting("static"),
                     "a static column tells series apart that share their weights; those {} have "
                     "weights that tell them apart",
                     what)
        .with(remedy::set("panel", "series", "shares the weights"))
        .with(remedy::advice("leave the static columns out"));
  }

  // Columns that are known may not be left out unseen.
  void require_known_are_read() const {
    const model::ModelShape& shape = plan_.shape;
    if (settings_.model.known_as == KnownAs::kEffects || known_inputs() == 0) return;
    if (shape.anchor || mixes_channels(shape.backbone)) return;
    throw make_error(ErrorKind::kUsage, Place::of_setting("known-as"),
                     "{} reads no calendar features, so that known columns cannot be among them",
                     model_title(shape))
        .with(remedy::set("known-as", "effects", "takes off what they do, of any model"));
  }

  // Of a window; with effects alone the model does not see them.
  std::size_t known_inputs() const {
    if (settings_.model.known_as == KnownAs::kEffects) return 0;
    if (!plan_.is_panel()) return count_role(series_, Role::kKnown);
    const std::uint32_t first = series_.channels.front().series;
    return static_cast<std::size_t>(std::ranges::count_if(series_.channels, [&](const Channel& c) {
      return c.role == Role::kKnown && c.series == first;
    }));
  }

  void split_series() {
    const std::size_t horizon = plan_.shape.horizon;
    if (settings_.training.validation_blocks.value_or(1) > 1) {
      throw make_error(ErrorKind::kUsage, Place::of_setting("validation-blocks"),
                       "each series of a panel validates by itself, on its newest rows, so that "
                       "there are as many blocks as series")
          .with(remedy::set("validation-blocks", "1", "is that"))
          .with(remedy::set("panel", "channels", "forecasts the series together"));
    }
    if (settings_.data.split) {
      plan_.series_splits = parse_splits(*settings_.data.split, series_);
    } else {
      plan_.series_splits = newest_validate(series_, horizon);
      chose("split", fmt::format("validation on the newest {} of each series", horizon),
            "one window of many series; nothing is held out for test without a split");
    }
    plan_.split = {hull_of(plan_.series_splits, &Split::train),
                   hull_of(plan_.series_splits, &Split::validation),
                   hull_of(plan_.series_splits, &Split::test)};
  }

  // Rows that training has: in a panel, those of a series of middling length.
  std::size_t train_rows() const {
    if (!plan_.is_panel()) return plan_.split.train.size();
    std::vector<std::size_t> rows;
    for (const Split& split : plan_.series_splits) rows.push_back(split.train.size());
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    std::ranges::nth_element(rows, middle);
    return *middle;
  }

  void split() {
    const std::size_t blocks = wanted_blocks();
    if (settings_.data.split) {
      plan_.split = parse_split(*settings_.data.split, series_);
    } else {
      // At least one window of validation, and no more than a third of the rows.
      const std::size_t newest =
          std::min(std::max(rows_ / 10, plan_.shape.horizon), std::max<std::size_t>(1, rows_ / 3));
      plan_.split = {{0, rows_ - newest}, {rows_ - newest, rows_}, {rows_, rows_}};
      chose("split",
            fmt::format("validation on the newest {} of {}", newest, counted(rows_, "row")),
            "nothing is held out for test without a split or a recipe");
    }
    if (blocks > 1) spread_validation(blocks);
  }

  void spread_validation(std::size_t wanted) {
    const std::size_t horizon = plan_.shape.horizon;
    plan_.spread = spread_blocks(plan_.split.train, plan_.split.validation,
                                 *settings_.training.calibration, horizon, wanted);
    if (!plan_.spread) {
      chose("validation-blocks", "1", "the rows allow no more");
      return;
    }
    plan_.split.train.end = plan_.spread->trains.back().end;
    plan_.split.validation.begin = plan_.spread->newest().begin;
    plan_.decisions.push_back(decision_of(*plan_.spread, horizon, wanted));
  }

  std::size_t wanted_blocks() const {
    const std::optional<std::int64_t> told = settings_.training.validation_blocks;
    const bool is_of_paper = settings_.data.split && find_dataset(*settings_.data.split) != nullptr;
    if (told && *told > 1 && is_of_paper) {
      throw make_error(ErrorKind::kUsage, Place::of_setting("validation-blocks"),
                       "the protocol of {} says on which rows it validates", *settings_.data.split)
          .with(remedy::set("split", "0.7,0.1,0.2", "leaves them open"));
    }
    if (told || settings_.data.split) return size_of(told.value_or(1));
    return size_of(usual::kValidationBlocks);
  }

  void calendar() {
    PlannedCalendar found = plan_calendar(series_, plan_.split.train, settings_.data);
    plan_.calendar = std::move(found.plan);
    cycles_ = std::move(found.cycles);
    const std::int32_t period = plan_.calendar.period;
    if (!settings_.data.period) {
      chose("period", std::to_string(period),
            period == 1 ? "no cycle stands out in the autocorrelation of the training rows"
            : found.is_of_calendar
                ? "the " + named_cycle(period) + " is strong in the training rows"
                : "the strongest cycle in the autocorrelation of the training rows");
    }
    if (settings_.data.time_features.empty()) {
      std::vector<std::string> names;
      for (const CalendarFeature feature : plan_.calendar.features)
        names.emplace_back(name(feature));
      chose("time-features", joined(names),
            (period == 1 ? "those that come round within a week"
                         : "those that come round within the period") +
                shares_text());
    }
  }

  std::string named_cycle(std::int32_t steps) const {
    const auto found = std::ranges::find(cycles_, size_of(steps), &CycleStrength::steps);
    return std::string(found == cycles_.end() ? "period" : name(found->cycle));
  }

  // "; the day explains 58 % of the variance, the week 31 % of the rest", of those that are strong.
  std::string shares_text() const {
    std::string text;
    for (const CycleStrength& cycle : cycles_) {
      if (!cycle.is_strong()) continue;
      const bool is_first = text.empty();
      text += fmt::format("{} the {} {}{:.0f} % of the {}", is_first ? ";" : ",", name(cycle.cycle),
                          is_first ? "explains " : "", 100.0 * cycle.share,
                          is_first ? "variance" : "rest");
    }
    return text;
  }

  void lookback() {
    model::ModelShape& shape = plan_.shape;
    if (const auto given = lookback_steps(settings_.data, series_.step)) {
      shape.lookback = size_of(*given);
      return;
    }
    // Half of the training rows at most, so that there is something to learn from.
    const std::size_t train = train_rows();
    std::size_t most =
        std::max<std::size_t>(2, train > shape.horizon ? (train - shape.horizon) / 2 : 0);
    // Series that are shorter are padded.
    if (plan_.is_panel()) most = std::max(most, train / 3 * 2);
    const LookbackChoice choice =
        within(wished_lookback(series_, shape.period, cycles_, plan_.is_panel()), most);
    shape.lookback = choice.steps;
    chose("lookback", std::to_string(choice.steps), choice.why);
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
    past();
    shape.codebook_order = *given.codebook_order;
    shape.dropout = static_cast<float>(given.dropout);
    if (shape.anchor) anchor();
    shape.companion = given.companion == CompanionKind::kRidge;
    require_valid(shape);
    require_known_are_read();
    if (settings_.training.solver == Solver::kRidge) require_closed_form(shape);
  }

  // Columns that are seen up to now only; of a panel's series or of a backbone that cannot read
  // them the caller has left them out, and said so (past_columns.h).
  void past() {
    model::ModelShape& shape = plan_.shape;
    if (plan_.is_panel()) return;
    plan_.past_columns = count_role(series_, Role::kPast);
    if (plan_.past_columns == 0 || !model::reads_past(shape.backbone)) return;
    shape.past = plan_.past_columns;
    chose("past", counted(shape.past, "column"),
          fmt::format("{} reads the history of each", choice_name(shape.backbone)));
  }

  void require_closed_form(const model::ModelShape& shape) const {
    if (!has_closed_form(shape)) {
      throw make_error(ErrorKind::kUsage, "solver",
                       "{} has no closed form: only linear and channel_linear alone have one",
                       model_title(shape))
          .with(remedy::set("model", "linear", "is that model"))
          .with(remedy::set("solver", "gradients", "trains this one"));
    }
    if (plan_.is_panel() && shape.backbone == BackboneKind::kChannelLinear) {
      throw make_error(ErrorKind::kUsage, "model",
                       "channel_linear solves a ridge for each channel, and the series of a panel "
                       "share their weights")
          .with(remedy::set("model", "linear", "has one ridge for all series"))
          .with(remedy::set("panel", "channels", "forecasts the series together"));
    }
  }

  void anchor() {
    model::ModelShape& shape = plan_.shape;
    const ModelSettings& given = settings_.model;
    if (given.codebook_rows) {
      shape.codebook_rows = size_of(*given.codebook_rows);
    } else {
      codebook_rows();
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

  // Phases that share a row should be at the same time of the day.
  void codebook_rows() {
    model::ModelShape& shape = plan_.shape;
    const auto day = steps_of(CycleStrength::Cycle::kDay, series_.step);
    const auto week = steps_of(CycleStrength::Cycle::kWeek, series_.step);
    const bool is_week = week && day && shape.period == *week && *week == 7 * *day;
    const char* why = "the largest divisor of the period up to 96";
    if (is_week && shape.period <= kMostWeekRows) {
      shape.codebook_rows = shape.period;
    } else if (is_week) {
      shape.codebook_rows = *day;
      why = "a row a step of the day";
    } else {
      shape.codebook_rows = largest_divisor(shape.period, kMostCodebookRows);
    }
    chose("codebook-rows", std::to_string(shape.codebook_rows),
          shape.codebook_rows == shape.period ? "a row a phase of the period" : why);
  }

  std::size_t training_windows() const {
    const std::size_t window = plan_.shape.lookback + plan_.shape.horizon;
    if (plan_.is_panel()) {
      const std::size_t least =
          enough_history({plan_.shape.lookback, plan_.shape.horizon, plan_.shape.period}) +
          plan_.shape.horizon;
      std::size_t windows = 0;
      for (const Split& split : plan_.series_splits) {
        if (split.train.size() >= least) windows += split.train.size() - least + 1;
      }
      return std::max<std::size_t>(1, windows);
    }
    if (plan_.spread) {
      return plan_.spread->training_windows(plan_.shape.lookback, plan_.shape.horizon);
    }
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
          fmt::format("of {} over all windows, drawn anew every epoch: many {}", all,
                      plan_.is_panel() ? "series" : "channels"));
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

  void training() {
    TrainingSettings& training = settings_.training;
    const bool chooses_rate = !training.learning_rate;
    const bool chooses_loss = !training.loss;
    if (!plan_.is_panel()) {
      if (chooses_rate) training.learning_rate = usual::kLearningRate;
      if (chooses_loss) training.loss = usual::kLoss;
      return;
    }
    if (chooses_rate) {
      training.learning_rate = usual::kPanelLearningRate;
      chose("learning-rate", fmt::format("{}", usual::kPanelLearningRate),
            "all series share the weights");
    }
    if (chooses_loss) {
      training.loss = usual::kPanelLoss;
      chose("loss", std::string(choice_name(usual::kPanelLoss)),
            "an error counts by how much its series changes from one cycle to the next");
    }
  }

  const Series& series_;
  Settings settings_;  // complete
  std::size_t rows_;
  std::vector<CycleStrength> cycles_;
  Plan plan_;
};

}  // namespace

Plan make_plan(const Series& series, const Settings& told) { return Planner(series, told).make(); }

}  // namespace pulsecast::train
