// The weights of a model: one flat buffer with named views.
//
// One buffer, so that the optimiser is one pass, a checkpoint one write and a sum over machines one
// call. Declared once while the model is built; then the layout is fixed. The memory is taken when
// weights are first asked for, so that a layout that a file claims can be looked at before.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/autodiff/tensor.h"
#include "pulsecast/base/random.h"

namespace pulsecast::autodiff {

// A handle that stays good for the life of the Parameters.
struct ParameterId {
  std::size_t index;
};

class Parameters {
 public:
  struct View {
    std::string name;  // a dotted path: "router.sender.query.weight"
    Shape shape;
    std::size_t offset;      // into the flat buffer
    bool is_learned = true;  // false: a buffer
  };

  // Adds a parameter, which begins as zeros. Throws Error(kUsage) where the name is taken or a size
  // is zero.
  ParameterId add(std::string name, const Shape& shape);

  // Adds values that training does not learn by gradients but keeps with the weights, such as
  // running means: saved, resumed and restored with them. No gradient comes to them, so Adam leaves
  // them be.
  ParameterId add_buffer(std::string name, const Shape& shape);

  // Fills a parameter with draws that depend on the seed and its name alone: adding a layer to a
  // model does not change how the others start.
  void fill_uniform(ParameterId id, std::uint64_t seed, float low, float high);
  void fill_normal(ParameterId id, std::uint64_t seed, float deviation);
  void fill(ParameterId id, float value);

  std::size_t count() const { return count_; }
  // Without the buffers.
  std::size_t learned_count() const;
  const std::vector<View>& views() const { return views_; }
  const View& view(ParameterId id) const { return views_[id.index]; }
  // Throws Error(kUsage) that names what there is.
  ParameterId find(std::string_view name) const;

  std::span<float> weights();
  std::span<const float> weights() const { return weights_; }
  std::span<float> weights(ParameterId id);

 private:
  std::vector<View> views_;
  std::size_t count_ = 0;
  std::vector<float> weights_;  // empty until asked for
};

// Where gradients lie in a flat buffer: those of all parameters, as the weights lie in theirs, and
// behind them those of values that are computed from weights once and shared by many tapes.
class GradientLayout {
 public:
  struct Piece {
    std::size_t offset;
    std::size_t count;
  };

  // `shared`: floats of each shared value; may be 0.
  explicit GradientLayout(const Parameters& parameters, std::span<const std::size_t> shared = {});

  // Of each parameter, then of each shared value.
  const std::vector<Piece>& pieces() const { return pieces_; }
  std::size_t count() const { return count_; }

 private:
  std::vector<Piece> pieces_;
  std::size_t count_ = 0;
};

// Parameters as tensors: for inference without gradients, or bound to one gradient buffer.
class BoundParameters {
 public:
  // Weights alone, to be read: any number of threads may each bind the same ones. They must have
  // been filled.
  explicit BoundParameters(const Parameters& parameters);
  // With gradients gathered in `gradients` (parameters.count() floats).
  BoundParameters(Parameters& parameters, std::span<float> gradients);
  // With gradients of `layout`, gathered where bind() says: tapes may go forward before that, and
  // back after.
  BoundParameters(Parameters& parameters, const GradientLayout& layout);

  Tensor operator[](ParameterId id) { return tensors_[id.index]; }
  // What products read instead of a weight (packed_weights.h), which outlives this.
  void bind_packed(ParameterId id, const kernels::PackedWeight& packed) {
    tensors_[id.index].packed = &packed;
  }
  // The gradient of a shared value of the layout.
  GradientSlot* shared(std::size_t value) { return &slots_[tensors_.size() + value]; }

  // Forgets what was gathered: the next contribution to each parameter writes, into `gradients`.
  void bind(const GradientLayout& layout, float* gradients);
  // What was gathered, a slot for each piece of the layout. Where a slot got no contribution since
  // bind(), its gradient is zero and the memory for it says nothing.
  std::span<GradientSlot> slots() { return slots_; }
  std::span<const GradientSlot> slots() const { return slots_; }

 private:
  std::vector<Tensor> tensors_;
  std::vector<GradientSlot> slots_;
};

}  // namespace pulsecast::autodiff
