// Small models trained whole: the same losses as PyTorch, the same bits on any number of threads,
// and no allocation once the first steps have passed.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/autodiff/operations.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/testing/allocation_count.h"

namespace pulsecast::autodiff {
namespace {

const kernels::AdamSettings kAdam{.learning_rate = 0.005, .beta1 = 0.95};

const store::TensorFile& training_fixtures() {
  static const store::TensorFile file =
      store::read_tensors(PULSECAST_SOURCE_DIR "/tests/fixtures/training.safetensors");
  return file;
}

// A model in the making: parameters from a fixture by name.
class Model {
 public:
  explicit Model(std::string name) : name_(std::move(name)) {}

  ParameterId add(const std::string& parameter) {
    const store::StoredTensor& stored = training_fixtures().at(name_ + "/" + parameter);
    const Shape shape =
        stored.shape.size() == 1 ? Shape{stored.shape[0]} : Shape{stored.shape[0], stored.shape[1]};
    const ParameterId id = parameters_.add(parameter, shape);
    std::ranges::copy(stored.floats(), parameters_.weights(id).begin());
    return id;
  }
  const float* data(const std::string& tensor) const {
    return training_fixtures().at(name_ + "/" + tensor).floats().data();
  }
  Parameters& parameters() { return parameters_; }

  // Ten steps; shards of one row each, so that the lanes have something to add up.
  template <typename Shard>
  void expect_losses(std::size_t shards, Shard shard) {
    ThreadPool pool(2);
    Lanes lanes(parameters_, pool);
    std::vector<float> moment1(parameters_.count()), moment2(parameters_.count());
    const auto expected = training_fixtures().at(name_ + "/losses").floats();
    for (std::size_t step = 0; step < expected.size(); ++step) {
      const double loss =
          lanes.run({8, shards}, [&](std::size_t index, Tape& tape, BoundParameters& bound) {
            return shard(step, index, tape, bound);
          });
      EXPECT_NEAR(loss / expected[step], 1.0, 1e-5) << "step " << step;
      kernels::adam(parameters_.count(), kAdam, static_cast<std::int64_t>(step) + 1,
                    lanes.gradients().data(), parameters_.weights().data(), moment1.data(),
                    moment2.data());
    }
  }

 private:
  std::string name_;
  Parameters parameters_;
};

TEST(Training, PerceptronFollowsPyTorchForTenSteps) {
  Model model("mlp");
  const ParameterId w1 = model.add("w1"), b1 = model.add("b1"), w2 = model.add("w2"),
                    b2 = model.add("b2");
  constexpr std::size_t kExamples = 40;
  const kernels::RealFft fft(12);
  model.expect_losses(kExamples, [&](std::size_t, std::size_t row, Tape& tape, BoundParameters& p) {
    const Tensor x = tape.constant(model.data("x") + row * 24, {1, 24});
    const Tensor target = tape.constant(model.data("target") + row * 12, {1, 12});
    const Tensor hidden = linear_gelu(tape, x, p[w1], p[b1]);
    return spectral_error(tape, linear(tape, hidden, p[w2], p[b2]), target, fft,
                          1.0f / (kExamples * 12));
  });
}

TEST(Training, AttentionFollowsPyTorchForTenSteps) {
  Model model("attention");
  std::vector<ParameterId> id;
  for (const char* name : {"wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo"}) {
    id.push_back(model.add(name));
  }
  constexpr std::size_t kExamples = 16, kTokens = 12, kWidth = 16, kFlat = kTokens * kWidth;
  const kernels::RealFft fft(kFlat);
  model.expect_losses(kExamples, [&](std::size_t step, std::size_t row, Tape& tape,
                                     BoundParameters& p) {
    const Tensor x = tape.constant(model.data("x") + row * kFlat, {1, kTokens, kWidth});
    const Tensor target = tape.constant(model.data("target") + row * kFlat, {1, kFlat});
    const AttentionDropout dropout{{.seed = 11,
                                    .purpose = random::Purpose::kAttentionDropout,
                                    .epoch = 1,
                                    .step = static_cast<std::uint32_t>(step)},
                                   0.1f,
                                   row};
    const Tensor y = testing::projected_attention(
        tape, x, x,
        {p[id[0]], p[id[1]], p[id[2]], p[id[3]], p[id[4]], p[id[5]], p[id[6]], p[id[7]]}, dropout);
    return spectral_error(tape, y.reshaped({1, kFlat}), target, fft, 1.0f / (kExamples * kFlat));
  });
}

// A model of every kind of part: codebook rows, standardisation, patches, attention, a perceptron
// and the frequency loss, with dropout.
class Toy {
 public:
  static constexpr std::size_t kExamples = 36, kLength = 24, kPatch = 6, kWidth = 8;

  explicit Toy(std::size_t threads) : pool_(threads) {
    const auto add = [&](const char* name, const Shape& shape) {
      const ParameterId id = parameters_.add(name, shape);
      parameters_.fill_uniform(id, 7, -0.3f, 0.3f);
      return id;
    };
    codebook_ = add("codebook", {5, kLength});
    embed_ = add("embed", {kWidth, kLength / kPatch});
    embed_bias_ = add("embed.bias", {kWidth});
    for (std::size_t i = 0; i < 4; ++i) {
      const std::string name = "attention" + std::to_string(i);
      attention_[2 * i] = add((name + ".weight").c_str(), {kWidth, kWidth});
      attention_[2 * i + 1] = add((name + ".bias").c_str(), {kWidth});
    }
    out_ = add("out", {kLength, kPatch * kWidth});
    out_bias_ = add("out.bias", {kLength});
    lanes_ = std::make_unique<Lanes>(parameters_, pool_);
    moments_.resize(2 * parameters_.count());
    data_.resize(2 * kExamples * kLength);
    for (std::size_t i = 0; i < data_.size(); ++i) {
      data_[i] = static_cast<float>(random::normal({.seed = 3}, i));
    }
    for (std::size_t i = 0; i < kExamples; ++i) phases_[i] = static_cast<std::uint32_t>(i % 5);
  }

  // Shards of five rows, the last one of one.
  double step() {
    constexpr std::size_t kShard = 5;
    ++step_;
    constexpr std::size_t kShards = (kExamples + kShard - 1) / kShard;
    const double loss =
        lanes_->run({kShards - 1, kShards}, [&](std::size_t index, Tape& tape, BoundParameters& p) {
          const std::size_t first = index * kShard;
          return shard(tape, p, first, std::min(kShard, kExamples - first));
        });
    const std::size_t count = parameters_.count();
    kernels::adam(count, kAdam, step_, lanes_->gradients().data(), parameters_.weights().data(),
                  moments_.data(), moments_.data() + count);
    return loss;
  }

  std::vector<float> weights() const {
    return {parameters_.weights().begin(), parameters_.weights().end()};
  }

 private:
  Tensor shard(Tape& tape, BoundParameters& p, std::size_t first, std::size_t count) {
    const Tensor x = tape.constant(data_.data() + first * kLength, {count, kLength});
    const Tensor target =
        tape.constant(data_.data() + (kExamples + first) * kLength, {count, kLength});
    const Tensor anchor = gather_rows(tape, p[codebook_], phases_.data() + first, count);
    static constexpr float kNeutral[] = {1.0f, 0.0f};
    const ChannelAffine affine{tape.constant(kNeutral, {1}), tape.constant(kNeutral + 1, {1})};
    const Revin s = revin(tape, x, anchor, affine);
    const Tensor tokens =
        linear(tape, to_patches(tape, s.values, kPatch, PadSide::kLeft), p[embed_], p[embed_bias_]);
    const AttentionDropout dropout{{.seed = 9,
                                    .purpose = random::Purpose::kAttentionDropout,
                                    .epoch = 0,
                                    .step = static_cast<std::uint32_t>(step_)},
                                   0.1f,
                                   first};
    const auto& a = attention_;
    const Tensor mixed = testing::projected_attention(
        tape, tokens, tokens,
        {p[a[0]], p[a[1]], p[a[2]], p[a[3]], p[a[4]], p[a[5]], p[a[6]], p[a[7]]}, dropout);
    const Tensor y = linear(tape, mixed.reshaped({count, kPatch * kWidth}), p[out_], p[out_bias_]);
    return spectral_error(tape, revin_back(tape, y, anchor, affine, s.mean, s.deviation), target,
                          fft_, 1.0f / (kExamples * kLength));
  }

  ThreadPool pool_;
  Parameters parameters_;
  std::unique_ptr<Lanes> lanes_;
  std::vector<float> moments_;
  std::vector<float> data_;
  std::array<std::uint32_t, kExamples> phases_{};
  kernels::RealFft fft_{kLength};
  std::int64_t step_ = 0;
  ParameterId codebook_{}, embed_{}, embed_bias_{}, out_{}, out_bias_{};
  std::array<ParameterId, 8> attention_{};
};

std::pair<std::vector<double>, std::vector<float>> train_toy(std::size_t threads, int steps) {
  Toy toy(threads);
  std::vector<double> losses;
  for (int i = 0; i < steps; ++i) losses.push_back(toy.step());
  return {losses, toy.weights()};
}

TEST(Training, SameBitsOnAnyNumberOfThreadsAndInEveryRun) {
  const auto one = train_toy(1, 20);
  EXPECT_LT(one.first.back(), one.first.front());
  EXPECT_EQ(one, train_toy(1, 20));
  for (const std::size_t threads : {2u, 3u, 8u, 13u, 64u}) {
    for (int run = 0; run < 3; ++run) EXPECT_EQ(one, train_toy(threads, 20)) << threads;
  }
}

TEST(Training, ASteadyStepAllocatesNothing) {
  if (!allocation_count_works()) GTEST_SKIP() << "a sanitizer owns the allocator in this build";
  Toy toy(2);
  for (int i = 0; i < 2; ++i) toy.step();
  // Kernels take no memory of their own, so two steps settle everything.
  const std::size_t before = allocation_count();
  for (int i = 0; i < 300; ++i) toy.step();
  EXPECT_EQ(allocation_count(), before);
}

}  // namespace
}  // namespace pulsecast::autodiff
