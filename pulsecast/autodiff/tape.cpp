#include "pulsecast/autodiff/tape.h"

#include "pulsecast/base/throw_error.h"
#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/products/shared_sums.h"

namespace pulsecast::autodiff {

Tensor Tape::variable(const float* data, const Shape& shape) {
  GradientSlot* slot = nullptr;
  if (recording_) slot = new (arena_.allocate<GradientSlot>(1).data()) GradientSlot();
  return {const_cast<float*>(data), shape, slot};
}

Tensor Tape::variable(const float* data, const Shape& shape, float* gradient) {
  const Tensor tensor = variable(data, shape);
  if (tensor.wants_gradient()) tensor.slot->data = gradient;
  return tensor;
}

Tensor Tape::result(const Shape& shape, bool tracked) {
  const float* data = floats(shape.count());
  return tracked ? variable(data, shape) : constant(data, shape);
}

kernels::Gradient Tape::outgoing(const Tensor& input) {
  if (!input.wants_gradient()) return {};
  GradientSlot& slot = *input.slot;
  if (slot.data == nullptr) slot.data = floats(input.count());
  const bool accumulate = slot.written;
  slot.written = true;
  return {slot.data, accumulate};
}

void Tape::add_scaled(std::size_t count, const float* gradient, float factor,
                      const kernels::Gradient& to) const {
  team_.split(count, kernels::kPassGrain, [&](const Team::Part& part) {
    kernels::scale(part.count, factor, gradient + part.first, to.accumulate, to.data + part.first);
  });
}

void Tape::contribute(const Tensor& input, float* gradient, float factor) {
  if (!input.wants_gradient()) return;
  if (input.slot->data == nullptr) {
    if (factor != 1.0f) add_scaled(input.count(), gradient, factor, {gradient, false});
    *input.slot = {gradient, true};
    return;
  }
  add_scaled(input.count(), gradient, factor, outgoing(input));
}

void Tape::require_recording() const {
  if (recording_) return;
  throw_error(ErrorKind::kUsage, "backward", "the tape is in inference mode and noted nothing");
}

void Tape::backward() {
  require_recording();
  for (Link* link = last_; link != nullptr; link = link->previous) link->step(link);
  last_ = nullptr;
}

void Tape::backward(const Tensor& loss, float seed) {
  require_recording();
  if (loss.count() != 1) {
    throw_error(ErrorKind::kUsage, "backward", "expected a loss of one value, got shape {}",
                to_string(loss.shape));
  }
  if (!loss.wants_gradient()) return;
  *outgoing(loss).data = seed;
  backward();
}

void Tape::backward(const Tensor& result, float* gradient) {
  require_recording();
  if (!result.wants_gradient()) return;
  contribute(result, gradient, 1.0f);
  backward();
}

}  // namespace pulsecast::autodiff
