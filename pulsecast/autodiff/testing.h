// For tests of operations: run one on given inputs, send a gradient back, and look at what came.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/tape.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::autodiff::testing {

struct Input {
  Shape shape;
  std::vector<float> values;
};

// An operation on some inputs with one or more outputs.
using Operation = std::function<std::vector<Tensor>(Tape&, const std::vector<Tensor>&)>;

struct Outcome {
  std::vector<Input> outputs;
  std::vector<std::vector<float>> gradients;  // of the inputs; empty where none came
};

// sum over outputs of <output, weights>, as an operation of one value: its gradient with respect to
// each output is the weights.
inline Tensor weighted_sum(Tape& tape, const std::vector<Tensor>& outputs,
                           const std::vector<std::vector<float>>& weights) {
  Tensor total = tape.result({1}, true);
  double sum = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    for (std::size_t j = 0; j < outputs[i].count(); ++j) {
      sum += static_cast<double>(outputs[i].data[j]) * weights[i][j];
    }
    const Tensor output = outputs[i];
    const float* weight = weights[i].data();
    tape.note([&tape, output, weight, total] {
      const float* g = Tape::incoming(total);
      const kernels::Gradient to = tape.outgoing(output);
      if (to.data != nullptr) {
        kernels::scale(output.count(), *g, weight, to.accumulate, to.data);
      }
    });
  }
  *total.data = static_cast<float>(sum);
  return total;
}

// Forward and backward with `sent` as the gradient of the outputs.
inline Outcome run(const Operation& operation, const std::vector<Input>& inputs,
                   const std::vector<std::vector<float>>& sent, const Team& team = {}) {
  Arena arena;
  Tape tape(arena, Tape::Mode::kTraining, team);
  std::vector<Tensor> tensors;
  for (const Input& input : inputs) {
    tensors.push_back(tape.variable(input.values.data(), input.shape));
  }
  const std::vector<Tensor> outputs = operation(tape, tensors);
  tape.backward(weighted_sum(tape, outputs, sent));
  Outcome outcome;
  for (const Tensor& output : outputs) {
    outcome.outputs.push_back({output.shape, {output.data, output.data + output.count()}});
  }
  for (const Tensor& tensor : tensors) {
    const float* gradient = Tape::incoming(tensor);
    outcome.gradients.emplace_back();
    if (gradient != nullptr) outcome.gradients.back().assign(gradient, gradient + tensor.count());
  }
  return outcome;
}

// sum over outputs of <output, weights> in double, without recording.
inline double evaluate(const Operation& operation, const std::vector<Input>& inputs,
                       const std::vector<std::vector<float>>& weights) {
  Arena arena;
  Tape tape(arena, Tape::Mode::kInference);
  std::vector<Tensor> tensors;
  for (const Input& input : inputs) {
    tensors.push_back(tape.variable(input.values.data(), input.shape));
  }
  const std::vector<Tensor> outputs = operation(tape, tensors);
  double sum = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    EXPECT_FALSE(outputs[i].wants_gradient()) << "inference must not ask for gradients";
    for (std::size_t j = 0; j < outputs[i].count(); ++j) {
      sum += static_cast<double>(outputs[i].data[j]) * weights[i][j];
    }
  }
  return sum;
}

// Single-head attention between its projections: weight and bias of query, key, value and output.
inline Tensor projected_attention(Tape& tape, const Tensor& x_q, const Tensor& x_kv,
                                  const std::array<Tensor, 8>& p, const AttentionDropout& dropout) {
  const Tensor q = linear(tape, x_q, p[0], p[1]);
  const Tensor k = linear(tape, x_kv, p[2], p[3]);
  const Tensor v = linear(tape, x_kv, p[4], p[5]);
  return linear(tape, attention(tape, q, k, v, 1, dropout), p[6], p[7]);
}

}  // namespace pulsecast::autodiff::testing
