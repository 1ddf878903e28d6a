// Shape errors that name the operation, what it expected and what came.
#pragma once

#include "pulsecast/autodiff/tensor.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::autodiff {

// require(x.shape.rank() == 2, "gather_rows", "a table (rows, width)", table);
template <typename... Tensors>
void require(bool holds, const char* operation, const char* expected, const Tensors&... came) {
  if (holds) return;
  std::string shapes;
  ((shapes += (shapes.empty() ? "" : ", ") + to_string(came.shape)), ...);
  throw_error(ErrorKind::kUsage, operation, "expected {}, got {}", expected, shapes);
}

}  // namespace pulsecast::autodiff
