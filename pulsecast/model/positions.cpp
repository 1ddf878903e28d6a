#include "pulsecast/model/positions.h"

#include <cmath>

namespace pulsecast::model {

autodiff::Tensor Positions::operator()(const autodiff::Tape& tape) const {
  std::call_once(is_made_, [this] {
    table_.resize(count_ * width_);
    for (std::size_t j = 0; j < width_; ++j) {
      const double rate = std::exp(-std::log(10000.0) * static_cast<double>(j - j % 2) /
                                   static_cast<double>(width_));
      for (std::size_t i = 0; i < count_; ++i) {
        const double angle = static_cast<double>(i) * rate;
        table_[i * width_ + j] = static_cast<float>(j % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
    }
  });
  return tape.constant(table_.data(), {count_, width_});
}

}  // namespace pulsecast::model
