#include "pulsecast/model/encoder_layer.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast::model {

using namespace autodiff;

HeadsLayer::HeadsLayer(Parameters& parameters, const std::string& name, std::size_t width,
                       std::size_t heads)
    : heads_(heads),
      query_(parameters, name + ".query", width, width),
      key_(parameters, name + ".key", width, width),
      value_(parameters, name + ".value", width, width),
      output_(parameters, name + ".output", width, width) {
  if (width % heads != 0) {
    throw_error(ErrorKind::kUsage, "model",
                "the number of heads must divide the backbone's width; {} does not divide {}",
                heads, width);
  }
}

void HeadsLayer::initialise(Parameters& parameters, std::uint64_t seed) const {
  for (const LinearLayer* layer : {&query_, &key_, &value_, &output_}) {
    layer->initialise(parameters, seed);
  }
}

Tensor HeadsLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& queries,
                              const Tensor& keys, DropoutPlaces& places) const {
  const Tensor seen =
      attention(tape, query_(tape, weights, queries), key_(tape, weights, keys),
                value_(tape, weights, keys), heads_, places.attention(queries.shape[0]));
  return output_(tape, weights, seen);
}

Tensor HeadsLayer::inside(Tape& tape, BoundParameters& weights, const Tensor& x,
                          std::span<const std::uint32_t> lengths,
                          const AttentionDropout& dropout) const {
  const Tensor seen = segment_attention(tape, query_(tape, weights, x), key_(tape, weights, x),
                                        value_(tape, weights, x), heads_, lengths, dropout);
  return output_(tape, weights, seen);
}

FeedForward::FeedForward(Parameters& parameters, const std::string& name,
                         const BackboneSizes& sizes)
    : expand_(parameters, name + ".expand", sizes.width, sizes.feed_forward),
      contract_(parameters, name + ".contract", sizes.feed_forward, sizes.width) {}

void FeedForward::initialise(Parameters& parameters, std::uint64_t seed) const {
  expand_.initialise(parameters, seed);
  contract_.initialise(parameters, seed);
}

Tensor FeedForward::operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                               DropoutPlaces& places) const {
  const Tensor inner = places.drop(tape, expand_.with_gelu(tape, weights, x));
  return places.drop(tape, contract_(tape, weights, inner));
}

EncoderLayer::EncoderLayer(Parameters& parameters, const std::string& name,
                           const BackboneSizes& sizes)
    : attention_(parameters, name + ".attention", sizes.width, sizes.heads),
      attention_norm_(parameters, name + ".attention_norm", sizes.width),
      feed_forward_(parameters, name + ".feed_forward", sizes),
      feed_forward_norm_(parameters, name + ".feed_forward_norm", sizes.width) {}

void EncoderLayer::initialise(Parameters& parameters, std::uint64_t seed) const {
  attention_.initialise(parameters, seed);
  attention_norm_.initialise(parameters);
  feed_forward_.initialise(parameters, seed);
  feed_forward_norm_.initialise(parameters);
}

Tensor EncoderLayer::operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                                DropoutPlaces& places) const {
  const Tensor seen = places.drop(tape, attention_(tape, weights, x, x, places));
  const Tensor joined = attention_norm_(tape, weights, add(tape, x, seen));
  const Tensor mapped = feed_forward_(tape, weights, joined, places);
  return feed_forward_norm_(tape, weights, add(tape, joined, mapped));
}

Encoder::Encoder(Parameters& parameters, const std::string& name, const BackboneSizes& sizes) {
  for (std::size_t i = 0; i < sizes.layers; ++i) {
    layers_.emplace_back(parameters, name + "." + std::to_string(i), sizes);
  }
}

void Encoder::initialise(Parameters& parameters, std::uint64_t seed) const {
  for (const EncoderLayer& layer : layers_) layer.initialise(parameters, seed);
}

Tensor Encoder::operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                           DropoutPlaces& places) const {
  Tensor tokens = x;
  for (const EncoderLayer& layer : layers_) tokens = layer(tape, weights, tokens, places);
  return tokens;
}

}  // namespace pulsecast::model
