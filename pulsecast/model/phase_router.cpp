#include "pulsecast/model/phase_router.h"

namespace pulsecast::model {

using namespace autodiff;

PhaseRouter::PhaseRouter(Parameters& parameters, const ModelShape& shape)
    : patch_(shape.patch),
      horizon_(shape.horizon),
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

Tensor PhaseRouter::operator()(Tape& tape, BoundParameters& weights, const Tensor& anchor,
                               const Tensor& forecast, const RouterDropout& dropout) const {
  const Tensor past =
      history_(tape, weights, to_patches(tape, anchor, patch_, PadSide::kLeft));  // (rows, P, d)
  const Tensor future =
      future_(tape, weights, to_patches(tape, forecast, patch_, PadSide::kRight));  // (rows, P, d)
  // Two attentions a row, so the second draws as if its rows came after the batch.
  const AttentionDropout first{dropout.stream, dropout.rate, dropout.first_row};
  const AttentionDropout second{dropout.stream, dropout.rate,
                                dropout.batch_rows + dropout.first_row};
  const Tensor sent = sender_(tape, weights, past, future, first);
  const Tensor received = receiver_(tape, weights, future, sent, second);
  const Tensor steps =
      contract_(tape, weights, expand_.with_gelu(tape, weights, received));  // (rows, P, N_y)
  return from_patches(tape, steps, horizon_);
}

}  // namespace pulsecast::model
