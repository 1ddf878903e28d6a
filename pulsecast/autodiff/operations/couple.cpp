#include "pulsecast/autodiff/operations/couple.h"

#include "pulsecast/autodiff/operations/shape_check.h"
#include "pulsecast/autodiff/operations/shared_pass.h"
#include "pulsecast/kernels/pointwise/couple.h"

namespace pulsecast::autodiff {

Tensor couple(Tape& tape, const Tensor& a, const Tensor& s, const Tensor& t, const Tensor& gain) {
  require(a.shape == s.shape && a.shape == t.shape && gain.shape == Shape{1}, "couple",
          "three tensors of one shape and a gain (1)", a, s, t, gain);
  const bool tracked = tape.tracks(a, s, t, gain);
  const Tensor y = tape.result(a.shape, tracked);
  float* factors = tracked ? tape.floats(a.count()) : nullptr;
  share_values(tape, a.count(), [&](std::size_t first, std::size_t count) {
    kernels::couple(count, *gain.data, a.data + first, s.data + first, t.data + first,
                    y.data + first, tracked ? factors + first : nullptr);
  });
  if (tracked) {
    tape.note([&tape, a, s, t, gain, y, factors] {
      const float* g = Tape::incoming(y);
      if (g == nullptr) return;
      const kernels::Gradient to_a = tape.outgoing(a);
      const kernels::Gradient to_s = tape.outgoing(s);
      const kernels::Gradient to_gain = tape.outgoing(gain);
      float unwanted = 0.0f;
      {
        const ArenaScope scope(tape.arena());
        kernels::shared_sums(
            tape.team(), a.count(), 1,
            to_gain.data == nullptr ? kernels::Gradient{&unwanted, false} : to_gain,
            tape.floats(kernels::shared_sums_scratch_floats(tape.team(), a.count(), 1)),
            [&](const Team::Part& part, const kernels::Gradient& sum) {
              const float own = kernels::couple_backward(
                  part.count, *gain.data, a.data + part.first, s.data + part.first,
                  factors + part.first, g + part.first, from(to_a, part.first),
                  from(to_s, part.first));
              *sum.data = sum.accumulate ? *sum.data + own : own;
            });
      }
      tape.contribute(t, y.slot->data, 1.0f);
    });
  }
  return y;
}

}  // namespace pulsecast::autodiff
