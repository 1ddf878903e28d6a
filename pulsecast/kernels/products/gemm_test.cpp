#include "pulsecast/kernels/products/gemm.h"

#include <thread>

#include "pulsecast/kernels/testing.h"
#include "pulsecast/testing/reference/gemm.h"

namespace pulsecast::kernels {
namespace {

using testing::expect_close;
using testing::normals;

TEST(Gemm, MatchesTheReferenceForEveryTransposition) {
  for (const Op op_a : {Op::kNormal, Op::kTransposed}) {
    for (const Op op_b : {Op::kNormal, Op::kTransposed}) {
      for (const auto& [m, n, k] : {std::array<std::size_t, 3>{1, 1, 1},
                                    {3, 5, 7},
                                    {64, 96, 33},
                                    {7, 1, 100},
                                    {130, 50, 40},
                                    {1, 50, 2}}) {
        const std::size_t lda = (op_a == Op::kNormal ? k : m) + 2;
        const std::size_t ldb = (op_b == Op::kNormal ? n : k) + 1;
        const std::size_t ldc = n + 3;
        const auto a = normals((op_a == Op::kNormal ? m : k) * lda, 1);
        const auto b = normals((op_b == Op::kNormal ? k : n) * ldb, 2);
        for (const float beta : {0.0f, 1.0f, -0.5f}) {
          auto ours = normals(m * ldc, 3);
          auto theirs = ours;
          gemm(op_a, op_b, m, n, k, 1.5f, a.data(), lda, b.data(), ldb, beta, ours.data(), ldc);
          reference::gemm(op_a, op_b, m, n, k, 1.5f, a.data(), lda, b.data(), ldb, beta,
                          theirs.data(), ldc);
          expect_close(ours, theirs, 1e-6);
        }
      }
    }
  }
}

// Many threads call the BLAS at once. One without locks around its packing buffers (OpenBLAS's
// serial build, for one) gives wrong products here: some of these threads are always interrupted in
// the middle of a call, because there are more of them than cores.
TEST(Gemm, IsSafeFromManyThreads) {
  const std::size_t size = 40;
  const auto a = normals(size * size, 1);
  const auto b = normals(size * size, 2);
  const auto product = [&](std::vector<float>& c) {
    gemm(Op::kNormal, Op::kNormal, size, size, size, 1.0f, a.data(), size, b.data(), size, 0.0f,
         c.data(), size);
  };
  std::vector<float> expected(size * size);
  product(expected);
  std::vector<std::thread> threads;
  std::array<int, 8> wrong{};
  for (int& count : wrong) {
    threads.emplace_back([&] {
      std::vector<float> c(size * size);
      for (int i = 0; i < 20000; ++i) {
        product(c);
        count += c != expected;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, (std::array<int, 8>{}));
}

}  // namespace
}  // namespace pulsecast::kernels
