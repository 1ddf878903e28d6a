#include "bench/peer_case.h"

#include <fmt/format.h>

#include <numeric>

#include "pulsecast/base/error.h"
#include "pulsecast/calendar/features.h"
#include "pulsecast/data/paper/dataset.h"
#include "pulsecast/data/synthetic/synthetic.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/trainer.h"
#include "pulsecast/train/validation.h"

namespace pulsecast::bench {
namespace {

constexpr std::size_t kAdamChunk = 16384;  // as in training

const Dataset& dataset_of(const CaseName& name) {
  const Dataset* dataset = find_dataset(name.dataset);
  if (dataset == nullptr) throw Error(ErrorKind::kUsage, "there is no dataset " + name.dataset);
  return *dataset;
}

}  // namespace

std::string CaseName::text() const {
  return fmt::format("{}{} {}{}{}", alone ? fmt::format("{} ", choice_name(*alone)) : "", dataset,
                     horizon, channels > 0 ? fmt::format(", {} channels", channels) : "",
                     periods == PeriodSource::kBatch ? " with the batch's periods" : "");
}

Settings settings_of(const CaseName& name) {
  Settings told;
  told.training.recipe = name.dataset;
  told.data.horizon = fmt::format("{}", name.horizon);
  if (name.alone) told.model.model = alone(*name.alone);
  told.model.periods_of = name.periods;
  if (name.lookback > 0) told.data.lookback = fmt::format("{}", name.lookback);
  if (name.batch > 0) told.training.batch = name.batch;
  return train::complete(told);
}

Series series_of(const CaseName& name) {
  const Dataset& dataset = dataset_of(name);
  SyntheticSettings made;
  made.rows = name.rows > 0 ? name.rows : static_cast<std::int64_t>(dataset.rows);
  made.channels = name.channels > 0 ? name.channels : static_cast<std::int64_t>(dataset.channels);
  made.step = std::string(dataset.step);
  return make_series(Synthetic(made));
}

PeerCase::PeerCase(const CaseName& name, ThreadPool& pool)
    : name_(name),
      pool_(pool),
      series_(series_of(name)),
      plan_(train::make_plan(series_, settings_of(name))),
      regimen_(train::regimen_of(plan_.settings.training)),
      scaler_(Scaler::fit(series_, plan_.split.train)) {
  scaled_.emplace(series_, scaler_, plan_.calendar);
  const std::size_t T = plan_.shape.lookback;
  const std::size_t H = plan_.shape.horizon;
  training_.emplace(*scaled_, T, H, plan_.split.train, History::kInside);
  test_.emplace(*scaled_, T, H, plan_.split.test, History::kReaches);
  pulse_ = std::make_unique<model::Pulse>(plan_.shape);
  pulse_->initialise(1);
}

nlohmann::json PeerCase::description() const {
  const model::ModelShape& s = plan_.shape;
  std::vector<std::string> features;
  for (const CalendarFeature feature : plan_.calendar.features) {
    features.emplace_back(pulsecast::name(feature));
  }
  const train::Plan& p = plan_;
  return {{"name", name_.text()},
          {"rows", series_.rows()},
          {"minutes", series_.step.mean_milliseconds() / 60000.0},
          {"features", features},
          {"train", p.split.train.end},
          {"test", {p.split.test.begin, p.split.test.end}},
          {"batch", p.batch},
          {"learning_rate", regimen_.learning_rate},
          {"settings",
           {{"T", s.lookback},
            {"H", s.horizon},
            {"C", s.channels},
            {"F", s.features},
            {"W", s.period},
            {"L", s.codebook_rows},
            {"P", s.patch},
            {"d", s.router_width},
            {"k", s.time_kernel},
            {"Ca", s.time_width_a},
            {"Cb", s.time_width_b},
            {"hidden", s.hidden},
            {"backbone", choice_name(s.backbone)},
            {"alone", s.alone},
            {"width", s.sizes.width},
            {"heads", s.sizes.heads},
            {"layers", s.sizes.layers},
            {"inner", s.sizes.feed_forward},
            {"patch", s.sizes.patch},
            {"stride", s.sizes.stride},
            {"average", s.sizes.moving_average},
            {"top", s.sizes.top_periods},
            {"kernel", s.sizes.kernel},
            {"shrink", s.sizes.calendar_shrink},
            {"share", s.sizes.frequency_share},
            {"graph", s.sizes.graph_channels},
            {"skip", s.sizes.skip_channels},
            {"periods", choice_name(s.sizes.periods_of)},
            {"routers", s.sizes.routers},
            {"backbone_rate", s.sizes.dropout}}}};
}

void PeerCase::prepare_step() {
  if (batch_ != nullptr) return;
  batcher_.emplace(*training_, plan_.batch, pool_);
  WindowOrder order = WindowOrder::shuffled(training_->size(), plan_.batch, 1);
  order.shuffle(1, 1);
  batch_ = &batcher_->gather(order.batch(0));
  training_step_.emplace(*pulse_, pool_, regimen_.loss, regimen_.mixup);
  draws_.emplace(1, regimen_.mixup_alpha);
  moment1_.assign(pulse_->parameters().count(), 0.0f);
  moment2_.assign(pulse_->parameters().count(), 0.0f);
}

void PeerCase::step() {
  prepare_step();
  const train::MixupDraw draw = draws_->draw(1, steps_, batch_->shape.samples);
  training_step_->run(
      *batch_, draw,
      {.seed = 1, .purpose = random::Purpose::kAttentionDropout, .epoch = 1, .step = steps_});
  ++steps_;
  const std::size_t count = moment1_.size();
  pool_.run((count + kAdamChunk - 1) / kAdamChunk, [&](std::size_t chunk, std::size_t) {
    const std::size_t first = chunk * kAdamChunk;
    kernels::adam(std::min(kAdamChunk, count - first), {.learning_rate = 1e-4, .beta1 = 0.95},
                  steps_, training_step_->gradients().data() + first,
                  pulse_->parameters().weights().data() + first, moment1_.data() + first,
                  moment2_.data() + first);
  });
}

void PeerCase::epoch() {
  train::Regimen once = regimen_;
  once.epochs = 1;
  train::train({.pulse = *pulse_, .training = *training_, .settings = once, .batch = plan_.batch},
               pool_);
}

double PeerCase::evaluation() {
  return train::Validation(*pulse_, *test_, plan_.batch, pool_).measure().mse;
}

void PeerCase::prepare_window() {
  if (inference_) return;
  inference_.emplace(*pulse_, pool_);
  // As whoever forecasts again and again with one model does.
  keeping_.emplace(*inference_, test_->distinct_history_calendars(),
                   test_->distinct_future_calendars());
  window_batcher_.emplace(*test_, 1, pool_);
  forecast_ = allocate_forecast(test_->shape(1), arena_);
}

void PeerCase::forecast_window(std::size_t at) {
  prepare_window();
  const std::uint32_t window = static_cast<std::uint32_t>(at % test_->size());
  const Batch& batch = window_batcher_->gather({&window, 1});
  inference_->forecast(batch, forecast_);
}

}  // namespace pulsecast::bench
