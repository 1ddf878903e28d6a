#include "pulsecast/kernels/products/linear.h"

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/linear.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::for_each_target;
using testing::normals;

class Linear : public ::testing::TestWithParam<bool> {};

TEST_P(Linear, ForwardAndBackwardMatchTheReference) {
  const bool through_gelu = GetParam();
  for_each_target([&] {
    for (const LinearShape& s :
         {LinearShape{1, 1, 1}, {5, 7, 3}, {37, 96, 50}, {64, 16, 33}, {100, 4, 16}}) {
      const auto x = normals(s.rows * s.in, 1);
      const auto weight = normals(s.out * s.in, 2);
      const auto bias = normals(s.out, 3);
      const auto grad_y = normals(s.rows * s.out, 4);
      testing::Scratch memory;
      // Packed before, and by each call.
      const LinearWeight unpacked{weight.data()};
      const LinearWeight packed{weight.data(),
                                {pack_matrix(s.in, s.out, {weight.data(), s.in, true},
                                             memory.floats(packed_floats(s.in, s.out))),
                                 pack_matrix(s.out, s.in, {weight.data(), s.in},
                                             memory.floats(packed_floats(s.out, s.in)))}};
      float* scratch = memory.floats(std::max(linear_scratch_floats(s, unpacked),
                                              linear_backward_scratch_floats(s, unpacked)));
      EXPECT_EQ(linear_scratch_floats(s, packed), 0);
      for (const float* b : {bias.data(), static_cast<const float*>(nullptr)}) {
        const LinearWeight& w = b == nullptr ? unpacked : packed;
        std::vector<float> y(s.rows * s.out);
        std::vector<float> slope(y.size());
        std::vector<float> expected(y.size());
        if (through_gelu) {
          linear_gelu(s, x.data(), w, b, y.data(), slope.data(), scratch);
        } else {
          linear(s, x.data(), w, b, y.data(), scratch);
        }
        reference::linear(s, x.data(), weight.data(), b, through_gelu, expected.data());
        expect_close(y, expected, 1e-6);

        for (const bool accumulate : {false, true}) {
          auto gx = normals(x.size(), 5), gw = normals(weight.size(), 6), gb = normals(s.out, 7);
          auto ex = gx, ew = gw, eb = gb;
          const auto to = [&](std::vector<float>& v) { return Gradient{v.data(), accumulate}; };
          const LinearGradients ours{to(gx), to(gw), b == nullptr ? Gradient{} : to(gb)};
          const LinearGradients theirs{to(ex), to(ew), b == nullptr ? Gradient{} : to(eb)};
          if (through_gelu) {
            std::vector<float> consumed = slope;
            linear_gelu_backward(s, x.data(), w, grad_y.data(), consumed.data(), ours, scratch);
          } else {
            linear_backward(s, x.data(), w, grad_y.data(), ours, scratch);
          }
          reference::linear_backward(s, x.data(), weight.data(), b, through_gelu, grad_y.data(),
                                     theirs);
          expect_close(gx, ex, 2e-6);
          expect_close(gw, ew, 2e-6);
          expect_close(gb, eb, 2e-6);
        }
      }
    }
  });
}

// Shapes that a team cuts by rows, by columns and along the sum, some with rows a kilobyte apart.
TEST_P(Linear, SharedByATeamItMatchesAndHasTheSameBits) {
  const bool through_gelu = GetParam();
  for (const LinearShape& s : {LinearShape{5000, 16, 24}, {70, 256, 512}, {150, 512, 100}}) {
    const auto x = normals(s.rows * s.in, 1);
    const auto weight = normals(s.out * s.in, 2);
    const auto bias = normals(s.out, 3);
    const auto grad_y = normals(s.rows * s.out, 4);
    const auto results = [&](const Team& team) {
      std::vector<std::vector<float>> found = {std::vector<float>(grad_y.size()),
                                               normals(x.size(), 5), normals(weight.size(), 6),
                                               normals(s.out, 7)};
      std::vector<float> slope(grad_y.size());
      testing::Scratch memory;
      const LinearWeight w{weight.data()};
      float* scratch = memory.floats(
          std::max(linear_scratch_floats(s, w), linear_backward_scratch_floats(s, w, team)));
      const LinearGradients to{
          {found[1].data(), true}, {found[2].data(), false}, {found[3].data(), true}};
      if (through_gelu) {
        linear_gelu(s, x.data(), w, bias.data(), found[0].data(), slope.data(), scratch, team);
        linear_gelu_backward(s, x.data(), w, grad_y.data(), slope.data(), to, scratch, team);
      } else {
        linear(s, x.data(), w, bias.data(), found[0].data(), scratch, team);
        linear_backward(s, x.data(), w, grad_y.data(), to, scratch, team);
      }
      return found;
    };
    const auto alone = results({});
    ThreadPool one_thread(1), four_threads(4);
    const auto one = results(Team(one_thread));
    EXPECT_EQ(one, results(Team(four_threads)));
    for (std::size_t i = 0; i < alone.size(); ++i) expect_close(one[i], alone[i], 4e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(WithAndWithoutGelu, Linear, ::testing::Bool());

}  // namespace
}  // namespace pulsecast::kernels
