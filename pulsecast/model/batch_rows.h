// Some samples of a batch as rows for the model, and the rule by which a batch is cut.
#pragma once

#include <algorithm>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/encodings.h"

namespace pulsecast::model {

struct SampleRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Shards of whole samples and at most about 256 rows: what a pass makes of them then stays in the
// second-level cache. As many as fill all lanes evenly, and as even as whole samples can be, so
// that no thread waits for another's last one. Nothing but the shape is asked, so results do not
// depend on threads.
inline std::size_t shards_of(std::size_t samples, std::size_t channels) {
  const std::size_t each = std::max<std::size_t>(1, 256 / channels);
  const std::size_t shards = (samples + each - 1) / each;
  if (shards <= autodiff::kLanes / 2) return shards;
  return std::min(samples, (shards + autodiff::kLanes - 1) / autodiff::kLanes * autodiff::kLanes);
}

inline SampleRange shard_of(std::size_t index, std::size_t samples, std::size_t channels) {
  const std::size_t shards = shards_of(samples, channels);
  const std::size_t first = index * samples / shards;
  return {first, (index + 1) * samples / shards - first};
}

// Rows of samples, gathered on the tape's arena. `encodings` is null without an anchor. `samples`
// (count) are numbers of samples of the batch and outlive the tape, as the batch does; `first_use`
// is the use of the first of them, whose gradients (and those of the ones after) the tape is to
// leave in the encodings.
SampleRows gather_rows_of(Tape& tape, const ModelShape& shape, const Batch& batch,
                          Encodings* encodings, std::span<const std::uint32_t> samples,
                          std::size_t first_use);

// (C, H) each: encodings of the futures of consecutive samples. None without an anchor.
ApartSamples gather_future(Tape& tape, Encodings* encodings, SampleRange range);

}  // namespace pulsecast::model
