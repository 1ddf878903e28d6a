// Where a token stands, as the Transformers' tables have it: sines at even places of a token and
// cosines at odd ones, of wavelengths from 2 pi to 10000 times that.
#pragma once

#include <mutex>
#include <vector>

#include "pulsecast/autodiff/tape.h"

namespace pulsecast::model {

class Positions {
 public:
  // The table is made when it is first asked for: a file may claim any size.
  Positions(std::size_t count, std::size_t width) : count_(count), width_(width) {}

  // (count, width), for as long as this lives
  autodiff::Tensor operator()(const autodiff::Tape& tape) const;

 private:
  std::size_t count_;
  std::size_t width_;
  mutable std::once_flag is_made_;
  mutable std::vector<float> table_;
};

}  // namespace pulsecast::model
