#include "pulsecast/model/batch_rows.h"

#include "pulsecast/model/phase_anchor.h"

namespace pulsecast::model {

SampleRows gather_rows_of(Tape& tape, const ModelShape& shape, const Batch& batch,
                          Encodings* encodings, std::span<const std::uint32_t> samples,
                          std::size_t first_use) {
  const std::size_t size = shape.channels * shape.lookback;
  const autodiff::Shape rows{samples.size() * shape.channels, shape.lookback};
  SampleRows gathered;
  gathered.samples = samples.size();
  gathered.context = {.batch = &batch, .samples = samples};
  float* history = tape.floats(rows.count());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::copy_n(batch.history.data() + samples[i] * size, size, history + i * size);
  }
  gathered.history = tape.constant(history, rows);
  if (encodings == nullptr) return gathered;

  float* encoding = tape.floats(rows.count());
  const std::span<std::uint32_t> codebook =
      tape.arena().allocate<std::uint32_t>(samples.size() * shape.lookback);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    std::copy_n(encodings->history(samples[i]), size, encoding + i * size);
    codebook_rows(shape, batch.future_phase[samples[i] * shape.horizon],
                  codebook.data() + i * shape.lookback);
  }
  gathered.encoding = tape.variable(encoding, rows, encodings->history_gradient(first_use));
  gathered.codebook = codebook.data();
  return gathered;
}

Tensor gather_future(Tape& tape, const ModelShape& shape, Encodings* encodings, SampleRange range) {
  if (encodings == nullptr) return {};
  const std::size_t size = shape.channels * shape.horizon;
  const autodiff::Shape rows{range.count * shape.channels, shape.horizon};
  float* encoding = tape.floats(rows.count());
  for (std::size_t i = 0; i < range.count; ++i) {
    std::copy_n(encodings->future(range.first + i), size, encoding + i * size);
  }
  return tape.variable(encoding, rows, encodings->future_gradient(range.first));
}

}  // namespace pulsecast::model
