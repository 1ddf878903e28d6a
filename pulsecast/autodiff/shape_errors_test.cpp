// A wrong call says which operation, what it expected and what came.

#include <gtest/gtest.h>

#include <functional>

#include "pulsecast/autodiff/operations.h"
#include "pulsecast/base/error.h"

namespace pulsecast::autodiff {
namespace {

class ShapeErrors : public ::testing::Test {
 protected:
  Tensor of(const Shape& shape) { return tape_.result(shape, false); }

  void expect_error(const std::function<void()>& call, const std::string& operation,
                    const std::string& part) {
    try {
      call();
      FAIL() << operation << " took a wrong shape";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      EXPECT_EQ(error.where(), operation);
      EXPECT_NE(error.message().find("expected"), std::string::npos) << error.what();
      EXPECT_NE(error.message().find(part), std::string::npos) << error.what();
    }
  }

  Arena arena_;
  Tape tape_{arena_, Tape::Mode::kTraining};
};

TEST_F(ShapeErrors, AreClear) {
  Tape& t = tape_;
  expect_error(
      [&] {
        linear(t, of({4, 96}), of({512, 95}), of({512}));
      },
      "linear", "got (4, 96), (512, 95)");
  expect_error(
      [&] {
        linear(t, of({4, 96}), of({512, 96}), of({511}));
      },
      "linear", "got (512, 96), (511)");
  expect_error([&] { matmul(t, of({2, 3}), of({4, 5})); }, "matmul", "(2, 3), (4, 5)");
  expect_error([&] { matmul(t, of({2, 3, 4}), of({3, 4, 5})); }, "matmul", "(3, 4, 5)");
  expect_error([&] { layer_norm(t, of({2, 3}), of({3}), of({4})); }, "layer_norm", "(3), (4)");
  expect_error(
      [&] {
        attention(t, of({2, 3, 4}), of({2, 5, 6}), of({2, 5, 6}), 1, {});
      },
      "attention", "(2, 5, 6)");
  expect_error(
      [&] {
        attention(t, of({2, 3, 4}), of({2, 3, 4}), of({2, 3, 4}), 3, {});
      },
      "attention", "heads that divide the token of 4, got 3");
  expect_error(
      [&] {
        convolution_1d(t, of({1, 2, 3}), of({4, 2, 5}), of({4}), 0);
      },
      "convolution_1d", "(4, 2, 5)");
  expect_error(
      [&] {
        convolution_2d(t, of({1, 2, 3}), of({4, 2, 5}), of({4}), 0, 0);
      },
      "convolution_2d", "(1, 2, 3)");
  expect_error([&] { add(t, of({2, 3}), of({3, 2})); }, "add", "(2, 3), (3, 2)");
  expect_error([&] { multiply(t, of({2, 3}), of({3, 2})); }, "multiply", "(2, 3), (3, 2)");
  expect_error([&] { mix(t, of({2}), of({3}), 0.5f); }, "mix", "(2), (3)");
  expect_error([&] { transpose(t, of({2})); }, "transpose", "(2)");
  expect_error([&] { to_patches(t, of({2, 3}), 0, PadSide::kLeft); }, "to_patches", "(2, 3)");
  expect_error([&] { from_patches(t, of({2, 3, 4}), 13); }, "from_patches", "(2, 3, 4)");
  expect_error([&] { to_strided_patches(t, of({2, 3}), 2, 3); }, "to_strided_patches", "(2, 3)");
  expect_error([&] { join_tokens(t, of({2, 3, 4}), of({2, 3, 5})); }, "join_tokens", "(2, 3, 5)");
  expect_error([&] { take_tokens(t, of({2, 3, 4}), 2, 2); }, "take_tokens", "(2, 3, 4)");
  expect_error([&] { add_to_rows(t, of({2, 3, 4}), of({2, 4})); }, "add_to_rows", "(2, 4)");
  expect_error([&] { moving_average(t, of({2, 3, 4}), 3); }, "moving_average", "(2, 3, 4)");
  expect_error([&] { moving_average(t, of({2, 3}), 4); }, "moving_average", "got 4");
  expect_error([&] { batch_norm(t, of({2, 3}), of({3}), of({2})); }, "batch_norm", "(3), (2)");
  expect_error(
      [&] {
        batch_norm_frozen(t, of({2, 3}), of({3}), of({3}), of({3}), of({2}));
      },
      "batch_norm_frozen", "(2)");
  expect_error([&] { modulus(t, of({2, 3})); }, "modulus", "(2, 3)");
  expect_error([&] { wrap_ends(t, of({2, 3}), 4); }, "wrap_ends", "(2, 3)");
  expect_error([&] { resize_width(t, of({2, 3}), 0); }, "resize_width", "(2, 3)");
  expect_error([&] { centre_kernel(t, of({2, 3, 5, 5}), 3); }, "centre_kernel", "(2, 3, 5, 5)");
  expect_error(
      [&] {
        const std::uint32_t lengths[] = {2, 4};
        segment_attention(t, of({2, 3, 4}), of({2, 3, 4}), of({2, 3, 4}), 2, lengths, {});
      },
      "segment_attention", "(2, 3, 4)");
  expect_error([&] { swap_middle(t, of({2, 3, 4})); }, "swap_middle", "(2, 3, 4)");
  expect_error([&] { sliding_windows(t, of({2, 3}), 4); }, "sliding_windows", "(2, 3)");
  expect_error([&] { couple(t, of({2, 3}), of({2, 3}), of({2, 4}), of({1})); }, "couple", "(2, 4)");
  expect_error(
      [&] {
        const kernels::RealFft fft(8);
        inverse_spectrum(t, of({2, 4, 2}), fft);
      },
      "inverse_spectrum", "(2, 4, 2)");
  const auto two = [&] { return ChannelAffine{of({2}), of({2})}; };
  expect_error([&] { revin(t, of({2, 1}), Tensor{}, two()); }, "revin", "(2, 1)");
  expect_error([&] { revin(t, of({5, 4}), Tensor{}, two()); }, "revin", "(5, 4)");
  expect_error([&] { revin(t, of({4, 4}), of({4, 3}), two()); }, "revin", "(4, 3)");
  expect_error(
      [&] {
        revin_back(t, of({5, 4}), Tensor{}, two(), of({5}), of({5}));
      },
      "revin_back", "(2)");
  expect_error(
      [&] {
        revin_back(t, of({4, 4}), Tensor{}, two(), of({4}), of({5}));
      },
      "revin_back", "(5)");
  expect_error([&] { scale_rows(t, of({2, 5}), of({2}), of({3})); }, "scale_rows", "(3)");
  expect_error([&] { squared_error(t, of({5}), of({4}), 1.0f); }, "squared_error", "(5), (4)");
  const kernels::RealFft fft(8);
  expect_error([&] { spectrum(t, of({5, 9}), fft); }, "spectrum", "(5, 9)");
  expect_error(
      [&] {
        spectral_error(t, of({5, 9}), of({5, 9}), fft, 1.0f);
      },
      "spectral_error", "(5, 9)");
  const std::uint32_t rows[] = {0, 7};
  expect_error([&] { gather_rows(t, of({7, 2}), rows, 2); }, "gather_rows", "got 7");
  expect_error([&] { dropout(t, of({2, 2}), {}, 1.0f, 0); }, "dropout", "got 1");
  expect_error([&] { t.backward(of({2})); }, "backward", "(2)");
}

TEST_F(ShapeErrors, InferenceHasNoBackward) {
  Tape inference(arena_, Tape::Mode::kInference);
  EXPECT_THROW(inference.backward(inference.result({1}, false)), Error);
}

}  // namespace
}  // namespace pulsecast::autodiff
