// The real Fourier transform and its inverse as operations, and the modulus of complex values.
#pragma once

#include "pulsecast/autodiff/tape.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast::autodiff {

// x (rows, n) -> (rows, n/2 + 1, 2), real and imaginary parts; `fft` is the plan for n and must
// outlive the tape.
Tensor spectrum(Tape& tape, const Tensor& x, const kernels::RealFft& fft);

// z (rows, n/2 + 1, 2) -> (rows, n): the rows whose spectra these are. Imaginary parts of bin 0
// and, for even n, of bin n/2 have no say.
Tensor inverse_spectrum(Tape& tape, const Tensor& z, const kernels::RealFft& fft);

// z (rows, n, 2), real and imaginary parts -> (rows, n): |z|, whose gradient is 0 at 0.
Tensor modulus(Tape& tape, const Tensor& z);

}  // namespace pulsecast::autodiff
