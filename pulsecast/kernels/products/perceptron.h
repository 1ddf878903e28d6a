// A perceptron of one hidden layer over many rows of a few numbers, as the quantile heads of ranges
// are: too small for products of matrices, whose rows are shorter than vectors.
//
//   y = output gelu(input x + hidden_bias) + output_bias
//
// What is read and written are columns, so that a row has a lane: its bits depend neither on its
// neighbours nor on the width of vectors. For inference alone; it is trained as linear layers.
#pragma once

#include <cstddef>

namespace pulsecast::kernels {

struct PerceptronShape {
  std::size_t rows;
  std::size_t inputs;
  std::size_t hidden;
  std::size_t outputs;
};

struct PerceptronWeights {
  const float* input;        // (hidden, inputs)
  const float* hidden_bias;  // (hidden)
  const float* output;       // (outputs, hidden)
  const float* output_bias;  // (outputs)
};

// x (inputs, rows) -> y (outputs, rows)
void perceptron(const PerceptronShape& shape, const PerceptronWeights& weights, const float* x,
                float* y);

}  // namespace pulsecast::kernels
