#include "pulsecast/model/batch_rows.h"

#include <algorithm>

#include "pulsecast/model/phase_anchor.h"

namespace pulsecast::model {
namespace {

// The histories of samples, `size` floats each: where the batch has them if they follow each other.
const float* history_of(Tape& tape, const Batch& batch, std::span<const std::uint32_t> samples,
                        std::size_t size) {
  const auto from = [&](std::size_t i) { return batch.history.data() + samples[i] * size; };
  bool follow = true;
  for (std::size_t i = 1; i < samples.size(); ++i) follow &= samples[i] == samples[i - 1] + 1;
  if (follow) return from(0);
  float* copy = tape.floats(samples.size() * size);
  for (std::size_t i = 0; i < samples.size(); ++i) std::copy_n(from(i), size, copy + i * size);
  return copy;
}

}  // namespace

SampleRows gather_rows_of(Tape& tape, const ModelShape& shape, const Batch& batch,
                          Encodings* encodings, std::span<const std::uint32_t> samples,
                          std::size_t first_use) {
  const std::size_t size = shape.channels * shape.lookback;
  const autodiff::Shape rows{samples.size() * shape.channels, shape.lookback};
  SampleRows gathered;
  gathered.samples = samples.size();
  gathered.context = {.batch = &batch, .samples = samples};
  gathered.history = tape.constant(history_of(tape, batch, samples, size), rows);
  if (encodings == nullptr) return gathered;

  const std::span<const float*> encoding = tape.arena().allocate<const float*>(samples.size());
  const std::span<std::uint32_t> codebook =
      tape.arena().allocate<std::uint32_t>(samples.size() * shape.lookback);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    encoding[i] = encodings->history(samples[i]);
    codebook_rows(shape, batch.future_phase[samples[i] * shape.horizon],
                  codebook.data() + i * shape.lookback);
  }
  gathered.encoding = {encoding.data(), encodings->history_gradient(first_use)};
  gathered.codebook = codebook.data();
  return gathered;
}

ApartSamples gather_future(Tape& tape, Encodings* encodings, SampleRange range) {
  if (encodings == nullptr) return {};
  const std::span<const float*> encoding = tape.arena().allocate<const float*>(range.count);
  for (std::size_t i = 0; i < range.count; ++i) encoding[i] = encodings->future(range.first + i);
  return {encoding.data(), encodings->future_gradient(range.first)};
}

}  // namespace pulsecast::model
