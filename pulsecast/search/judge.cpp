#include "pulsecast/search/judge.h"

#include <algorithm>

#include "pulsecast/data/windows/window_order.h"
#include "pulsecast/model/inference.h"

namespace pulsecast::search {

Judge::Judge(const Windows& windows, std::size_t batch, ThreadPool& pool)
    : windows_(windows),
      pool_(pool),
      batch_(std::min(batch, windows.size())),
      batcher_(windows, batch_, pool) {}

double Judge::measure(const model::Pulse& pulse, std::vector<float>& residuals) {
  const std::size_t C = pulse.shape().channels;
  const std::size_t H = pulse.shape().horizon;
  residuals.resize(windows_.size() * C * H);
  const WindowOrder order = WindowOrder::sequential(windows_.size(), batch_);
  model::Inference inference(pulse, pool_);
  const model::Inference::Keeping keeping(inference, windows_.distinct_history_calendars(),
                                          windows_.distinct_future_calendars());
  std::vector<double> squares(windows_.size(), 0.0);
  std::vector<std::size_t> present(windows_.size(), 0);
  std::size_t done = 0;
  for (std::size_t i = 0; i < order.batches(); ++i) {
    const Batch& batch = batcher_.gather(order.batch(i));
    Forecast forecast{batch.shape.samples, C, H,
                      std::span(residuals).subspan(done * C * H, batch.shape.samples * C * H)};
    inference.forecast(batch, forecast);
    pool_.run(batch.shape.samples, [&](std::size_t sample, std::size_t) {
      for (std::size_t row = sample * C; row < (sample + 1) * C; ++row) {
        float* own = forecast.values.data() + row * H;
        if (!batch.present.empty() && batch.present[row] == 0) {
          std::fill_n(own, H, 0.0f);
          continue;
        }
        present[done + sample] += H;
        for (std::size_t h = 0; h < H; ++h) {
          own[h] -= batch.target[row * H + h];
          squares[done + sample] += static_cast<double>(own[h]) * static_cast<double>(own[h]);
        }
      }
    });
    done += batch.shape.samples;
  }
  double sum = 0.0;
  std::size_t count = 0;
  for (std::size_t window = 0; window < windows_.size(); ++window) {
    sum += squares[window];
    count += present[window];
  }
  return sum / static_cast<double>(count);
}

}  // namespace pulsecast::search
