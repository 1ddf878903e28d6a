// Kernels beside bare sgemm and PyTorch, forward and backward, on two threads each, in one run.
//
// Work is cut into eight shards as in a training step; weight gradients of the shards are added
// at the end. Every round measures ours, the bare products and the peer, one after the other.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <thread>

#include "bench/peer.h"
#include "bench/report.h"
#include "pulsecast/base/arena.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/kernels/convolution/convolution.h"
#include "pulsecast/kernels/normalise/layer_norm.h"
#include "pulsecast/kernels/pointwise/adam.h"
#include "pulsecast/kernels/pointwise/blend.h"
#include "pulsecast/kernels/pointwise/elementwise.h"
#include "pulsecast/kernels/products/linear.h"
#include "pulsecast/kernels/products/matrix_product.h"
#include "pulsecast/kernels/spectrum/fft.h"

namespace pulsecast::bench {
namespace {

using kernels::Matrix;

constexpr std::size_t kThreads = 2;
constexpr std::size_t kShards = 8;

// Memory for the inputs and results of the cases, filled with harmless values.
class Buffers {
 public:
  float* make(std::size_t count) {
    float* values = arena_.allocate<float>(count).data();
    for (std::size_t i = 0; i < count; ++i) {
      values[i] = 0.5f * std::sin(static_cast<float>(i % 10007));
    }
    return values;
  }
  // One a shard.
  std::array<float*, kShards> make_shards(std::size_t count) {
    std::array<float*, kShards> all{};
    for (float*& values : all) values = make(count);
    return all;
  }
  // One a thread, used again for each of its shards, as the arena of a training step is.
  std::array<float*, kThreads> make_workers(std::size_t count) {
    std::array<float*, kThreads> all{};
    for (float*& values : all) values = make(count);
    return all;
  }

 private:
  Arena arena_;
};

struct Case {
  std::string name;
  std::vector<std::string> peers;  // names of the peer's cases; the fastest counts
  double gflop;
  std::function<void()> ours;
  std::function<void()> blas;  // may be empty
  std::string bar;
};

// Adds the gradients of the shards into the first, as lanes do.
void add_shards(ThreadPool& pool, const std::array<float*, kShards>& gradients, std::size_t count) {
  constexpr std::size_t kChunk = 8192;
  pool.run((count + kChunk - 1) / kChunk, [&](std::size_t chunk, std::size_t) {
    const std::size_t start = chunk * kChunk;
    std::array<const float*, kShards> all{};
    for (std::size_t i = 0; i < kShards; ++i) all[i] = gradients[i] + start;
    kernels::add_eight(std::min(kChunk, count - start), all, gradients[0] + start);
  });
}

// A layer's weight, and room for it in the order of products.
struct PackedLayer {
  kernels::LinearShape shape;
  const float* values;
  float* memory;

  kernels::LinearWeight pack() const {
    const std::size_t forward = kernels::packed_floats(shape.in, shape.out);
    return {values,
            {kernels::pack_matrix(shape.in, shape.out, {values, shape.in, true}, memory),
             kernels::pack_matrix(shape.out, shape.in, {values, shape.in}, memory + forward)}};
  }
};

Case perceptron(Buffers& buffers, ThreadPool& pool) {
  constexpr std::size_t kRows = 1792 / kShards, kIn = 96, kHidden = 512, kOut = 96;
  constexpr std::size_t kFirst = kIn * kHidden, kSecond = kHidden * kOut;
  constexpr std::size_t kGradients = kFirst + kHidden + kSecond + kOut;
  float* w1 = buffers.make(kFirst);
  float* b1 = buffers.make(kHidden);
  float* w2 = buffers.make(kSecond);
  float* b2 = buffers.make(kOut);
  float* x = buffers.make(1792 * kIn);
  float* g = buffers.make(1792 * kOut);
  float* dx = buffers.make(1792 * kIn);
  const auto hidden = buffers.make_workers(kRows * kHidden);
  const auto slope = buffers.make_workers(kRows * kHidden);
  const auto dhidden = buffers.make_workers(kRows * kHidden);
  const auto y = buffers.make_workers(kRows * kOut);
  const auto gradients = buffers.make_shards(kGradients);
  const auto scratch = buffers.make_workers(kHidden);  // for sums down the columns
  const kernels::LinearShape first{kRows, kIn, kHidden};
  const kernels::LinearShape second{kRows, kHidden, kOut};
  // Packed once a step, as the weights of a training step are.
  const auto weight = [&](const float* values, const kernels::LinearShape& s) {
    const std::size_t forward = kernels::packed_floats(s.in, s.out);
    return PackedLayer{s, values, buffers.make(forward + kernels::packed_floats(s.out, s.in))};
  };
  const PackedLayer first_layer = weight(w1, first);
  const PackedLayer second_layer = weight(w2, second);

  const auto ours = [=, &pool] {
    const kernels::LinearWeight packed1 = first_layer.pack();
    const kernels::LinearWeight packed2 = second_layer.pack();
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const float* xi = x + i * kRows * kIn;
      float* dw1 = gradients[i];
      float* db1 = dw1 + kFirst;
      float* dw2 = db1 + kHidden;
      float* db2 = dw2 + kSecond;
      kernels::linear_gelu(first, xi, packed1, b1, hidden[worker], slope[worker], nullptr);
      kernels::linear(second, hidden[worker], packed2, b2, y[worker], nullptr);
      kernels::linear_backward(second, hidden[worker], packed2, g + i * kRows * kOut,
                               {{dhidden[worker], false}, {dw2, false}, {db2, false}},
                               scratch[worker]);
      kernels::linear_gelu_backward(first, xi, packed1, dhidden[worker], slope[worker],
                                    {{dx + i * kRows * kIn, false}, {dw1, false}, {db1, false}},
                                    scratch[worker]);
    });
    add_shards(pool, gradients, kGradients);
  };
  const auto blas = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const float* xi = x + i * kRows * kIn;
      const float* gi = g + i * kRows * kOut;
      float* dw1 = gradients[i];
      float* dw2 = dw1 + kFirst + kHidden;
      const auto multiply = [](std::size_t m, std::size_t n, std::size_t k, const Matrix& a,
                               const Matrix& b, float* c) {
        kernels::matrix_product(m, n, k, a, b, {.data = c, .stride = n});
      };
      float* hi = hidden[worker];
      float* dhi = dhidden[worker];
      multiply(kRows, kHidden, kIn, {xi, kIn}, {w1, kIn, true}, hi);
      multiply(kRows, kOut, kHidden, {hi, kHidden}, {w2, kHidden, true}, y[worker]);
      multiply(kOut, kHidden, kRows, {gi, kOut, true}, {hi, kHidden}, dw2);
      multiply(kRows, kHidden, kOut, {gi, kOut}, {w2, kHidden}, dhi);
      multiply(kHidden, kIn, kRows, {dhi, kHidden, true}, {xi, kIn}, dw1);
      multiply(kRows, kIn, kHidden, {dhi, kHidden}, {w1, kIn}, dx + i * kRows * kIn);
    });
  };
  return {"linear 96-512-96 GELU, 1792 rows",
          {"perceptron"},
          6 * 1792 * (kFirst + kSecond) / 1e9,
          ours,
          blas,
          "75 % of sgemm"};
}

// Products of the bare attention: two forward, four backward.
constexpr double kBareGflop = 6 * 2.0 * 1792 * 24 * 24 * 16 / 1e9;
// Four projections, each with two products backward (ours multiplies them out to two; the count is
// theirs).
constexpr double kProjectionGflop = 12 * 2.0 * 1792 * 24 * 16 * 16 / 1e9;

Case attention(Buffers& buffers, ThreadPool& pool) {
  const kernels::AttentionShape shape{1792 / kShards, 24, 24, 1, 16};
  const std::size_t count = shape.rows * 24 * 16;
  std::array<float*, 8> whole{};
  for (float*& values : whole) values = buffers.make(kShards * count);
  const auto weights = buffers.make_workers(attention_weight_floats(shape));
  const auto scratch = buffers.make_workers(attention_scratch_floats(shape));
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const std::size_t at = i * count;
      const kernels::AttentionDropout dropout{{.seed = 1}, 0.1f, i * shape.rows};
      kernels::attention(shape, whole[0] + at, whole[1] + at, whole[2] + at, dropout, whole[3] + at,
                         weights[worker], scratch[worker]);
      kernels::attention_backward(
          shape, whole[0] + at, whole[1] + at, whole[2] + at, dropout, weights[worker],
          whole[4] + at, {{whole[5] + at, false}, {whole[6] + at, false}, {whole[7] + at, false}},
          scratch[worker]);
    });
  };
  return {"attention, 1792 rows of 24 x 16",
          {"attention", "attention_fused"},
          kBareGflop,
          ours,
          {},
          "5x PyTorch"};
}

// The same function as attention with its four projections, once those are multiplied out: tokens
// are 16 floats, a 1 and room for another.
Case projected_attention(Buffers& buffers, ThreadPool& pool) {
  constexpr std::size_t kToken = 24;
  const kernels::BlendShape shape{.rows = 1792 / kShards,
                                  .queries = 24,
                                  .keys = 24,
                                  .query_token = 16,
                                  .asked = 16,
                                  .token = kToken,
                                  .matched = 16,
                                  .mixed = 17,
                                  .scale = 0.25f};
  const kernels::LinearShape output{shape.rows * 24, kToken, 16};
  const std::size_t narrow = shape.rows * 24 * 16;
  const std::size_t wide = shape.rows * 24 * kToken;
  constexpr std::size_t kMap = 17 * kToken;
  constexpr std::size_t kOutput = 16 * kToken + 16;
  float* x_q = buffers.make(kShards * narrow);
  float* x = buffers.make(kShards * wide);
  float* y = buffers.make(kShards * narrow);
  float* grad_y = buffers.make(kShards * narrow);
  float* grad_x_q = buffers.make(kShards * narrow);
  float* grad_x = buffers.make(kShards * wide);
  const auto mixed = buffers.make_workers(wide);
  const auto grad_mixed = buffers.make_workers(wide);
  const auto saved = buffers.make_workers(blend_saved_floats(shape));
  const auto scratch = buffers.make_workers(blend_scratch_floats(shape));
  const auto linear_scratch =
      buffers.make_workers(linear_backward_scratch_floats(output, {nullptr}));
  const auto gradients = buffers.make_shards(kMap + kOutput);
  const float* map = buffers.make(kMap + kOutput);
  const float* weight = map + kMap;
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const kernels::AttentionDropout dropout{{.seed = 1}, 0.1f, i * shape.rows};
      const std::size_t at = i * narrow;
      kernels::blend(shape, x_q + at, x + i * wide, map, dropout, mixed[worker], saved[worker],
                     scratch[worker]);
      kernels::linear(output, mixed[worker], {weight}, weight + 16 * kToken, y + at,
                      linear_scratch[worker]);
      float* to_output = gradients[i] + kMap;
      kernels::linear_backward(
          output, mixed[worker], {weight}, grad_y + at,
          {{grad_mixed[worker], false}, {to_output, false}, {to_output + 16 * kToken, false}},
          linear_scratch[worker]);
      kernels::blend_backward(
          shape, x_q + at, x + i * wide, map, dropout, saved[worker], grad_mixed[worker],
          {{grad_x_q + at, false}, {grad_x + i * wide, false}, {gradients[i], false}},
          scratch[worker]);
    });
    add_shards(pool, gradients, kMap + kOutput);
  };
  return {"attention with its projections, the same",
          {"attention_block"},
          kBareGflop + kProjectionGflop,
          ours,
          {},
          "5x PyTorch"};
}

Case convolution(Buffers& buffers, ThreadPool& pool) {
  const kernels::ConvolutionShape shape{64 / kShards, 96, 96, 1, 21, 1, 5, 0, 2};
  const kernels::ConvolutionPlan plan(shape);
  const std::size_t count = shape.samples * 96 * 21;
  constexpr std::size_t kWeight = 96 * 96 * 5;
  float* x = buffers.make(kShards * count);
  float* y = buffers.make(kShards * count);
  float* g = buffers.make(kShards * count);
  float* dx = buffers.make(kShards * count);
  float* weight = buffers.make(kWeight);
  float* bias = buffers.make(96);
  const auto gradients = buffers.make_shards(kWeight + 96);
  const auto scratch = buffers.make_workers(convolution_scratch_floats(plan));
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const std::size_t at = i * count;
      kernels::convolution(plan, x + at, weight, bias, y + at, scratch[worker]);
      kernels::convolution_backward(
          plan, x + at, weight, g + at,
          {{dx + at, false}, {gradients[i], false}, {gradients[i] + kWeight, false}},
          scratch[worker]);
    });
    add_shards(pool, gradients, kWeight + 96);
  };
  return {"time-step convolution 96-96, kernel 5",
          {"convolution"},
          3 * 2.0 * 64 * 21 * kWeight / 1e9,
          ours,
          {},
          "1x PyTorch"};
}

Case spectral(Buffers& buffers, ThreadPool& pool, std::size_t length) {
  const auto fft = std::make_shared<kernels::RealFft>(length);
  const std::size_t rows = 1792 / kShards;
  float* y = buffers.make(1792 * length);
  float* target = buffers.make(1792 * length);
  float* gradient = buffers.make(1792 * length);
  const auto difference = buffers.make_workers(rows * length);
  const auto scratch = buffers.make_workers(fft->scratch_floats());
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t worker) {
      const std::size_t at = i * rows * length;
      kernels::combine(rows * length, 1.0f, y + at, -1.0f, target + at, false, difference[worker]);
      fft->sum_of_moduli(difference[worker], rows, 1.0f, gradient + at, scratch[worker]);
    });
  };
  return {"spectral loss, 1792 rows of " + std::to_string(length),
          {"spectral_" + std::to_string(length)},
          0.0,
          ours,
          {},
          ""};
}

Case layer_norm(Buffers& buffers, ThreadPool& pool) {
  constexpr std::size_t kRows = 21696 / kShards, kWidth = 21;
  float* x = buffers.make(21696 * kWidth);
  float* y = buffers.make(21696 * kWidth);
  float* unit = buffers.make(21696 * kWidth);
  float* g = buffers.make(21696 * kWidth);
  float* dx = buffers.make(21696 * kWidth);
  float* inverse = buffers.make(21696);
  float* gamma = buffers.make(kWidth);
  float* beta = buffers.make(kWidth);
  const auto gradients = buffers.make_shards(2 * kWidth);
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t) {
      const std::size_t at = i * kRows * kWidth;
      kernels::layer_norm(kRows, kWidth, x + at, gamma, beta, y + at, unit + at,
                          inverse + i * kRows);
      kernels::layer_norm_backward(
          kRows, kWidth, unit + at, inverse + i * kRows, gamma, g + at,
          {{dx + at, false}, {gradients[i], false}, {gradients[i] + kWidth, false}});
    });
    add_shards(pool, gradients, 2 * kWidth);
  };
  return {"layer norm, 21696 rows of 21", {"layer_norm"}, 0.0, ours, {}, ""};
}

Case adam(Buffers& buffers, ThreadPool& pool) {
  constexpr std::size_t kCount = 1'000'000, kPart = kCount / kShards;
  std::array<float*, 4> all{};
  for (float*& values : all) values = buffers.make(kCount);
  const auto ours = [=, &pool] {
    pool.run(kShards, [&](std::size_t i, std::size_t) {
      const std::size_t at = i * kPart;
      kernels::adam(kPart, {}, 10, all[0] + at, all[1] + at, all[2] + at, all[3] + at);
    });
  };
  return {"Adam, a million weights", {"adam"}, 0.0, ours, {}, ""};
}

double seconds_of(const std::function<void()>& step, int repeats) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < repeats; ++i) step();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / repeats;
}

Row measure(const Case& c, Peer& peer, int rounds) {
  c.ours();
  // About 20 ms a sample.
  const int repeats = std::max(1, static_cast<int>(0.02 / seconds_of(c.ours, 3)));
  std::vector<double> ours, blas, theirs;
  for (int round = 0; round < rounds; ++round) {
    // The threads of whoever ran last go to sleep; then everybody has a step to wake up.
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    c.ours();
    ours.push_back(seconds_of(c.ours, repeats));
    if (c.blas) blas.push_back(seconds_of(c.blas, repeats));
    std::optional<double> fastest;
    for (const std::string& name : c.peers) {
      const std::optional<double> seconds = peer.seconds(name, 5);
      if (seconds && (!fastest || *seconds < *fastest)) fastest = seconds;
    }
    if (fastest) theirs.push_back(*fastest);
  }
  Row row;
  row.name = c.name;
  row.gflop = c.gflop;
  row.ours = summarise(ours);
  row.bar = c.bar;
  if (!blas.empty()) {
    row.blas = summarise(blas);
    row.fraction_of_blas = summarise_ratios(blas, ours);
  }
  if (theirs.size() == ours.size()) {
    row.peer = summarise(theirs);
    row.ratio_to_peer = summarise_ratios(theirs, ours);
  }
  return row;
}

}  // namespace
}  // namespace pulsecast::bench

int main(int argc, char** argv) {
  using namespace pulsecast::bench;
  const Arguments arguments =
      parse_arguments(argc, argv, "Kernels, forward and backward, beside bare sgemm and PyTorch.");
  Peer peer(arguments.peer, "torch_kernels.py");
  Buffers buffers;
  pulsecast::ThreadPool pool({.threads = kThreads, .keep_workers_off_caller = true});
  std::vector<Row> rows;
  for (const Case& c :
       {perceptron(buffers, pool), attention(buffers, pool), projected_attention(buffers, pool),
        convolution(buffers, pool), spectral(buffers, pool, 96), spectral(buffers, pool, 720),
        layer_norm(buffers, pool), adam(buffers, pool)}) {
    rows.push_back(measure(c, peer, arguments.rounds));
  }
  print(arguments, "kernels, forward and backward, two threads", peer.description(), rows);
}
