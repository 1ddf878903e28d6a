#include "pulsecast/train/stepper.h"

#include <algorithm>
#include <cmath>

#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::train {
namespace {

WindowOrder training_order(const Windows& training, std::size_t batch, std::size_t epoch_steps,
                           const Regimen& regimen) {
  const std::size_t windows = training.size();
  const auto seed = static_cast<std::uint64_t>(regimen.seed);
  const SeriesWindows* panel = training.panel();
  if (panel == nullptr) return WindowOrder::shuffled(windows, batch, seed);
  const std::size_t steps = epoch_steps > 0 ? epoch_steps : windows / batch;
  return WindowOrder::drawn(panel->first_of_targets(), regimen.sampling == Sampling::kEven, batch,
                            steps, seed);
}

}  // namespace

Stepper::Stepper(model::Pulse& pulse, const Windows& training, const Regimen& regimen,
                 std::size_t batch, std::size_t epoch_steps, ThreadPool& pool)
    : pulse_(pulse),
      pool_(pool),
      seed_(static_cast<std::uint64_t>(regimen.seed)),
      batch_(std::min(batch, training.size())),
      epoch_steps_(epoch_steps),
      order_(training_order(training, batch_, epoch_steps, regimen)),
      batcher_(training, batch_, pool),
      draws_(seed_, regimen.mixup_alpha),
      step_(pulse, pool, regimen.loss, regimen.mixup) {}

std::size_t Stepper::steps_of_epoch() const {
  const std::size_t all = order_.batches();
  return epoch_steps_ == 0 ? all : std::min(all, epoch_steps_);
}

Stepper::Outcome Stepper::run(std::uint32_t epoch, std::uint32_t index,
                              const kernels::AdamSettings& adam, std::int64_t adam_step,
                              std::span<float> moment1, std::span<float> moment2) {
  const Batch& batch = batcher_.gather(order_.batch(index));
  const MixupDraw draw = draws_.draw(epoch, index, batch.shape.samples);
  const double loss = step_.run(batch, draw,
                                {.seed = seed_,
                                 .purpose = random::Purpose::kAttentionDropout,
                                 .epoch = epoch,
                                 .step = index});
  const std::span<const float> gradients = step_.gradients();
  if (!std::isfinite(loss) || !kernels::all_finite(gradients.size(), gradients.data())) {
    return {loss, false};
  }
  // Each weight's update is its own, so how they are shared among threads does not change a bit.
  constexpr std::size_t kChunk = 16384;
  const std::span<float> weights = pulse_.parameters().weights();
  pool_.run((weights.size() + kChunk - 1) / kChunk, [&](std::size_t chunk, std::size_t) {
    const std::size_t first = chunk * kChunk;
    kernels::adam(std::min(kChunk, weights.size() - first), adam, adam_step,
                  gradients.data() + first, weights.data() + first, moment1.data() + first,
                  moment2.data() + first);
  });
  return {loss, true};
}

}  // namespace pulsecast::train
