// Every operation against PyTorch (fixtures made by tools/make_fixtures.py) and against its own
// central differences.

#include "pulsecast/autodiff/operations.h"

#include <map>

#include "pulsecast/autodiff/testing.h"
#include "pulsecast/base/error.h"
#include "pulsecast/kernels/testing.h"
#include "pulsecast/store/safetensors.h"

namespace pulsecast::autodiff {
namespace {

using testing::Input;
using testing::Operation;
using testing::projected_attention;

// max|ours - theirs| <= max(kParity * max|theirs|, kFloor * the case's largest gradient). The floor
// is for gradients that are zero by analysis, a key's bias among them, and hold rounding only.
constexpr double kParity = 1e-5;
constexpr double kFloor = 1e-6;

// The draws that tools/make_fixtures.py used.
AttentionDropout fixture_dropout(float rate) {
  return {
      {.seed = 11, .purpose = random::Purpose::kAttentionDropout, .epoch = 1, .step = 3}, rate, 40};
}

const std::uint32_t kGathered[] = {4, 0, 4, 2, 4};

const std::uint32_t kSegmentLengths[] = {4, 13, 5};  // of 13 steps

const kernels::RealFft& fft_of(std::size_t n) {
  static std::map<std::size_t, kernels::RealFft> plans;
  return plans.try_emplace(n, n).first->second;
}

struct Case {
  std::string name;
  std::vector<std::string> inputs;
  Operation operation;

  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

using Tensors = std::vector<Tensor>;

Operation attention_case(std::size_t heads, float rate) {
  return [heads, rate](Tape& tape, const Tensors& in) -> Tensors {
    return {attention(tape, in[0], in[1], in[2], heads, fixture_dropout(rate))};
  };
}

Operation block_case() {
  return [](Tape& tape, const Tensors& in) -> Tensors {
    return {projected_attention(tape, in[0], in[1],
                                {in[2], in[3], in[4], in[5], in[6], in[7], in[8], in[9]},
                                fixture_dropout(0.1f))};
  };
}

Operation spectrum_case() {
  return [](Tape& tape, const Tensors& in) -> Tensors {
    return {spectrum(tape, in[0], fft_of(in[0].shape[1]))};
  };
}

Operation inverse_spectrum_case(std::size_t n) {
  return [n](Tape& tape, const Tensors& in) -> Tensors {
    return {inverse_spectrum(tape, in[0], fft_of(n))};
  };
}

Operation strided_case() {
  return [](Tape& tape, const Tensors& in) -> Tensors {
    return {to_strided_patches(tape, in[0], 8, 4)};
  };
}

float mean_weight(const Tensor& y) { return 1.0f / static_cast<float>(y.count()); }

std::vector<Case> cases() {
  const std::vector<std::string> qkv = {"q", "k", "v"};
  const std::vector<std::string> block = {"x_q", "x_kv", "wq", "bq", "wk",
                                          "bk",  "wv",   "bv", "wo", "bo"};
  const std::vector<std::string> ab = {"a", "b"};
  const std::vector<std::string> xwb = {"x", "weight", "bias"};
  const std::vector<std::string> xgb = {"x", "gamma", "beta"};
  return {
      {"linear", xwb,
       [](Tape& t, const Tensors& in) -> Tensors { return {linear(t, in[0], in[1], in[2])}; }},
      {"linear_no_bias",
       {"x", "weight"},
       [](Tape& t, const Tensors& in) -> Tensors { return {linear(t, in[0], in[1])}; }},
      {"linear_gelu", xwb,
       [](Tape& t, const Tensors& in) -> Tensors { return {linear_gelu(t, in[0], in[1], in[2])}; }},
      {"matmul", ab,
       [](Tape& t, const Tensors& in) -> Tensors { return {matmul(t, in[0], in[1])}; }},
      {"matmul_batch", ab,
       [](Tape& t, const Tensors& in) -> Tensors { return {matmul(t, in[0], in[1])}; }},
      {"gelu", {"x"}, [](Tape& t, const Tensors& in) -> Tensors { return {gelu(t, in[0])}; }},
      {"layer_norm", xgb,
       [](Tape& t, const Tensors& in) -> Tensors { return {layer_norm(t, in[0], in[1], in[2])}; }},
      {"softmax", {"x"}, [](Tape& t, const Tensors& in) -> Tensors { return {softmax(t, in[0])}; }},
      {"attention_single_0", qkv, attention_case(1, 0.0f)},
      {"attention_single_1", qkv, attention_case(1, 0.1f)},
      {"attention_multi_0", qkv, attention_case(4, 0.0f)},
      {"attention_multi_1", qkv, attention_case(4, 0.1f)},
      {"attention_long_0", qkv, attention_case(2, 0.0f)},
      {"attention_long_1", qkv, attention_case(2, 0.1f)},
      {"attention_self",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {attention(t, in[0], in[0], in[0], 2, {})};
       }},
      {"attention_block_router", block, block_case()},
      {"attention_block_odd", block, block_case()},
      {"attention_block_self",
       {"x", "wq", "bq", "wk", "bk", "wv", "bv", "wo", "bo"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {projected_attention(t, in[0], in[0],
                                     {in[1], in[2], in[3], in[4], in[5], in[6], in[7], in[8]},
                                     fixture_dropout(0.1f))};
       }},
      {"convolution_1d", xwb,
       [](Tape& t, const Tensors& in) -> Tensors {
         return {convolution_1d(t, in[0], in[1], in[2], 2)};
       }},
      {"convolution_2d", xwb,
       [](Tape& t, const Tensors& in) -> Tensors {
         return {convolution_2d(t, in[0], in[1], in[2], 1, 2)};
       }},
      {"segment_attention", qkv,
       [](Tape& t, const Tensors& in) -> Tensors {
         return {
             segment_attention(t, in[0], in[1], in[2], 2, kSegmentLengths, fixture_dropout(0.1f))};
       }},
      {"swap_middle",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {swap_middle(t, in[0])}; }},
      {"sliding_windows",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {sliding_windows(t, in[0], 4)}; }},
      {"relu", {"x"}, [](Tape& t, const Tensors& in) -> Tensors { return {relu(t, in[0])}; }},
      {"couple",
       {"a", "s", "t", "gain"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {couple(t, in[0], in[1], in[2], in[3])};
       }},
      {"inverse_spectrum_12", {"z"}, inverse_spectrum_case(12)},
      {"inverse_spectrum_13", {"z"}, inverse_spectrum_case(13)},
      {"centre_kernel_even",
       {"weight"},
       [](Tape& t, const Tensors& in) -> Tensors { return {centre_kernel(t, in[0], 5)}; }},
      {"spectrum_96", {"x"}, spectrum_case()},
      {"spectrum_97", {"x"}, spectrum_case()},
      {"spectrum_30", {"x"}, spectrum_case()},
      {"add", ab, [](Tape& t, const Tensors& in) -> Tensors { return {add(t, in[0], in[1])}; }},
      {"subtract", ab,
       [](Tape& t, const Tensors& in) -> Tensors { return {subtract(t, in[0], in[1])}; }},
      {"multiply", ab,
       [](Tape& t, const Tensors& in) -> Tensors { return {multiply(t, in[0], in[1])}; }},
      {"multiply_self",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {multiply(t, in[0], in[0])}; }},
      {"scale",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {scale(t, in[0], -2.5f)}; }},
      {"dropout",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         random::Stream stream = fixture_dropout(0.0f).stream;
         stream.purpose = random::Purpose::kDropout;
         return {dropout(t, in[0], stream, 0.25f, 40)};
       }},
      {"mix", ab,
       [](Tape& t, const Tensors& in) -> Tensors { return {mix(t, in[0], in[1], 0.3f)}; }},
      {"transpose",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {transpose(t, in[0])}; }},
      {"to_patches",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_patches(t, in[0], 6, PadSide::kLeft)};
       }},
      {"to_patches_left",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_patches(t, in[0], 7, PadSide::kLeft)};
       }},
      {"to_patches_right",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_patches(t, in[0], 7, PadSide::kRight)};
       }},
      {"from_patches",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {from_patches(t, in[0], 24)}; }},
      {"gather_rows",
       {"table"},
       [](Tape& t, const Tensors& in) -> Tensors { return {gather_rows(t, in[0], kGathered, 5)}; }},
      {"revin",
       {"x", "anchor", "gamma", "beta"},
       [](Tape& t, const Tensors& in) -> Tensors {
         const Revin found = revin(t, in[0], in[1], {in[2], in[3]});
         return {found.values, found.mean, found.deviation};
       }},
      {"revin_no_anchor", xgb,
       [](Tape& t, const Tensors& in) -> Tensors {
         const Revin found = revin(t, in[0], Tensor{}, {in[1], in[2]});
         return {found.values, found.mean, found.deviation};
       }},
      {"revin_back",
       {"x", "anchor", "gamma", "beta", "mean", "deviation"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {revin_back(t, in[0], in[1], {in[2], in[3]}, in[4], in[5])};
       }},
      {"revin_back_no_anchor",
       {"x", "gamma", "beta", "mean", "deviation"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {revin_back(t, in[0], Tensor{}, {in[1], in[2]}, in[3], in[4])};
       }},
      {"scale_rows",
       {"x", "factor", "shift"},
       [](Tape& t, const Tensors& in) -> Tensors { return {scale_rows(t, in[0], in[1], in[2])}; }},
      {"convolution_1d_no_bias",
       {"x", "weight"},
       [](Tape& t, const Tensors& in) -> Tensors { return {convolution_1d(t, in[0], in[1], 3)}; }},
      {"add_to_rows",
       {"x", "row"},
       [](Tape& t, const Tensors& in) -> Tensors { return {add_to_rows(t, in[0], in[1])}; }},
      {"add_to_rows_2",
       {"x", "row"},
       [](Tape& t, const Tensors& in) -> Tensors { return {add_to_rows(t, in[0], in[1])}; }},
      {"moving_average_24",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {moving_average(t, in[0], 25)}; }},
      {"moving_average_30",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {moving_average(t, in[0], 5)}; }},
      {"to_strided_patches_24", {"x"}, strided_case()},
      {"to_strided_patches_29", {"x"}, strided_case()},
      {"to_strided_patches_5", {"x"}, strided_case()},
      {"join_tokens",
       {"x", "y"},
       [](Tape& t, const Tensors& in) -> Tensors { return {join_tokens(t, in[0], in[1])}; }},
      {"batch_norm", xgb,
       [](Tape& t, const Tensors& in) -> Tensors {
         const BatchNormalised found = batch_norm(t, in[0], in[1], in[2]);
         return {found.values};
       }},
      {"modulus", {"z"}, [](Tape& t, const Tensors& in) -> Tensors { return {modulus(t, in[0])}; }},
      {"resize_width_longer",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {resize_width(t, in[0], 10)}; }},
      {"resize_width_shorter",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {resize_width(t, in[0], 4)}; }},
      {"wrap_ends",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {wrap_ends(t, in[0], 2)}; }},
      {"centre_kernel",
       {"weight"},
       [](Tape& t, const Tensors& in) -> Tensors { return {centre_kernel(t, in[0], 7)}; }},
      {"blend",
       {"x_q", "x", "map"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {blend(t, in[0], resize_width(t, in[1], 8), resize_width(t, in[2], 8), {5, 6}, 0.3f,
                       fixture_dropout(0.1f))};
       }},
      {"to_tokens",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_tokens(t, in[0], 6, PadSide::kLeft, 8)};
       }},
      {"to_tokens_left",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_tokens(t, in[0], 7, PadSide::kLeft, 5)};
       }},
      {"to_tokens_right",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {to_tokens(t, in[0], 7, PadSide::kRight, 4)};
       }},
      {"assemble", ab,
       [](Tape& t, const Tensors& in) -> Tensors {
         return {assemble(t, {4, 5},
                          {{.from = in[0],
                            .rows = 2,
                            .columns = 3,
                            .row = 0,
                            .column = 0,
                            .is_transposed = true},
                           {.from = in[1], .rows = 1, .columns = 2, .row = 3, .column = 0}})};
       }},
      {"take_tokens",
       {"x"},
       [](Tape& t, const Tensors& in) -> Tensors { return {take_tokens(t, in[0], 1, 2)}; }},
      {"squared_error",
       {"y", "target"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {squared_error(t, in[0], in[1], mean_weight(in[0]))};
       }},
      {"absolute_error",
       {"y", "target"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {absolute_error(t, in[0], in[1], mean_weight(in[0]))};
       }},
      {"quantile_error",
       {"y", "target"},
       [](Tape& t, const Tensors& in) -> Tensors {
         static constexpr float kProbabilities[] = {0.05f, 0.3f, 0.5f, 0.9f, 0.975f};
         return {quantile_error(t, in[0], in[1], kProbabilities, mean_weight(in[0]))};
       }},
      {"spectral_error",
       {"y", "target"},
       [](Tape& t, const Tensors& in) -> Tensors {
         return {spectral_error(t, in[0], in[1], fft_of(48), mean_weight(in[0]))};
       }},
  };
}

const store::TensorFile& operation_fixtures() {
  static const store::TensorFile file =
      store::read_tensors(PULSECAST_SOURCE_DIR "/tests/fixtures/operations.safetensors");
  return file;
}

bool has_fixture(const std::string& name) {
  for (const store::StoredTensor& tensor : operation_fixtures().tensors) {
    if (tensor.name == name) return true;
  }
  return false;
}

std::vector<float> values(const std::string& name) {
  const auto floats = operation_fixtures().at(name).floats();
  return {floats.begin(), floats.end()};
}

Input input(const std::string& name) {
  const std::vector<std::size_t>& s = operation_fixtures().at(name).shape;
  Shape shape;
  switch (s.size()) {
    case 0:
      shape = {1};
      break;
    case 1:
      shape = {s[0]};
      break;
    case 2:
      shape = {s[0], s[1]};
      break;
    case 3:
      shape = {s[0], s[1], s[2]};
      break;
    default:
      shape = {s[0], s[1], s[2], s[3]};
      break;
  }
  return {shape, values(name)};
}

class Operations : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    for (const std::string& name : GetParam().inputs) inputs_.push_back(input(path(name)));
    for (int i = 0; has_fixture(path("out" + std::to_string(i))); ++i) {
      sent_.push_back(values(path("out" + std::to_string(i)) + ".grad"));
    }
    ASSERT_FALSE(sent_.empty());
  }
  std::string path(const std::string& name) const { return GetParam().name + "/" + name; }

  std::vector<Input> inputs_;
  std::vector<std::vector<float>> sent_;
};

double largest_gradient(const testing::Outcome& outcome) {
  double largest = 0.0;
  for (const auto& gradient : outcome.gradients) {
    for (const float g : gradient) largest = std::max(largest, std::abs(static_cast<double>(g)));
  }
  return largest;
}

TEST_P(Operations, MatchesPyTorch) {
  const testing::Outcome outcome = testing::run(GetParam().operation, inputs_, sent_);
  ASSERT_EQ(outcome.outputs.size(), sent_.size());
  for (std::size_t i = 0; i < sent_.size(); ++i) {
    const Input expected = input(path("out" + std::to_string(i)));
    EXPECT_EQ(outcome.outputs[i].shape, expected.shape);
    kernels::testing::expect_close(outcome.outputs[i].values, expected.values, kParity);
  }
  const double largest = largest_gradient(outcome);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    SCOPED_TRACE(GetParam().inputs[i]);
    const std::string name = path(GetParam().inputs[i]) + ".grad";
    ASSERT_EQ(!outcome.gradients[i].empty(), has_fixture(name));
    if (outcome.gradients[i].empty()) continue;
    const std::vector<float> expected = values(name);
    double bound = kFloor * largest;
    double difference = 0.0;
    for (std::size_t j = 0; j < expected.size(); ++j) {
      bound = std::max(bound, kParity * std::abs(static_cast<double>(expected[j])));
      difference = std::max(difference,
                            std::abs(static_cast<double>(outcome.gradients[i][j]) - expected[j]));
    }
    EXPECT_LE(difference, bound);
  }
}

// Values of the kernels are floats, so a difference of step 1e-2 carries a rounding error of about
// 1e-5 of the largest gradient and a truncation error of the same size.
TEST_P(Operations, GradientIsItsCentralDifference) {
  constexpr float kStep = 1e-2f;
  const Operation& operation = GetParam().operation;
  const testing::Outcome outcome = testing::run(operation, inputs_, sent_);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (outcome.gradients[i].empty()) continue;
    SCOPED_TRACE(GetParam().inputs[i]);
    std::vector<Input> moved = inputs_;
    double largest = 0.0;
    double difference = 0.0;
    // Every element of small inputs, a spread of large ones.
    const std::size_t stride = std::max<std::size_t>(1, inputs_[i].values.size() / 60);
    for (std::size_t j = 0; j < inputs_[i].values.size(); j += stride) {
      float& value = moved[i].values[j];
      const float before = value;
      value = before + kStep;
      const double above = testing::evaluate(operation, moved, sent_);
      const float high = value;
      value = before - kStep;
      const double below = testing::evaluate(operation, moved, sent_);
      const double expected = (above - below) / (static_cast<double>(high) - value);
      value = before;
      largest = std::max(largest, std::abs(expected));
      difference = std::max(difference, std::abs(expected - outcome.gradients[i][j]));
    }
    EXPECT_LE(difference, std::max(3e-3 * largest, 5e-5 * largest_gradient(outcome)));
  }
}

INSTANTIATE_TEST_SUITE_P(All, Operations, ::testing::ValuesIn(cases()),
                         [](const auto& test) { return test.param.name; });

TEST(OperationsFixtures, EveryCaseInTheFileIsTested) {
  std::map<std::string, bool> tested;
  for (const store::StoredTensor& tensor : operation_fixtures().tensors) {
    tested[tensor.name.substr(0, tensor.name.find('/'))] = false;
  }
  for (const Case& c : cases()) tested[c.name] = true;
  for (const auto& [name, is_tested] : tested) EXPECT_TRUE(is_tested) << name;
}

}  // namespace
}  // namespace pulsecast::autodiff
