// Generates the anchor of the future from the anchor of the past and the forecast.
//
// Both are cut into patches of P steps; the P positions inside a patch are the tokens and the
// patches their features, so that a token is one phase of the patch over all of them. The past's
// tokens ask the forecast's (sender), the forecast's tokens ask the answer (receiver), and a small
// perceptron turns tokens back into steps.
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

class PhaseRouter {
 public:
  PhaseRouter(Parameters& parameters, const ModelShape& shape);
  void initialise(Parameters& parameters, std::uint64_t seed) const;

  // anchor A_x (rows, T), forecast Y0 (rows, H) -> (rows, H)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& anchor,
                    const Tensor& forecast, const RouterDropout& dropout) const;

 private:
  std::size_t patch_;
  std::size_t horizon_;
  LinearLayer history_;
  LinearLayer future_;
  AttentionLayer sender_;
  AttentionLayer receiver_;
  LinearLayer expand_;
  LinearLayer contract_;
};

}  // namespace pulsecast::model
