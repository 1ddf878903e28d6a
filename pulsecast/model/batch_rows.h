// Some samples of a batch as rows for the model.
#pragma once

#include "pulsecast/batch/batch.h"
#include "pulsecast/model/batch_cut.h"
#include "pulsecast/model/encodings.h"

namespace pulsecast::model {

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
