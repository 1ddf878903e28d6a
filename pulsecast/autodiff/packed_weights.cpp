#include "pulsecast/autodiff/packed_weights.h"

namespace pulsecast::autodiff {

PackedWeights::PackedWeights(const Parameters& parameters, Passes passes)
    : parameters_(parameters) {
  const auto take = [&](std::size_t rows, std::size_t columns) {
    return arena_.allocate<float>(kernels::packed_floats(rows, columns)).data();
  };
  const bool goes_back = passes == Passes::kForwardAndBackward;
  for (std::size_t i = 0; i < parameters.views().size(); ++i) {
    const Parameters::View& view = parameters.views()[i];
    if (!view.is_learned || view.shape.rank() != 2) continue;
    const std::size_t out = view.shape[0];
    const std::size_t in = view.shape[1];
    entries_.push_back({i, {}, take(in, out), goes_back ? take(out, in) : nullptr});
  }
}

void PackedWeights::pack(const Team& team) {
  team.run(entries_.size(), entries_.size(), [&](const Team::Part& part) {
    Entry& entry = entries_[part.index];
    const Parameters::View& view = parameters_.views()[entry.parameter];
    const float* weight = parameters_.weights().data() + view.offset;
    const std::size_t out = view.shape[0];
    const std::size_t in = view.shape[1];
    entry.packed.transposed = kernels::pack_matrix(in, out, {weight, in, true}, entry.transposed);
    if (entry.plain != nullptr) {
      entry.packed.plain = kernels::pack_matrix(out, in, {weight, in}, entry.plain);
    }
  });
}

void PackedWeights::bind(BoundParameters& bound) const {
  for (const Entry& entry : entries_) bound.bind_packed({entry.parameter}, entry.packed);
}

}  // namespace pulsecast::autodiff
