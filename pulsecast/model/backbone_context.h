// What a backbone may look at beside the rows of history: the calendar and the phase of every step
// of the same samples, the columns that are seen up to now only, and the draws of dropout.
//
// It refers to the batch and gathers on demand, so a backbone that asks for nothing costs nothing.
// Everything is of whole samples in the order of the rows: sample s has rows s * C to s * C + C
// - 1. Where windows are mixed it is of the first of two, as the anchor and the future calendar
// are; but the columns of the past are mixed as the histories are.
#pragma once

#include <cstdint>
#include <span>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/batch/batch.h"
#include "pulsecast/model/normaliser.h"
#include "pulsecast/settings/training_settings.h"

namespace pulsecast::model {

struct BackboneContext {
  const Batch* batch = nullptr;
  std::span<const std::uint32_t> samples = {};  // numbers of samples of the batch

  // How samples are mixed with their partners (mix.h), of which there is one a sample; none where
  // they are not.
  std::span<const std::uint32_t> partners = {};
  Mixup mixup = Mixup::kNone;
  float weight = 1.0f;  // of the first of two

  // Names the draws of a training step. `first_sample` is the place in the batch of the first of
  // the samples: masks belong to places, so they do not depend on how the batch is cut. In
  // inference nothing is dropped.
  random::Stream dropout = {};
  std::uint64_t first_sample = 0;
  bool is_training = false;

  // Calendar features and then known columns, as channels with time innermost: (samples, F, T) of
  // the histories and (samples, F, H) of the futures. F may be 0.
  autodiff::Tensor history_marks(autodiff::Tape& tape) const;
  autodiff::Tensor future_marks(autodiff::Tape& tape) const;

  // Histories of the columns that are seen up to now only, (samples, P, T), each by its own mean
  // and deviation as the rows of history are. Not kAffine. P may be 0.
  autodiff::Tensor past_rows(autodiff::Tape& tape, Normalisation kind) const;

  // The phase of each step, in [0, W): (samples, T) and (samples, H), for as long as the tape.
  const std::uint32_t* history_phases(autodiff::Tape& tape) const;
  const std::uint32_t* future_phases(autodiff::Tape& tape) const;

  // Dropout at one of the places where a backbone has it; places are numbered from 1, and each
  // draws as if its rows came after those of all places before.
  //
  // x (samples * k, ..., width) for any k
  autodiff::Tensor drop(autodiff::Tape& tape, const autodiff::Tensor& x, float rate,
                        std::uint64_t place) const;
  // For attention over `rows` rows.
  autodiff::AttentionDropout attention_dropout(std::size_t rows, float rate,
                                               std::uint64_t place) const;
};

}  // namespace pulsecast::model
