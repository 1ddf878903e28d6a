// The encoder of a Transformer, as the backbones that have one share it: attention with several
// heads, then two linear layers with GELU between, each added to what came in and normalised after.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pulsecast/model/backbone_context.h"
#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

// Dropout places of a pass, numbered in the order in which they are come by.
class DropoutPlaces {
 public:
  DropoutPlaces(const BackboneContext& context, float rate) : context_(context), rate_(rate) {}

  // x (samples * k, ..., width) for any k
  Tensor drop(Tape& tape, const Tensor& x) { return context_.drop(tape, x, rate_, ++place_); }
  // For attention over `rows` rows.
  autodiff::AttentionDropout attention(std::size_t rows) { return attention(rows, rate_); }
  // The same at a rate of its own.
  autodiff::AttentionDropout attention(std::size_t rows, float rate) {
    return context_.attention_dropout(rows, rate, ++place_);
  }

 private:
  const BackboneContext& context_;
  float rate_;
  std::uint64_t place_ = 0;
};

// Attention with several heads and its projections query, key, value and output, each (width,
// width).
class HeadsLayer {
 public:
  // Throws Error(kUsage) where the heads do not divide the width.
  HeadsLayer(Parameters& parameters, const std::string& name, std::size_t width, std::size_t heads);
  void initialise(Parameters& parameters, std::uint64_t seed) const;
  // queries (rows, q, width), keys (rows, k, width) -> (rows, q, width)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& queries, const Tensor& keys,
                    DropoutPlaces& places) const;
  // Inside segments, where a step looks at itself and at those before it: x (samples, steps,
  // width), lengths (samples), for as long as the tape -> as x
  Tensor inside(Tape& tape, BoundParameters& weights, const Tensor& x,
                std::span<const std::uint32_t> lengths,
                const autodiff::AttentionDropout& dropout) const;

 private:
  std::size_t heads_;
  LinearLayer query_;
  LinearLayer key_;
  LinearLayer value_;
  LinearLayer output_;
};

// Linear width -> inner, GELU, Linear inner -> width, with dropout after each.
class FeedForward {
 public:
  FeedForward(Parameters& parameters, const std::string& name, const BackboneSizes& sizes);
  void initialise(Parameters& parameters, std::uint64_t seed) const;
  // x (..., width) -> (..., width)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    DropoutPlaces& places) const;

 private:
  LinearLayer expand_;
  LinearLayer contract_;
};

class EncoderLayer {
 public:
  EncoderLayer(Parameters& parameters, const std::string& name, const BackboneSizes& sizes);
  void initialise(Parameters& parameters, std::uint64_t seed) const;
  // x (rows, tokens, width) -> (rows, tokens, width)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    DropoutPlaces& places) const;

 private:
  HeadsLayer attention_;
  LayerNormLayer attention_norm_;
  FeedForward feed_forward_;
  LayerNormLayer feed_forward_norm_;
};

// `sizes.layers` of them, named NAME.0, NAME.1 and so on.
class Encoder {
 public:
  Encoder(Parameters& parameters, const std::string& name, const BackboneSizes& sizes);
  void initialise(Parameters& parameters, std::uint64_t seed) const;
  // x (rows, tokens, width) -> (rows, tokens, width)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    DropoutPlaces& places) const;

 private:
  std::vector<EncoderLayer> layers_;
};

}  // namespace pulsecast::model
