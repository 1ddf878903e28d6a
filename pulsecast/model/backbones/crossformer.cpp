// Crossformer (Zhang and Yan, 2023), as Time-Series-Library has it: segments of every channel are
// tokens. A stage of attention runs between the segments of a channel, a second between the
// channels of a segment, by way of a few learned routers. The encoder does so at coarser and
// coarser segments, two joined into one; the decoder, from learned tokens of the future, asks one
// scale after the other, and the forecasts of all scales are added.
//
// Where the segment does not divide, the history is continued on its old side with its first value
// and the first steps of the forecast are taken, as its authors' own code does; the library pads
// the new side and takes the last steps. No published setting needs either. It has no normalisation
// of its own.

#include <algorithm>
#include <span>
#include <vector>

#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"
#include "pulsecast/model/positions.h"

namespace pulsecast::model {
namespace {

using namespace autodiff;

// Linear, GELU, linear; nothing is dropped inside.
class TokenMap {
 public:
  TokenMap(Parameters& parameters, const std::string& name, std::size_t width, std::size_t inner)
      : expand_(parameters, name + ".expand", width, inner),
        contract_(parameters, name + ".contract", inner, width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    expand_.initialise(parameters, seed);
    contract_.initialise(parameters, seed);
  }

  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    return contract_(tape, weights, expand_.with_gelu(tape, weights, x));
  }

 private:
  LinearLayer expand_;
  LinearLayer contract_;
};

// table (n, width) repeated `times` times: (times, n, width)
Tensor repeated(Tape& tape, const Tensor& table, std::size_t times) {
  const std::span<std::uint32_t> rows = tape.arena().allocate<std::uint32_t>(times);
  std::ranges::fill(rows, 0u);
  return gather_rows(tape, table.reshaped({1, table.count()}), rows.data(), times)
      .reshaped({times, table.shape[0], table.shape[1]});
}

// Attention in two stages over (samples, C, segments, width).
class TwoStageAttention {
 public:
  TwoStageAttention(Parameters& parameters, const std::string& name, const BackboneSizes& sizes,
                    std::size_t segments)
      : time_(parameters, name + ".time", sizes.width, sizes.heads),
        time_norm_(parameters, name + ".time_norm", sizes.width),
        time_map_(parameters, name + ".time_map", sizes.width, sizes.feed_forward),
        time_map_norm_(parameters, name + ".time_map_norm", sizes.width),
        routers_(parameters.add(name + ".routers", {segments * sizes.routers, sizes.width})),
        router_count_(sizes.routers),
        sender_(parameters, name + ".sender", sizes.width, sizes.heads),
        receiver_(parameters, name + ".receiver", sizes.width, sizes.heads),
        channel_norm_(parameters, name + ".channel_norm", sizes.width),
        channel_map_(parameters, name + ".channel_map", sizes.width, sizes.feed_forward),
        channel_map_norm_(parameters, name + ".channel_map_norm", sizes.width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    for (const HeadsLayer* layer : {&time_, &sender_, &receiver_}) {
      layer->initialise(parameters, seed);
    }
    for (const LayerNormLayer* norm :
         {&time_norm_, &time_map_norm_, &channel_norm_, &channel_map_norm_}) {
      norm->initialise(parameters);
    }
    time_map_.initialise(parameters, seed);
    channel_map_.initialise(parameters, seed);
    parameters.fill_normal(routers_, seed, 1.0f);
  }

  // x (samples, C, segments, width) -> the same
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    DropoutPlaces& places) const {
    const std::size_t samples = x.shape[0];
    const std::size_t channels = x.shape[1];
    const std::size_t segments = x.shape[2];
    const std::size_t width = x.shape[3];
    const auto joined = [&](const LayerNormLayer& norm, const Tensor& own, const Tensor& more) {
      return norm(tape, weights, add(tape, own, places.drop(tape, more)));
    };
    Tensor tokens = x.reshaped({samples * channels, segments, width});
    tokens = joined(time_norm_, tokens, time_(tape, weights, tokens, tokens, places));
    tokens = joined(time_map_norm_, tokens, time_map_(tape, weights, tokens));

    tokens =
        swap_middle(tape, tokens.reshaped(x.shape)).reshaped({samples * segments, channels, width});
    const Tensor routers = repeated(tape, weights[routers_], samples)
                               .reshaped({samples * segments, router_count_, width});
    const Tensor gathered = sender_(tape, weights, routers, tokens, places);
    tokens = joined(channel_norm_, tokens, receiver_(tape, weights, tokens, gathered, places));
    tokens = joined(channel_map_norm_, tokens, channel_map_(tape, weights, tokens));
    return swap_middle(tape, tokens.reshaped({samples, segments, channels, width}));
  }

 private:
  HeadsLayer time_;
  LayerNormLayer time_norm_;
  TokenMap time_map_;
  LayerNormLayer time_map_norm_;
  ParameterId routers_;
  std::size_t router_count_;  // a segment
  HeadsLayer sender_;
  HeadsLayer receiver_;
  LayerNormLayer channel_norm_;
  TokenMap channel_map_;
  LayerNormLayer channel_map_norm_;
};

// Two segments become one; an odd last one is taken twice.
class SegmentMerge {
 public:
  SegmentMerge(Parameters& parameters, const std::string& name, std::size_t width)
      : norm_(parameters, name + ".norm", 2 * width),
        merge_(parameters, name + ".merge", 2 * width, width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    norm_.initialise(parameters);
    merge_.initialise(parameters, seed);
  }

  // x (samples, C, segments, width) -> (samples, C, half of them, width)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    const std::size_t rows = x.shape[0] * x.shape[1];
    const std::size_t segments = x.shape[2];
    const std::size_t width = x.shape[3];
    Tensor tokens = x.reshaped({rows, segments, width});
    if (segments % 2 == 1) {
      tokens = join_tokens(tape, tokens, take_tokens(tape, tokens, segments - 1, 1));
    }
    const std::size_t half = (segments + 1) / 2;
    const Tensor pairs = norm_(tape, weights, tokens.reshaped({rows, half, 2 * width}));
    return merge_(tape, weights, pairs).reshaped({x.shape[0], x.shape[1], half, width});
  }

 private:
  LayerNormLayer norm_;
  LinearLayer merge_;
};

// One scale of the decoder: the future's tokens among themselves, then each channel's ask the
// history's.
class DecoderLayer {
 public:
  DecoderLayer(Parameters& parameters, const std::string& name, const BackboneSizes& sizes,
               std::size_t segments)
      : stages_(parameters, name + ".stages", sizes, segments),
        cross_(parameters, name + ".cross", sizes.width, sizes.heads),
        cross_norm_(parameters, name + ".cross_norm", sizes.width),
        map_(parameters, name + ".map", sizes.width, sizes.width),
        map_norm_(parameters, name + ".map_norm", sizes.width),
        head_(parameters, name + ".head", sizes.width, sizes.patch) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    stages_.initialise(parameters, seed);
    cross_.initialise(parameters, seed);
    cross_norm_.initialise(parameters);
    map_.initialise(parameters, seed);
    map_norm_.initialise(parameters);
    head_.initialise(parameters, seed);
  }

  struct Output {
    Tensor tokens;    // (samples, C, O, width)
    Tensor forecast;  // (samples * C, O, segment)
  };
  // x (samples, C, O, width), history (samples, C, segments, width)
  Output operator()(Tape& tape, BoundParameters& weights, const Tensor& x, const Tensor& history,
                    DropoutPlaces& places) const {
    const std::size_t rows = x.shape[0] * x.shape[1];
    const Tensor own = stages_(tape, weights, x, places).reshaped({rows, x.shape[2], x.shape[3]});
    const Tensor past = history.reshaped({rows, history.shape[2], history.shape[3]});
    const Tensor told = places.drop(tape, cross_(tape, weights, own, past, places));
    const Tensor joined = cross_norm_(tape, weights, add(tape, own, told));
    const Tensor tokens = map_norm_(tape, weights, add(tape, joined, map_(tape, weights, joined)));
    return {tokens.reshaped(x.shape), head_(tape, weights, tokens)};
  }

 private:
  TwoStageAttention stages_;
  HeadsLayer cross_;
  LayerNormLayer cross_norm_;
  TokenMap map_;
  LayerNormLayer map_norm_;
  LinearLayer head_;
};

class Crossformer : public Backbone {
 public:
  Crossformer(Parameters& parameters, const ModelShape& shape)
      : channels_(shape.channels),
        horizon_(shape.horizon),
        sizes_(shape.sizes),
        past_((shape.lookback + sizes_.patch - 1) / sizes_.patch),
        future_((shape.horizon + sizes_.patch - 1) / sizes_.patch),
        positions_(past_, sizes_.width),
        embed_(parameters.add("backbone.embed.weight", {sizes_.width, sizes_.patch})),
        places_(parameters.add("backbone.history_places", {channels_ * past_, sizes_.width})),
        embed_norm_(parameters, "backbone.embed_norm", sizes_.width),
        future_places_(
            parameters.add("backbone.future_places", {channels_ * future_, sizes_.width})) {
    std::size_t segments = past_;
    for (std::size_t i = 0; i < sizes_.layers; ++i) {
      const std::string name = "backbone.encoder." + std::to_string(i);
      if (i > 0) {
        merges_.emplace_back(parameters, name, sizes_.width);
        segments = (segments + 1) / 2;
      }
      encoder_.emplace_back(parameters, name + ".stages", sizes_, segments);
    }
    for (std::size_t i = 0; i <= sizes_.layers; ++i) {
      decoder_.emplace_back(parameters, "backbone.decoder." + std::to_string(i), sizes_, future_);
    }
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    initialise_by_fan_in(parameters, embed_, seed, sizes_.patch);
    parameters.fill_normal(places_, seed, 1.0f);
    embed_norm_.initialise(parameters);
    for (const TwoStageAttention& layer : encoder_) layer.initialise(parameters, seed);
    for (const SegmentMerge& merge : merges_) merge.initialise(parameters, seed);
    parameters.fill_normal(future_places_, seed, 1.0f);
    for (const DecoderLayer& layer : decoder_) layer.initialise(parameters, seed);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    const std::size_t samples = context.samples.size();
    DropoutPlaces places(context, sizes_.dropout);
    const std::span<Tensor> scales = tape.arena().allocate<Tensor>(encoder_.size() + 1);
    scales[0] = embed(tape, weights, x, samples);
    for (std::size_t i = 0; i < encoder_.size(); ++i) {
      const Tensor coarse = i == 0 ? scales[0] : merges_[i - 1](tape, weights, scales[i]);
      scales[i + 1] = encoder_[i](tape, weights, coarse, places);
    }
    Tensor tokens = repeated(tape, weights[future_places_], samples)
                        .reshaped({samples, channels_, future_, sizes_.width});
    Tensor sum;
    for (std::size_t i = 0; i < decoder_.size(); ++i) {
      const DecoderLayer::Output out = decoder_[i](tape, weights, tokens, scales[i], places);
      tokens = out.tokens;
      sum = i == 0 ? out.forecast : add(tape, sum, out.forecast);
    }
    return resize_width(tape, sum.reshaped({x.shape[0], future_ * sizes_.patch}), horizon_);
  }

 private:
  // x (samples * C, T) -> (samples, C, segments, width)
  Tensor embed(Tape& tape, BoundParameters& weights, const Tensor& x, std::size_t samples) const {
    const Tensor segments =
        past_ * sizes_.patch == x.shape[1]
            ? x.reshaped({x.shape[0], past_, sizes_.patch})
            : transpose(tape, to_patches(tape, x, sizes_.patch, PadSide::kLeft));
    const Tensor embedded =
        add_to_rows(tape, linear(tape, segments, weights[embed_]), positions_(tape));
    const Tensor placed = add_to_rows(
        tape, embedded.reshaped({samples, channels_ * past_, sizes_.width}), weights[places_]);
    return embed_norm_(tape, weights, placed).reshaped({samples, channels_, past_, sizes_.width});
  }

  std::size_t channels_;
  std::size_t horizon_;
  BackboneSizes sizes_;
  std::size_t past_;    // segments of the history
  std::size_t future_;  // and of the forecast
  Positions positions_;
  ParameterId embed_;
  ParameterId places_;
  LayerNormLayer embed_norm_;
  std::vector<TwoStageAttention> encoder_;
  std::vector<SegmentMerge> merges_;  // before all layers of the encoder but the first
  ParameterId future_places_;
  std::vector<DecoderLayer> decoder_;
};

}  // namespace

std::unique_ptr<Backbone> make_crossformer(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<Crossformer>(parameters, shape);
}

}  // namespace pulsecast::model
