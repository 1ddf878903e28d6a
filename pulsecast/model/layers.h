// Layers that the parts of a model are made of: where their weights are, how they begin, how they
// are applied.
#pragma once

#include <cstdint>
#include <string>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/parameters.h"

namespace pulsecast::model {

using autodiff::BoundParameters;
using autodiff::ParameterId;
using autodiff::Parameters;
using autodiff::Tape;
using autodiff::Tensor;

// weight (out, in), bias (out); both begin uniform in +-1/sqrt(in).
class LinearLayer {
 public:
  LinearLayer(Parameters& parameters, const std::string& name, std::size_t in, std::size_t out);
  void initialise(Parameters& parameters, std::uint64_t seed) const;
  // The same in +-1/sqrt(fan_in), for a layer that is a part of one with more inputs.
  void initialise(Parameters& parameters, std::uint64_t seed, std::size_t fan_in) const;

  // x (..., in) -> (..., out)
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const;
  // The same followed by GELU.
  Tensor with_gelu(Tape& tape, BoundParameters& weights, const Tensor& x) const;

  ParameterId weight_id() const { return weight_; }
  Tensor weight(BoundParameters& weights) const { return weights[weight_]; }
  Tensor bias(BoundParameters& weights) const { return weights[bias_]; }

 private:
  ParameterId weight_;
  ParameterId bias_;
  std::size_t in_;
};

// weight (width) and bias (width), which begin as 1 and 0.
class LayerNormLayer {
 public:
  LayerNormLayer(Parameters& parameters, const std::string& name, std::size_t width);
  void initialise(Parameters& parameters) const;
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x) const;

 private:
  ParameterId weight_;
  ParameterId bias_;
};

// weight (width) and bias (width), which begin as 1 and 0, and buffers: running means of the mean
// and the unbiased variance of a batch, which begin as 0 and 1 and take a tenth of every batch.
class BatchNormLayer {
 public:
  BatchNormLayer(Parameters& parameters, const std::string& name, std::size_t width);
  void initialise(Parameters& parameters) const;
  // x (..., width) -> (..., width). In training x is of the whole batch, and the buffers change.
  Tensor operator()(Tape& tape, BoundParameters& weights, const Tensor& x, bool is_training) const;

 private:
  ParameterId weight_;
  ParameterId bias_;
  ParameterId running_mean_;
  ParameterId running_variance_;
};

// The projections of single-head attention, each (width, width).
struct AttentionLayers {
  AttentionLayers(Parameters& parameters, const std::string& name, std::size_t width);
  void initialise(Parameters& parameters, std::uint64_t seed) const;

  LinearLayer query;
  LinearLayer key;
  LinearLayer value;
  LinearLayer output;
};

// Uniform in +-1/sqrt(fan_in).
void initialise_by_fan_in(Parameters& parameters, ParameterId id, std::uint64_t seed,
                          std::size_t fan_in);

}  // namespace pulsecast::model
