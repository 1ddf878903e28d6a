// The periods of series of features, as TimesNet and MSGNet find them: the strongest bins of their
// spectra, which a sample's own spectrum weighs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "pulsecast/kernels/spectrum/fft.h"
#include "pulsecast/model/layers.h"

namespace pulsecast::model {

// x (samples, width, S) -> (samples, bins): the mean modulus of each bin over the features. `fft`
// is the plan for S and outlives the tape.
Tensor strengths(Tape& tape, const Tensor& x, const kernels::RealFft& fft);

// The `top` strongest bins of each of some spectra of `bins` values, strongest first, but for the
// first bin, which has no period: (spectra, top), for as long as the tape.
std::span<const std::uint32_t> strongest(Tape& tape, const float* spectra, std::size_t count,
                                         std::size_t bins, std::size_t top);

// strength (samples, bins) at chosen bins, (samples, top) or (top) for all -> (samples, top): what
// share each of them has, by softmax.
Tensor shares_of(Tape& tape, const Tensor& strength, std::span<const std::uint32_t> chosen,
                 std::size_t top);

// The mean spectrum of batches, kept with the weights as a buffer, so that a forecast need not
// depend on its batch-mates.
class RunningSpectrum {
 public:
  RunningSpectrum(Parameters& parameters, const std::string& name, std::size_t bins);
  void initialise(Parameters& parameters) const;

  // (bins), for as long as the tape. In training the mean over the samples of strength (samples,
  // bins), of which the running one takes a tenth, or all of the first; else the running one.
  const float* operator()(Tape& tape, BoundParameters& weights, const Tensor& strength,
                          bool is_training) const;

 private:
  ParameterId spectrum_;
};

}  // namespace pulsecast::model
