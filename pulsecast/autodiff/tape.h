// Define by run: operations compute at once and note on the tape how to go back.
//
//   Tape tape(arena, Tape::Mode::kTraining);
//   Tensor h = linear_gelu(tape, x, w1, b1);
//   Tensor loss = mean_squared_error(tape, linear(tape, h, w2, b2), target);
//   tape.backward(loss);
//
// Everything the tape holds (values, notes, gradients) lies in the arena, so a step of the same
// shapes as the last allocates nothing. In inference nothing is noted and no gradient has a place:
// the same code runs forward only.
#pragma once

#include <new>
#include <type_traits>

#include "pulsecast/autodiff/tensor.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/team.h"
#include "pulsecast/kernels/gradient.h"

namespace pulsecast::autodiff {

class Tape {
 public:
  enum class Mode { kInference, kTraining };

  // Operations may share their work among `team`.
  Tape(Arena& arena, Mode mode, const Team& team = {})
      : arena_(arena), recording_(mode == Mode::kTraining), team_(team) {}
  Tape(const Tape&) = delete;
  Tape& operator=(const Tape&) = delete;

  Arena& arena() { return arena_; }
  const Team& team() const { return team_; }

  // Values from outside that need no gradient. The tape never writes to them.
  Tensor constant(const float* data, const Shape& shape) const {
    return {const_cast<float*>(data), shape, nullptr};
  }
  // Values from outside whose gradient is wanted (when recording).
  Tensor variable(const float* data, const Shape& shape);
  // The same, with the gradient gathered in `gradient`, memory of the caller that outlives the
  // tape.
  Tensor variable(const float* data, const Shape& shape, float* gradient);

  // Whether an operation on these inputs must note how to go back.
  template <typename... Tensors>
  bool tracks(const Tensors&... inputs) const {
    return recording_ && (inputs.wants_gradient() || ...);
  }

  // Memory for a result, uninitialised; it wants a gradient if `tracked`.
  Tensor result(const Shape& shape, bool tracked);
  // Memory that lives as long as the tape's other values.
  float* floats(std::size_t count) { return arena_.allocate<float>(count).data(); }

  // Operations say what their forward pass costs, in floating-point operations: those of matrix
  // products, convolutions, attention and transforms, a multiplication and an addition being two.
  // Passes over values one by one are not counted.
  void spend(std::size_t operations) { spent_ += operations; }
  std::size_t spent() const { return spent_; }

  // Notes a step back: a callable without arguments and without a destructor.
  template <typename Back>
  void note(Back back) {
    static_assert(std::is_trivially_destructible_v<Back>);
    struct Note : Link {
      explicit Note(Back callable) : Link{nullptr, &run}, back(callable) {}
      static void run(Link* link) { static_cast<Note*>(link)->back(); }
      Back back;
    };
    Note* memory = arena_.allocate<Note>(1).data();
    Note* note = new (memory) Note(back);
    note->previous = last_;
    last_ = note;
  }

  // For use inside steps back. What came back to a result so far: null when nothing did, and then
  // there is nothing to pass on.
  static const float* incoming(const Tensor& result) {
    return result.slot->written ? result.slot->data : nullptr;
  }
  // Where to put a contribution to an input's gradient; the memory is there after the call. Without
  // a wish for one the pointer is null. Call it once a contribution, before taking scratch memory.
  kernels::Gradient outgoing(const Tensor& input);
  // Hands over a whole gradient of an input, in memory of the tape, scaled by `factor`: of the
  // operation's own, or that of its result, which nobody reads once the operation has gone back.
  void contribute(const Tensor& input, float* gradient, float factor);

  // Runs all steps back, last first, from d(loss)/d(loss) = seed. loss has one value.
  void backward(const Tensor& loss, float seed = 1.0f);
  // The same from a result that is no loss, of which `gradient` came back from elsewhere: the
  // second half of a computation that was cut in two. The gradient is the tape's to overwrite.
  void backward(const Tensor& result, float* gradient);
  // The same from all results that gradients were handed over to by contribute().
  void backward();

 private:
  void require_recording() const;
  void add_scaled(std::size_t count, const float* gradient, float factor,
                  const kernels::Gradient& to) const;

  struct Link {
    Link* previous;
    void (*step)(Link*);
  };

  Arena& arena_;
  bool recording_;
  Team team_;
  Link* last_ = nullptr;
  std::size_t spent_ = 0;
};

}  // namespace pulsecast::autodiff
