// Samples that lie apart in memory: what is added to them is what would be if they lay together.

#include <numeric>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/testing.h"

namespace pulsecast::autodiff {
namespace {

std::vector<float> counting(std::size_t count, float first) {
  std::vector<float> values(count);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class ApartSamplesTest : public ::testing::Test {
 protected:
  static constexpr std::size_t kSamples = 3, kWidth = 2, kSteps = 4, kSize = kWidth * kSteps;
  static constexpr std::size_t kRows = 5;
  static constexpr std::uint32_t kIndices[kSamples * kSteps] = {4, 0, 4, 2, 1, 3, 3, 0, 2, 2, 2, 4};

  // Two samples share one, as windows share a calendar.
  const std::vector<float> first_ = counting(kSize, 100.0f);
  const std::vector<float> second_ = counting(kSize, 200.0f);
  const std::vector<const float*> apart_ = {first_.data(), second_.data(), first_.data()};
  const std::vector<float> together_ = [&] {
    std::vector<float> values;
    for (const float* sample : apart_) values.insert(values.end(), sample, sample + kSize);
    return values;
  }();
  const std::vector<float> table_ = counting(kRows * kWidth, 1.0f);
  const std::vector<float> x_ = counting(kSamples * kSize, -7.0f);
  const std::vector<float> sent_ = counting(kSamples * kSize, 0.5f);
  const Shape rows_{kSamples * kWidth, kSteps};

  struct Result {
    std::vector<float> output, to_bases, to_input;
  };
  // make(tape, input, bases, together) -> (samples * width, steps), with the gradients of what lies
  // apart and of the input.
  template <typename Make>
  Result run(const std::vector<float>& input, const Shape& shape, Make make) {
    Result result{{}, std::vector<float>(kSamples * kSize), std::vector<float>(input.size())};
    Arena arena;
    Tape tape(arena, Tape::Mode::kTraining);
    const Tensor output = make(tape, tape.variable(input.data(), shape, result.to_input.data()),
                               ApartSamples{apart_.data(), result.to_bases.data()},
                               tape.variable(together_.data(), rows_, result.to_bases.data()));
    result.output.assign(output.data, output.data + output.count());
    std::vector<float> sent = sent_;
    tape.backward(output, sent.data());
    return result;
  }
  static void expect_same(const Result& ours, const Result& expected) {
    EXPECT_EQ(ours.output, expected.output);
    EXPECT_EQ(ours.to_bases, expected.to_bases);
    EXPECT_EQ(ours.to_input, expected.to_input);
  }
};

TEST_F(ApartSamplesTest, ColumnsAreAddedToThem) {
  expect_same(run(table_, {kRows, kWidth},
                  [&](Tape& tape, const Tensor& table, const ApartSamples& bases, const Tensor&) {
                    return gather_columns_onto(tape, table, kIndices, bases, kSamples, kSteps)
                        .reshaped(rows_);
                  }),
              run(table_, {kRows, kWidth},
                  [&](Tape& tape, const Tensor& table, const ApartSamples&, const Tensor& joined) {
                    return add(
                        tape,
                        gather_columns(tape, table, kIndices, kSamples, kSteps).reshaped(rows_),
                        joined);
                  }));
}

TEST_F(ApartSamplesTest, RowsAreAddedToThem) {
  expect_same(
      run(x_, rows_,
          [&](Tape& tape, const Tensor& x, const ApartSamples& bases, const Tensor&) {
            return add_to_samples(tape, x, bases, kSamples);
          }),
      run(x_, rows_, [&](Tape& tape, const Tensor& x, const ApartSamples&, const Tensor& joined) {
        return add(tape, x, joined);
      }));
}

TEST_F(ApartSamplesTest, TheyAreJoined) {
  const Result joined =
      run(x_, rows_, [&](Tape& tape, const Tensor&, const ApartSamples& bases, const Tensor&) {
        return join_samples(tape, bases, rows_, kSamples);
      });
  EXPECT_EQ(joined.output, together_);
  EXPECT_EQ(joined.to_bases, sent_);
}

TEST_F(ApartSamplesTest, InferenceWantsNoGradient) {
  Arena arena;
  Tape tape(arena, Tape::Mode::kInference);
  const ApartSamples bases{apart_.data(), nullptr};
  EXPECT_FALSE(join_samples(tape, bases, rows_, kSamples).wants_gradient());
  const Tensor x = tape.constant(x_.data(), rows_);
  EXPECT_FALSE(add_to_samples(tape, x, bases, kSamples).wants_gradient());
  const Tensor table = tape.constant(table_.data(), {kRows, kWidth});
  EXPECT_FALSE(
      gather_columns_onto(tape, table, kIndices, bases, kSamples, kSteps).wants_gradient());
}

}  // namespace
}  // namespace pulsecast::autodiff
