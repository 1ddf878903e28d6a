#include "pulsecast/autodiff/tensor.h"

namespace pulsecast::autodiff {

std::string to_string(const Shape& shape) {
  std::string text = "(";
  for (std::size_t i = 0; i < shape.rank(); ++i) {
    if (i > 0) text += ", ";
    text += std::to_string(shape[i]);
  }
  return text + ")";
}

}  // namespace pulsecast::autodiff
