// SparseTSF (Lin et al., 2024), the linear variant: a convolution over one period smooths the
// history, every phase of the period is a series of its own, and one small linear layer without a
// bias forecasts them all. Where steps are short its authors take four of them for a period, and
// not a day: the shape may say so.
//
// The published model wants a look-back and a horizon that are whole periods. Here a look-back that
// is none is continued on its old side with its first value, and the first H steps are kept.

#include "pulsecast/model/backbone.h"

namespace pulsecast::model {
namespace {

class SparseTsf : public Backbone {
 public:
  SparseTsf(Parameters& parameters, const ModelShape& shape)
      : horizon_(shape.horizon),
        period_(shape.sizes.cycle != 0 ? shape.sizes.cycle : shape.period),
        periods_in_((shape.lookback + period_ - 1) / period_),
        kernel_(1 + 2 * (period_ / 2)),
        smooth_(parameters.add("backbone.smooth.weight", {1, 1, kernel_})),
        sparse_(parameters.add("backbone.sparse.weight",
                               {(shape.horizon + period_ - 1) / period_, periods_in_})) {}

  void initialise(Parameters& parameters, std::uint64_t seed) const override {
    initialise_by_fan_in(parameters, smooth_, seed, kernel_);
    initialise_by_fan_in(parameters, sparse_, seed, periods_in_);
  }

  Tensor forward(Tape& tape, BoundParameters& weights, const Tensor& x,
                 const BackboneContext&) const override {
    const Tensor series = x.reshaped({x.shape[0], 1, x.shape[1]});
    const Tensor smooth =
        autodiff::convolution_1d(tape, series, weights[smooth_], kernel_ / 2).reshaped(x.shape);
    const Tensor phases = autodiff::to_patches(tape, autodiff::add(tape, smooth, x), period_,
                                               autodiff::PadSide::kLeft);  // (rows, W, T/W)
    return autodiff::from_patches(tape, autodiff::linear(tape, phases, weights[sparse_]), horizon_);
  }

 private:
  std::size_t horizon_;
  std::size_t period_;
  std::size_t periods_in_;
  std::size_t kernel_;
  ParameterId smooth_;
  ParameterId sparse_;
};

}  // namespace

std::unique_ptr<Backbone> make_sparsetsf(Parameters& parameters, const ModelShape& shape) {
  return std::make_unique<SparseTsf>(parameters, shape);
}

}  // namespace pulsecast::model
