// Operations large enough to be cut: what a team makes of them is what one thread does, and the
// same bits on any number of threads.

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/testing.h"
#include "pulsecast/base/random.h"

namespace pulsecast::autodiff {
namespace {

using testing::Input;
using testing::Outcome;

const random::Stream kDraws{.seed = 3, .purpose = random::Purpose::kAttentionDropout, .epoch = 1};

struct SharedCase {
  const char* name;
  std::vector<Shape> inputs;
  Shape output;
  Tensor (*apply)(Tape& tape, const std::vector<Tensor>& in);
};

const std::uint32_t kSharedLengths[] = {12, 40, 7, 1, 20, 39};

const kernels::RealFft& transform_of_80() {
  static const kernels::RealFft fft(80);
  return fft;
}

const std::vector<SharedCase> kSharedCases = {
    {"linear",
     {{70, 10, 64}, {256, 64}, {256}},
     {70, 10, 256},
     [](Tape& tape, const auto& in) { return linear(tape, in[0], in[1], in[2]); }},
    {"linear_gelu",
     {{700, 64}, {256, 64}, {256}},
     {700, 256},
     [](Tape& tape, const auto& in) { return linear_gelu(tape, in[0], in[1], in[2]); }},
    {"gelu", {{301, 70}}, {301, 70}, [](Tape& tape, const auto& in) { return gelu(tape, in[0]); }},
    {"dropout",
     {{301, 70}},
     {301, 70},
     [](Tape& tape, const auto& in) { return dropout(tape, in[0], kDraws, 0.3f, 5); }},
    {"add",
     {{301, 70}, {301, 70}},
     {301, 70},
     [](Tape& tape, const auto& in) { return add(tape, in[0], in[1]); }},
    {"scale",
     {{301, 70}},
     {301, 70},
     [](Tape& tape, const auto& in) { return scale(tape, in[0], 0.7f); }},
    {"add_to_rows",
     {{50, 20, 33}, {20, 33}},
     {50, 20, 33},
     [](Tape& tape, const auto& in) { return add_to_rows(tape, in[0], in[1]); }},
    {"layer_norm",
     {{301, 70}, {70}, {70}},
     {301, 70},
     [](Tape& tape, const auto& in) { return layer_norm(tape, in[0], in[1], in[2]); }},
    {"batch_norm",
     {{3001, 10}, {10}, {10}},
     {3001, 10},
     [](Tape& tape, const auto& in) { return batch_norm(tape, in[0], in[1], in[2]).values; }},
    {"attention",
     {{61, 11, 24}, {61, 13, 24}, {61, 13, 24}},
     {61, 11, 24},
     [](Tape& tape, const auto& in) {
       return attention(tape, in[0], in[1], in[2], 3, {kDraws, 0.2f, 7});
     }},
    {"transpose",
     {{41, 30, 25}},
     {41, 25, 30},
     [](Tape& tape, const auto& in) { return transpose(tape, in[0]); }},
    {"tokens",
     {{41, 12, 25}, {41, 13, 25}},
     {41, 20, 25},
     [](Tape& tape, const auto& in) {
       return take_tokens(tape, join_tokens(tape, in[0], in[1]), 3, 20);
     }},
    {"resize_width",
     {{301, 70}},
     {301, 80},
     [](Tape& tape, const auto& in) { return resize_width(tape, in[0], 80); }},
    {"spectrum",
     {{301, 80}},
     {301, 41},
     [](Tape& tape, const auto& in) {
       return modulus(tape, spectrum(tape, in[0], transform_of_80()));
     }},
    {"inverse_spectrum",
     {{301, 41, 2}},
     {301, 80},
     [](Tape& tape, const auto& in) { return inverse_spectrum(tape, in[0], transform_of_80()); }},
    {"segment_attention",
     {{6, 40, 24}, {6, 40, 24}, {6, 40, 24}},
     {6, 40, 24},
     [](Tape& tape, const auto& in) {
       return segment_attention(tape, in[0], in[1], in[2], 3, kSharedLengths, {kDraws, 0.2f, 7});
     }},
    {"swap_middle",
     {{9, 12, 11, 25}},
     {9, 11, 12, 25},
     [](Tape& tape, const auto& in) { return swap_middle(tape, in[0]); }},
    {"sliding_windows",
     {{301, 40}},
     {301, 9, 32},
     [](Tape& tape, const auto& in) { return sliding_windows(tape, in[0], 32); }},
    {"relu", {{301, 70}}, {301, 70}, [](Tape& tape, const auto& in) { return relu(tape, in[0]); }},
    {"couple",
     {{301, 70}, {301, 70}, {301, 70}, {1}},
     {301, 70},
     [](Tape& tape, const auto& in) { return couple(tape, in[0], in[1], in[2], in[3]); }},
    {"convolution_2d",
     {{13, 8, 8, 24}, {10, 8, 11, 11}, {10}},
     {13, 10, 8, 24},
     [](Tape& tape, const auto& in) { return convolution_2d(tape, in[0], in[1], in[2], 5, 5); }},
    {"convolution_1d",
     {{40, 24, 30}, {32, 24, 3}},
     {40, 32, 30},
     [](Tape& tape, const auto& in) { return convolution_1d(tape, in[0], in[1], 1); }},
};

std::vector<float> noise(std::size_t count, std::uint32_t salt) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(random::normal({.seed = 8, .step = salt}, i));
  }
  return values;
}

void expect_near(const std::vector<float>& ours, const std::vector<float>& theirs) {
  ASSERT_EQ(ours.size(), theirs.size());
  float largest = 0.0f;
  for (const float value : theirs) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(ours[i], theirs[i], 1e-5f * largest) << i;
  }
}

TEST(SharedOperations, AreThoseOfOneThreadWithTheSameBitsOnAnyNumber) {
  for (const SharedCase& one : kSharedCases) {
    SCOPED_TRACE(one.name);
    std::vector<Input> inputs;
    for (const Shape& shape : one.inputs) {
      inputs.push_back({shape, noise(shape.count(), static_cast<std::uint32_t>(inputs.size()))});
    }
    const auto results = [&](const Team& team) {
      const Outcome outcome = testing::run(
          [&](Tape& tape, const std::vector<Tensor>& in) {
            return std::vector<Tensor>{one.apply(tape, in)};
          },
          inputs, {noise(one.output.count(), 99)}, team);
      std::vector<std::vector<float>> all = outcome.gradients;
      all.push_back(outcome.outputs[0].values);
      return all;
    };
    const auto alone = results({});
    ThreadPool one_thread(1);
    const auto cut = results(Team(one_thread));
    for (std::size_t i = 0; i < alone.size(); ++i) expect_near(cut[i], alone[i]);
    for (const std::size_t threads : {2u, 4u}) {
      ThreadPool pool(threads);
      EXPECT_EQ(results(Team(pool)), cut) << threads;
    }
  }
}

}  // namespace
}  // namespace pulsecast::autodiff
