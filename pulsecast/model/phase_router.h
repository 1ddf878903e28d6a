// Generates the anchor of the future from the anchor of the past and the forecast.
//
// Both are cut into patches of P steps; the P positions inside a patch are the tokens and the
// patches their features, so that a token is one phase of the patch over all of them. The past's
// tokens ask the forecast's (sender), the forecast's tokens ask the answer (receiver), and a small
// perceptron turns tokens back into steps.
//
// Between softmax and softmax everything is linear, so it is multiplied out: once a step of
// training, or once for all windows that a model forecasts, and not for every row. What is left
// works on the forecast's patches themselves where they are no wider than the router, and with
// P = 24 and H = 96 they are 4 wide. Decision 16 has the formulas.
#pragma once

#include "pulsecast/base/random.h"
#include "pulsecast/model/layers.h"
#include "pulsecast/model/model_shape.h"

namespace pulsecast::model {

// Dropout of a pass over rows [first_row, first_row + rows) of a batch of `batch_rows`: masks
// belong to rows of the batch, so they do not depend on how it is cut. Rate 0 in inference.
struct RouterDropout {
  random::Stream stream;
  float rate = 0.0f;
  std::uint64_t first_row = 0;
  std::uint64_t batch_rows = 0;
};

// The router's linear maps, multiplied out. A token is w floats of the forecast's patches (or of
// what `tokens` makes of them), a 1, and zeros up to a width that suits vectors.
struct RouterMaps {
  Tensor tokens;        // (token, N_y), and
  Tensor tokens_shift;  // (token): nothing where patches are tokens
  Tensor ask;        // (N_x + 1, token): the past's patches, and a constant, to the first queries
  Tensor ask_again;  // (w + 1, token): tokens, and a constant, to the second queries
  Tensor expand;     // (2 d, token): what the second attention mixed to the perceptron's inside
  Tensor expand_shift;  // (2 d)

  static constexpr std::size_t kCount = 6;
};

class PhaseRouter {
 public:
  PhaseRouter(Parameters& parameters, const ModelShape& shape);
  void initialise(Parameters& parameters, std::uint64_t seed) const;

  // Multiplies out.
  RouterMaps fold(Tape& tape, BoundParameters& weights) const;

  // anchor A_x (rows, T), forecast Y0 (rows, H) -> (rows, H)
  Tensor operator()(Tape& tape, BoundParameters& weights, const RouterMaps& maps,
                    const Tensor& anchor, const Tensor& forecast,
                    const RouterDropout& dropout) const;

 private:
  // Whether patches of the forecast are tokens as they are.
  bool is_narrow() const { return future_patches_ <= width_; }
  std::size_t used() const { return is_narrow() ? future_patches_ : width_; }  // w
  std::size_t token() const;

  std::size_t patch_;
  std::size_t horizon_;
  std::size_t history_patches_;
  std::size_t future_patches_;
  std::size_t width_;
  LinearLayer history_;
  LinearLayer future_;
  AttentionLayers sender_;
  AttentionLayers receiver_;
  LinearLayer expand_;
  LinearLayer contract_;
};

}  // namespace pulsecast::model
