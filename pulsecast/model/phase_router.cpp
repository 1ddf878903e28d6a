#include "pulsecast/model/phase_router.h"

#include <cmath>

namespace pulsecast::model {

using namespace autodiff;

namespace {

// Floats that every vector unit we know divides into few vectors.
constexpr std::size_t kVector = 8;
std::size_t whole_vectors(std::size_t count) { return (count + kVector - 1) / kVector * kVector; }

constexpr float kOne = 1.0f;

// Maps are matrices that follow a row which ends in a 1, so their last row is what they add. These
// are what becomes of a map when a layer follows it: all of the layer,
Tensor followed_by(Tape& tape, BoundParameters& weights, const Tensor& map,
                   const LinearLayer& layer) {
  const Tensor product = linear(tape, map, layer.weight(weights));
  const Tensor bias = layer.bias(weights);
  const Tensor shift =
      assemble(tape, product.shape,
               {{.from = bias, .rows = 1, .columns = bias.count(), .row = product.shape[0] - 1}});
  return add(tape, product, shift);
}
// or its weight alone.
Tensor times(Tape& tape, BoundParameters& weights, const Tensor& map, const LinearLayer& layer) {
  return linear(tape, map, layer.weight(weights));
}

// A layer (in -> out) as a map (in + 1, out).
Tensor map_of(Tape& tape, BoundParameters& weights, const LinearLayer& layer) {
  const Tensor weight = layer.weight(weights);
  const std::size_t out = weight.shape[0];
  const std::size_t in = weight.shape[1];
  return assemble(tape, {in + 1, out},
                  {{.from = weight, .rows = out, .columns = in, .is_transposed = true},
                   {.from = layer.bias(weights), .rows = 1, .columns = out, .row = in}});
}

// The map (size + 1, size) that changes nothing.
Tensor unchanged(Tape& tape, std::size_t size) {
  float* values = tape.floats((size + 1) * size);
  std::fill_n(values, (size + 1) * size, 0.0f);
  for (std::size_t i = 0; i < size; ++i) values[i * size + i] = 1.0f;
  return tape.constant(values, {size + 1, size});
}

}  // namespace

PhaseRouter::PhaseRouter(Parameters& parameters, const ModelShape& shape)
    : patch_(shape.patch),
      horizon_(shape.horizon),
      history_patches_(shape.history_patches()),
      future_patches_(shape.future_patches()),
      width_(shape.router_width),
      history_(parameters, "router.history", shape.history_patches(), shape.router_width),
      future_(parameters, "router.future", shape.future_patches(), shape.router_width),
      sender_(parameters, "router.sender", shape.router_width),
      receiver_(parameters, "router.receiver", shape.router_width),
      expand_(parameters, "router.expand", shape.router_width, 2 * shape.router_width),
      contract_(parameters, "router.contract", 2 * shape.router_width, shape.future_patches()) {}

void PhaseRouter::initialise(Parameters& parameters, std::uint64_t seed) const {
  history_.initialise(parameters, seed);
  future_.initialise(parameters, seed);
  sender_.initialise(parameters, seed);
  receiver_.initialise(parameters, seed);
  expand_.initialise(parameters, seed);
  contract_.initialise(parameters, seed);
}

std::size_t PhaseRouter::token() const { return whole_vectors(used() + 2); }

RouterMaps PhaseRouter::fold(Tape& tape, BoundParameters& weights) const {
  const auto all = [&](const Tensor& map, const LinearLayer& layer) {
    return followed_by(tape, weights, map, layer);
  };
  const auto weight = [&](const Tensor& map, const LinearLayer& layer) {
    return times(tape, weights, map, layer);
  };
  const std::size_t w = used();
  const std::size_t d = width_;
  RouterMaps maps;
  if (!is_narrow()) {
    const Tensor future = future_.weight(weights);
    maps.tokens = assemble(tape, {token(), future_patches_},
                           {{.from = future, .rows = d, .columns = future_patches_}});
    maps.tokens_shift =
        assemble(tape, {1, token()},
                 {{.from = future_.bias(weights), .rows = 1, .columns = d},
                  {.from = tape.constant(&kOne, {1}), .rows = 1, .columns = 1, .column = d}})
            .reshaped({token()});
  }
  // T_y of a token.
  const Tensor future = is_narrow() ? map_of(tape, weights, future_) : unchanged(tape, d);
  const Tensor history = map_of(tape, weights, history_);
  // A query's meeting with the biases of keys is the same for all of them, so softmax does not see
  // it: of products of maps the last column, of keys the bias may be left away.
  const Tensor ask = linear(tape, all(history, sender_.query), weight(future, sender_.key));
  maps.ask = assemble(tape, {history_patches_ + 1, token()},
                      {{.from = ask, .rows = history_patches_ + 1, .columns = w}});
  // Z of what the first attention mixed, its sum of weights and a 1: (w + 2, d).
  const Tensor mixed = weight(all(future, sender_.value), sender_.output);
  const Tensor sent =
      assemble(tape, {w + 2, d},
               {{.from = mixed, .rows = w + 1, .columns = d},
                {.from = sender_.output.bias(weights), .rows = 1, .columns = d, .row = w + 1}});
  const Tensor ask_again = linear(tape, all(future, receiver_.query), weight(sent, receiver_.key));
  maps.ask_again =
      assemble(tape, {w + 1, token()}, {{.from = ask_again, .rows = w + 1, .columns = w + 1}});
  const Tensor received = weight(all(sent, receiver_.value), receiver_.output);  // (w + 2, d)
  const Tensor expand = linear(tape, expand_.weight(weights), received);         // (2 d, w + 2)
  maps.expand =
      assemble(tape, {2 * d, token()}, {{.from = expand, .rows = 2 * d, .columns = w + 2}});
  maps.expand_shift =
      expand_(tape, weights, receiver_.output.bias(weights).reshaped({1, d})).reshaped({2 * d});
  return maps;
}

Tensor PhaseRouter::operator()(Tape& tape, BoundParameters& weights, const RouterMaps& maps,
                               const Tensor& anchor, const Tensor& forecast,
                               const RouterDropout& dropout) const {
  const Tensor past =
      to_tokens(tape, anchor, patch_, PadSide::kLeft, whole_vectors(history_patches_));
  const Tensor tokens =  // (rows, P, token)
      is_narrow() ? to_tokens(tape, forecast, patch_, PadSide::kRight, token())
                  : linear(tape, to_patches(tape, forecast, patch_, PadSide::kRight), maps.tokens,
                           maps.tokens_shift);
  // Two attentions a row, so the second draws as if its rows came after the batch.
  const AttentionDropout first{dropout.stream, dropout.rate, dropout.first_row};
  const AttentionDropout second{dropout.stream, dropout.rate,
                                dropout.batch_rows + dropout.first_row};
  const float scale = 1.0f / std::sqrt(static_cast<float>(width_));
  const std::size_t w = used();
  const Tensor sent = blend(tape, past, tokens, maps.ask, {w, w + 1}, scale, first);
  const Tensor received = blend(tape, tokens, sent, maps.ask_again, {w + 1, w + 2}, scale, second);
  const Tensor inside = linear_gelu(tape, received, maps.expand, maps.expand_shift);
  return from_patches(tape, contract_(tape, weights, inside), horizon_);
}

}  // namespace pulsecast::model
