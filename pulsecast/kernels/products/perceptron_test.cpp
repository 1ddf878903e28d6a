#include "pulsecast/kernels/products/perceptron.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/gelu.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

// A head of ranges, odd sizes, one row, and one of each.
const std::vector<PerceptronShape> kShapes = {
    {96, 12, 16, 4}, {37, 5, 7, 3}, {1, 12, 16, 21}, {1, 1, 1, 1}};

TEST(Perceptron, IsTwoLinearLayersWithGeluBetween) {
  for_each_target([] {
    for (const PerceptronShape& s : kShapes) {
      SCOPED_TRACE(s.rows);
      const auto x = normals(s.inputs * s.rows, 1);
      const auto input = normals(s.hidden * s.inputs, 2);
      const auto hidden_bias = normals(s.hidden, 3);
      const auto output = normals(s.outputs * s.hidden, 4);
      const auto output_bias = normals(s.outputs, 5);
      std::vector<float> expected(s.outputs * s.rows);
      for (std::size_t row = 0; row < s.rows; ++row) {
        for (std::size_t o = 0; o < s.outputs; ++o) {
          double sum = output_bias[o];
          for (std::size_t j = 0; j < s.hidden; ++j) {
            double v = hidden_bias[j];
            for (std::size_t k = 0; k < s.inputs; ++k) {
              v += static_cast<double>(x[k * s.rows + row]) * input[j * s.inputs + k];
            }
            sum += reference::gelu(v) * output[o * s.hidden + j];
          }
          expected[o * s.rows + row] = static_cast<float>(sum);
        }
      }
      std::vector<float> y(s.outputs * s.rows + 1, 9.0f);
      perceptron(s, {input.data(), hidden_bias.data(), output.data(), output_bias.data()}, x.data(),
                 y.data());
      EXPECT_EQ(y.back(), 9.0f);
      y.pop_back();
      expect_close(y, expected, 2e-6);
    }
  });
}

}  // namespace
}  // namespace pulsecast::kernels
