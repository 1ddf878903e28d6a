#include "pulsecast/model/shared_router.h"

namespace pulsecast::model {
namespace {

std::array<Tensor*, RouterMaps::kCount> each_of(RouterMaps& maps) {
  return {&maps.tokens,    &maps.tokens_shift, &maps.ask,
          &maps.ask_again, &maps.expand,       &maps.expand_shift};
}

}  // namespace

void SharedRouter::forward(BoundParameters& weights) {
  arena_.reset();
  folded_ = router_.fold(tape_.emplace(arena_, mode_), weights);
}

RouterMaps SharedRouter::maps(BoundParameters& weights) const {
  RouterMaps maps = folded_;
  const auto each = each_of(maps);
  for (std::size_t i = 0; i < each.size(); ++i) each[i]->slot = weights.shared(i);
  return maps;
}

std::array<std::size_t, RouterMaps::kCount> SharedRouter::sizes(const PhaseRouter& router,
                                                                Parameters& parameters) {
  BoundParameters weights(parameters);
  SharedRouter trial(router, Tape::Mode::kInference);
  trial.forward(weights);
  std::array<std::size_t, RouterMaps::kCount> sizes{};
  const auto folded = each_of(trial.folded_);
  for (std::size_t i = 0; i < folded.size(); ++i) {
    sizes[i] = folded[i]->data == nullptr ? 0 : folded[i]->count();
  }
  return sizes;
}

void SharedRouter::backward(const std::array<float*, RouterMaps::kCount>& gathered) {
  const auto folded = each_of(folded_);
  for (std::size_t i = 0; i < folded.size(); ++i) {
    if (gathered[i] != nullptr) tape_->contribute(*folded[i], gathered[i], 1.0f);
  }
  tape_->backward();
}

}  // namespace pulsecast::model
