// MSGNet (Cai et al., 2024): the history as T steps of `width` features. Every block finds the
// strongest periods; for each in turn a graph convolution mixes learned nodes, and attention runs
// inside the cycles of that period. What comes of the periods is added by their strength.
//
// The published model takes the periods from the spectrum of the batch, so a forecast depends on
// its batch-mates. By default ours takes those of each sample. With periods of the batch it does so
// in training only, and takes them from a running mean of the spectrum in inference, as TimesNet.
//
// As published: graph convolutions are chained over the periods and their nodes are windows over
// the features, not channels (with more channels than features there are as many nodes as
// features); attention is causal and drops a tenth of its weights whatever the dropout is; one norm
// serves all blocks. Zeros that fill up a last cycle come after it and are never looked at, so ours
// leaves them away. Part of the forecast is dropped alone, but not inside PULSE (backbone.h).

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>

#include "pulsecast/model/backbone.h"
#include "pulsecast/model/encoder_layer.h"
#include "pulsecast/model/periods.h"
#include "pulsecast/model/positions.h"

namespace pulsecast::model {
namespace {

using namespace autodiff;

constexpr std::size_t kNodeWidth = 10;
constexpr std::size_t kHops = 3;  // none, one and two
constexpr float kOwnShare = 0.3f;
constexpr float kAttentionRate = 0.1f;

// Nodes are windows over the features of a step; each step's nodes are mixed over a learned graph,
// and every node's steps by one linear map.
class GraphBlock {
 public:
  GraphBlock(Parameters& parameters, const std::string& name, const ModelShape& shape)
      : steps_(shape.lookback),
        width_(shape.sizes.width),
        nodes_(std::min(shape.channels, width_)),
        channels_(shape.sizes.graph_channels),
        skip_(shape.sizes.skip_channels),
        first_(parameters.add(name + ".first", {nodes_, kNodeWidth})),
        second_(parameters.add(name + ".second", {kNodeWidth, nodes_})),
        start_(parameters, name + ".start", width_ - nodes_ + 1, channels_),
        mix_(parameters.add(name + ".mix.weight", {kHops * skip_, channels_})),
        mix_bias_(parameters.add(name + ".mix.bias", {skip_})),
        end_(parameters, name + ".end", steps_ * skip_, steps_),
        project_(parameters, name + ".project", nodes_, width_),
        norm_(parameters, name + ".norm", width_) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    parameters.fill_normal(first_, seed, 1.0f);
    parameters.fill_normal(second_, seed, 1.0f);
    start_.initialise(parameters, seed);
    initialise_by_fan_in(parameters, mix_, seed, kHops * channels_);
    initialise_by_fan_in(parameters, mix_bias_, seed, kHops * channels_);
    end_.initialise(parameters, seed);
    project_.initialise(parameters, seed);
    norm_.initialise(parameters);
  }

  // x (samples, T, width) -> the same
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const {
    const std::size_t samples = x.shape[0];
    const std::size_t rows = samples * steps_;
    const Tensor windows = sliding_windows(tape, x.reshaped({rows, width_}), width_ - nodes_ + 1);
    const Tensor nodes = start_(tape, weights, windows);  // (rows, nodes, channels)
    // Nodes and channels are mixed by matrices on either side, so the channels may come first.
    const Tensor hops = linear(tape, nodes, weights[mix_]);  // (rows, nodes, hops * skip)
    const Tensor mixed =
        convolution_1d(tape, hops.reshaped({rows, nodes_ * kHops, skip_}), walk(tape, weights), 0);
    const Tensor seen = gelu(tape, add_to_rows(tape, mixed, weights[mix_bias_]));
    const Tensor by_node = swap_middle(tape, seen.reshaped({samples, steps_, nodes_, skip_}));
    const Tensor ended = end_(tape, weights, by_node.reshaped({samples, nodes_, steps_ * skip_}));
    const Tensor told = project_(tape, weights, transpose(tape, ended));
    return norm_(tape, weights, add(tape, x, told));
  }

 private:
  Tensor diagonal(Tape& tape, float value) const {
    float* matrix = tape.floats(nodes_ * nodes_);
    std::fill_n(matrix, nodes_ * nodes_, 0.0f);
    for (std::size_t i = 0; i < nodes_; ++i) matrix[i * (nodes_ + 1)] = value;
    return tape.constant(matrix, {nodes_, nodes_});
  }

  // What a node gathers from each node after none, one and two hops, as the kernel of a convolution
  // of one step: (nodes, nodes * hops, 1). A hop keeps a share of where it began and takes the rest
  // from the graph with loops, whose rows sum to one.
  Tensor walk(Tape& tape, BoundParameters& weights) const {
    const Tensor graph = softmax(tape, relu(tape, matmul(tape, weights[first_], weights[second_])));
    const Tensor step = add(tape, scale(tape, graph, 0.5f), diagonal(tape, 0.5f));
    const auto hop = [&](const Tensor& from) {
      return add(tape, scale(tape, from, 1.0f - kOwnShare), diagonal(tape, kOwnShare));
    };
    const Tensor one = hop(step);
    const Tensor two = hop(matmul(tape, step, one));
    const auto flat = [&](const Tensor& matrix) {
      return matrix.reshaped({1, 1, nodes_ * nodes_});
    };
    const Tensor all =
        join_tokens(tape, join_tokens(tape, flat(diagonal(tape, 1.0f)), flat(one)), flat(two));
    return transpose(tape, all).reshaped({nodes_, nodes_ * kHops, 1});
  }

  std::size_t steps_;
  std::size_t width_;
  std::size_t nodes_;
  std::size_t channels_;
  std::size_t skip_;
  ParameterId first_;
  ParameterId second_;
  LinearLayer start_;
  ParameterId mix_;
  ParameterId mix_bias_;
  LinearLayer end_;
  LinearLayer project_;
  LayerNormLayer norm_;
};

// Attention inside the cycles of a sample's own period, then two linear layers.
class CycleEncoder {
 public:
  CycleEncoder(Parameters& parameters, const std::string& name, const BackboneSizes& sizes)
      : attention_(parameters, name + ".attention", sizes.width, sizes.heads),
        attention_norm_(parameters, name + ".attention_norm", sizes.width),
        feed_forward_(parameters, name + ".feed_forward", sizes),
        feed_forward_norm_(parameters, name + ".feed_forward_norm", sizes.width),
        norm_(parameters, name + ".norm", sizes.width) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    attention_.initialise(parameters, seed);
    attention_norm_.initialise(parameters);
    feed_forward_.initialise(parameters, seed);
    feed_forward_norm_.initialise(parameters);
    norm_.initialise(parameters);
  }

  // x (samples, T, width), periods (samples) -> as x
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    std::span<const std::uint32_t> periods, DropoutPlaces& places) const {
    const Tensor seen = places.drop(
        tape,
        attention_.inside(tape, weights, x, periods, places.attention(x.shape[0], kAttentionRate)));
    const Tensor joined = attention_norm_(tape, weights, add(tape, x, seen));
    const Tensor mapped = feed_forward_(tape, weights, joined, places);
    const Tensor encoded = feed_forward_norm_(tape, weights, add(tape, joined, mapped));
    return gelu(tape, norm_(tape, weights, encoded));
  }

 private:
  HeadsLayer attention_;
  LayerNormLayer attention_norm_;
  FeedForward feed_forward_;
  LayerNormLayer feed_forward_norm_;
  LayerNormLayer norm_;
};

class ScaleBlock {
 public:
  ScaleBlock(Parameters& parameters, const std::string& name, const ModelShape& shape)
      : steps_(shape.lookback),
        top_(std::min(shape.sizes.top_periods, steps_ / 2)),
        encoder_(parameters, name + ".encoder", shape.sizes) {
    if (shape.sizes.periods_of == PeriodSource::kBatch) {
      spectrum_.emplace(parameters, name + ".spectrum", steps_ / 2 + 1);
    }
    for (std::size_t i = 0; i < top_; ++i) {
      graphs_.emplace_back(parameters, name + ".graphs." + std::to_string(i), shape);
    }
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const {
    if (spectrum_) spectrum_->initialise(parameters);
    for (const GraphBlock& graph : graphs_) graph.initialise(parameters, seed);
    encoder_.initialise(parameters, seed);
  }

  // x (samples, T, width) -> the same
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x,
                    const kernels::RealFft& fft, bool is_training, DropoutPlaces& places) const {
    const std::size_t samples = x.shape[0];
    const Shape flat{samples, x.shape[1] * x.shape[2]};
    const Tensor strength = strengths(tape, transpose(tape, x), fft);  // (samples, bins)
    const std::span<const std::uint32_t> bins =
        spectrum_ ? strongest(tape, (*spectrum_)(tape, weights, strength, is_training), 1,
                              fft.bins(), top_)
                  : strongest(tape, strength.data, samples, fft.bins(), top_);
    const Tensor shares = shares_of(tape, strength, bins, top_).reshaped({samples, top_, 1});
    float* zeros = tape.floats(samples);
    std::fill_n(zeros, samples, 0.0f);
    const Tensor nothing = tape.constant(zeros, {samples});

    Tensor series = x;
    Tensor sum;
    for (std::size_t i = 0; i < top_; ++i) {
      series = graphs_[i](tape, weights, series);
      const std::span<std::uint32_t> periods = tape.arena().allocate<std::uint32_t>(samples);
      for (std::size_t sample = 0; sample < samples; ++sample) {
        const std::uint32_t bin = bins[(sample * top_ + i) % bins.size()];
        periods[sample] = static_cast<std::uint32_t>(steps_ / bin);
      }
      const Tensor seen = encoder_(tape, weights, series, periods, places);
      const Tensor share = take_tokens(tape, shares, i, 1).reshaped({samples});
      const Tensor part = scale_rows(tape, seen.reshaped(flat), share, nothing);
      sum = i == 0 ? part : add(tape, sum, part);
    }
    return add(tape, sum, series.reshaped(flat)).reshaped(x.shape);
  }

 private:
  std::size_t steps_;
  std::size_t top_;
  std::optional<RunningSpectrum> spectrum_;  // where periods are the batch's
  std::vector<GraphBlock> graphs_;
  CycleEncoder encoder_;
};

class MsgNet : public Backbone {
 public:
  MsgNet(Parameters& parameters, const ModelShape& shape)
      : channels_(shape.channels),
        lookback_(shape.lookback),
        features_(shape.features),
        drops_forecast_(shape.alone),
        sizes_(shape.sizes),
        positions_(shape.lookback, sizes_.width),
        embed_(parameters.add("backbone.embed.weight", {sizes_.width, channels_, 3})),
        norm_(parameters, "backbone.norm", sizes_.width),
        project_(parameters, "backbone.project", sizes_.width, channels_),
        head_(parameters, "backbone.head", lookback_, shape.horizon) {
    if (features_ > 0) {
      marks_ = parameters.add("backbone.marks.weight", {sizes_.width, features_, 1});
    }
    for (std::size_t i = 0; i < sizes_.layers; ++i) {
      blocks_.emplace_back(parameters, "backbone.blocks." + std::to_string(i), shape);
    }
  }

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    parameters.fill_normal(embed_, seed, std::sqrt(2.0f / static_cast<float>(3 * channels_)));
    if (marks_) initialise_by_fan_in(parameters, *marks_, seed, features_);
    for (const ScaleBlock& block : blocks_) block.initialise(parameters, seed);
    norm_.initialise(parameters);
    project_.initialise(parameters, seed);
    head_.initialise(parameters, seed);
  }

  bool needs_whole_batch() const override { return sizes_.periods_of == PeriodSource::kBatch; }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext& context) const override {
    std::call_once(is_planned_, [this] { fft_.emplace(lookback_); });
    DropoutPlaces places(context, sizes_.dropout);
    Tensor steps = places.drop(tape, embed(tape, weights, x, context));  // (samples, T, width)
    for (const ScaleBlock& block : blocks_) {
      steps = norm_(tape, weights, block(tape, weights, steps, *fft_, context.is_training, places));
    }
    const Tensor channels = transpose(tape, project_(tape, weights, steps));  // (samples, C, T)
    const Tensor y = head_(tape, weights, channels);
    const Tensor future = y.reshaped({x.shape[0], y.shape[2]});
    return drops_forecast_ ? places.drop(tape, future) : future;
  }

 private:
  // x (samples * C, T) -> (samples, T, width): a convolution over three steps of all channels, that
  // joins the ends of the history, the calendar and the position of each step.
  Tensor embed(Tape& tape, BoundParameters& weights, const Tensor& x,
               const BackboneContext& context) const {
    const Tensor wrapped =
        wrap_ends(tape, x, 1).reshaped({context.samples.size(), channels_, lookback_ + 2});
    Tensor embedded = convolution_1d(tape, wrapped, weights[embed_], 0);
    if (marks_) {
      embedded = add(tape, embedded,
                     convolution_1d(tape, context.history_marks(tape), weights[*marks_], 0));
    }
    return add_to_rows(tape, transpose(tape, embedded), positions_(tape));
  }

  std::size_t channels_;
  std::size_t lookback_;
  std::size_t features_;
  bool drops_forecast_;
  BackboneSizes sizes_;
  Positions positions_;
  ParameterId embed_;
  std::optional<ParameterId> marks_;
  std::vector<ScaleBlock> blocks_;
  LayerNormLayer norm_;
  LinearLayer project_;
  LinearLayer head_;
  // Planned when first needed: a file may claim any length.
  mutable std::once_flag is_planned_;
  mutable std::optional<kernels::RealFft> fft_;
};

}  // namespace

std::unique_ptr<Backbone> make_msgnet(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<MsgNet>(parameters, shape);
}

}  // namespace pulsecast::model
