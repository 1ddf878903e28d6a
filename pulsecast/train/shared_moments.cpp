#include "pulsecast/train/shared_moments.h"

#include <algorithm>

#include "pulsecast/data/windows/batcher.h"
#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/train/channel_runs.h"

namespace pulsecast::train {
namespace {

// Rows that are multiplied in float before their sums go on in double.
constexpr std::size_t kRowsAtOnce = 4096;
// Channels whose sums are made beside each other; a number of its own, so that threads change no
// bit.
constexpr std::size_t kChannelsAtOnce = 4;

// row (width) without `mean`.
void subtract(float mean, std::size_t width, const float* row, float* out) {
  std::transform(row, row + width, out, [mean](float value) { return value - mean; });
}

}  // namespace

WindowMoments shared_moments(const Windows& windows, std::size_t lookback,
                             std::span<const std::vector<double>> cycles, ThreadPool& pool,
                             const Watch& watch) {
  const BatchShape shape = windows.shape(1);
  const std::size_t channels = shape.channels;
  WindowMoments all(lookback, shape.horizon);
  std::vector<WindowMoments> some(std::min(channels, kChannelsAtOnce), all);
  for (std::size_t first = 0; first < channels; first += kChannelsAtOnce) {
    watch.check("training");
    const std::size_t count = std::min(kChannelsAtOnce, channels - first);
    pool.run(count, [&](std::size_t i, std::size_t) {
      some[i] = channel_moments(windows, first + i, lookback, cycles[first + i]);
    });
    for (std::size_t i = 0; i < count; ++i) all.add(some[i]);
    watch.advance("training", first + count, channels);
  }
  all.centre();
  return all;
}

WindowMoments drawn_moments(const TrainingTask& task, ThreadPool& pool) {
  const BatchShape one = task.training.shape(1);
  const std::size_t T = one.lookback;
  const std::size_t H = one.horizon;
  const std::size_t samples =
      std::min(task.training.size(), std::max<std::size_t>(1, kRowsAtOnce / one.channels));
  const std::size_t most = task.epoch_steps == 0
                               ? task.training.size()
                               : std::min(task.training.size(), task.epoch_steps * task.batch);
  const std::size_t batches = (most + samples - 1) / samples;
  const WindowOrder order = WindowOrder::drawn(
      task.training.panel()->first_of_targets(), task.settings.sampling == Sampling::kEven, samples,
      batches, static_cast<std::uint64_t>(task.settings.seed));
  Batcher batcher(task.training, samples, pool);
  WindowMoments moments(T, H);
  std::vector<float> x(samples * one.channels * T);
  std::vector<float> y(samples * one.channels * H);
  for (std::size_t i = 0; i < batches; ++i) {
    const Batch& batch = batcher.gather(order.batch(i));
    const std::size_t rows = batch.shape.samples * one.channels;
    pool.run(batch.shape.samples, [&](std::size_t sample, std::size_t) {
      for (std::size_t row = sample * one.channels; row < (sample + 1) * one.channels; ++row) {
        const float* history = batch.history.data() + row * T;
        double sum = 0.0;
        for (std::size_t t = 0; t < T; ++t) sum += static_cast<double>(history[t]);
        const auto mean = static_cast<float>(sum / static_cast<double>(T));
        subtract(mean, T, history, x.data() + row * T);
        subtract(mean, H, batch.target.data() + row * H, y.data() + row * H);
      }
    });
    const auto missing = static_cast<std::size_t>(std::ranges::count(batch.present, 0));
    moments.add_rows(rows, rows - missing, x.data(), y.data(), pool);
    task.watch.advance("training", i + 1, batches);
  }
  moments.centre();
  return moments;
}

}  // namespace pulsecast::train
