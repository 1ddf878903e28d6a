#include "pulsecast/model/shared_router.h"

#include "pulsecast/kernels/pointwise/elementwise.h"

namespace pulsecast::model {
namespace {

std::array<Tensor*, RouterMaps::kCount> each_of(RouterMaps& maps) {
  return {&maps.tokens,    &maps.tokens_shift, &maps.ask,
          &maps.ask_again, &maps.expand,       &maps.expand_shift};
}

}  // namespace

void SharedRouter::forward(BoundParameters& weights) {
  arena_.reset();
  Tape& tape = tape_.emplace(arena_, mode_);
  folded_ = router_.fold(tape, weights);
  if (mode_ != Tape::Mode::kTraining) return;
  const auto folded = each_of(folded_);
  for (Lane& lane : lanes_) {
    for (std::size_t i = 0; i < folded.size(); ++i) {
      lane[i].gradient.resize(folded[i]->data == nullptr ? 0 : folded[i]->count());
      lane[i].slot = {lane[i].gradient.data(), false};
    }
  }
}

RouterMaps SharedRouter::maps(std::size_t lane) {
  RouterMaps maps = folded_;
  const auto each = each_of(maps);
  for (std::size_t i = 0; i < each.size(); ++i) {
    each[i]->slot = mode_ == Tape::Mode::kTraining ? &lanes_[lane][i].slot : nullptr;
  }
  return maps;
}

void SharedRouter::backward() {
  const auto folded = each_of(folded_);
  for (std::size_t i = 0; i < folded.size(); ++i) {
    float* sum = nullptr;
    for (Lane& lane : lanes_) {
      if (!lane[i].slot.written) continue;
      if (sum == nullptr) {
        sum = lane[i].gradient.data();
      } else {
        kernels::scale(folded[i]->count(), 1.0f, lane[i].gradient.data(), true, sum);
      }
    }
    if (sum != nullptr) tape_->contribute(*folded[i], sum, 1.0f);
  }
  tape_->backward();
}

std::size_t SharedRouter::memory() const {
  std::size_t bytes = arena_.capacity();
  for (const Lane& lane : lanes_) {
    for (const Gathered& map : lane) bytes += map.gradient.capacity() * sizeof(float);
  }
  return bytes;
}

}  // namespace pulsecast::model
