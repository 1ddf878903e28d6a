#include "pulsecast/model/phase_router.h"

#include <array>

#include "pulsecast/autodiff/lanes.h"
#include "pulsecast/autodiff/operations.h"
#include "pulsecast/autodiff/testing.h"
#include "pulsecast/model/shared_router.h"
#include "pulsecast/model/testing.h"

namespace pulsecast::model {
namespace {

using namespace autodiff;

constexpr std::size_t kRows = 5;

// Patches narrower than the router and wider, a token that fills its vectors and one that does
// not, patches that divide nothing, one of everything.
struct Sizes {
  std::size_t lookback, horizon, patch, width;
};
const Sizes kSizes[] = {{96, 96, 24, 16}, {96, 96, 6, 32}, {96, 144, 24, 16}, {48, 96, 6, 4},
                        {13, 7, 5, 8},    {7, 13, 3, 2},   {1, 1, 1, 1}};

ModelShape shape_of(const Sizes& sizes) {
  ModelShape shape = testing::small_shape();
  shape.lookback = sizes.lookback;
  shape.horizon = sizes.horizon;
  shape.patch = sizes.patch;
  shape.router_width = sizes.width;
  return shape;
}

std::vector<float> noise(std::size_t count, std::uint64_t seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = static_cast<float>(random::normal({.seed = seed}, i));
  }
  return values;
}

// A router, rows for it, and what it makes of them.
class Routed {
 public:
  explicit Routed(const ModelShape& shape)
      : shape_(shape),
        router_(parameters_, shape),
        anchor_(noise(kRows * shape.lookback, 1)),
        forecast_(noise(kRows * shape.horizon, 2)),
        sent_(noise(kRows * shape.horizon, 3)) {
    router_.initialise(parameters_, 7);
  }

  struct Result {
    std::vector<float> output, to_anchor, to_forecast, to_weights;
  };

  // Of route(tape, weights, anchor, forecast) -> (rows, H).
  template <typename Route, typename Finish>
  Result run(Route route, Finish finish) {
    Result result{{},
                  std::vector<float>(anchor_.size()),
                  std::vector<float>(forecast_.size()),
                  std::vector<float>(parameters_.count())};
    const autodiff::GradientLayout layout(parameters_, SharedRouter::sizes(router_, parameters_));
    std::vector<float> gradients(layout.count());
    BoundParameters weights(parameters_, layout);
    weights.bind(layout, gradients.data());
    Arena arena;
    Tape tape(arena, Tape::Mode::kTraining);
    const Tensor output =
        route(tape, weights,
              tape.variable(anchor_.data(), {kRows, shape_.lookback}, result.to_anchor.data()),
              tape.variable(forecast_.data(), {kRows, shape_.horizon}, result.to_forecast.data()));
    result.output.assign(output.data, output.data + output.count());
    std::vector<float> sent = sent_;
    tape.backward(output, sent.data());
    finish(weights);
    std::copy_n(gradients.begin(), parameters_.count(), result.to_weights.begin());
    return result;
  }

  Result as_it_is() {
    SharedRouter shared(router_, Tape::Mode::kTraining);
    return run(
        [&](Tape& tape, BoundParameters& weights, const Tensor& anchor, const Tensor& forecast) {
          shared.forward(weights);
          return router_(tape, weights, shared.maps(weights), anchor, forecast, dropout());
        },
        [&](BoundParameters& weights) {
          std::array<float*, RouterMaps::kCount> gathered{};
          for (std::size_t i = 0; i < gathered.size(); ++i) {
            if (weights.shared(i)->written) gathered[i] = weights.shared(i)->data;
          }
          shared.backward(gathered);
        });
  }

  // As the paper has it: layer after layer.
  Result as_defined() {
    return run(
        [&](Tape& tape, BoundParameters& weights, const Tensor& anchor, const Tensor& forecast) {
          const auto find = [&](const std::string& name) {
            return weights[parameters_.find("router." + name)];
          };
          const auto through = [&](const Tensor& x, const std::string& layer) {
            return linear(tape, x, find(layer + ".weight"), find(layer + ".bias"));
          };
          const auto attend = [&](const std::string& name, const Tensor& q, const Tensor& kv,
                                  std::uint64_t first_row) {
            std::array<Tensor, 8> projections;
            std::size_t i = 0;
            for (const char* part : {".query", ".key", ".value", ".output"}) {
              projections[i++] = find(name + part + ".weight");
              projections[i++] = find(name + part + ".bias");
            }
            return autodiff::testing::projected_attention(
                tape, q, kv, projections, {dropout().stream, dropout().rate, first_row});
          };
          const Tensor past =
              through(to_patches(tape, anchor, shape_.patch, PadSide::kLeft), "history");
          const Tensor future =
              through(to_patches(tape, forecast, shape_.patch, PadSide::kRight), "future");
          const Tensor sent = attend("sender", past, future, dropout().first_row);
          const Tensor received =
              attend("receiver", future, sent, dropout().batch_rows + dropout().first_row);
          const Tensor inside = gelu(tape, through(received, "expand"));
          return from_patches(tape, through(inside, "contract"), shape_.horizon);
        },
        [](BoundParameters&) {});
  }

 private:
  static RouterDropout dropout() {
    return {.stream = {.seed = 5, .purpose = random::Purpose::kAttentionDropout},
            .rate = 0.2f,
            .first_row = 2,
            .batch_rows = 20};
  }

  ModelShape shape_;
  Parameters parameters_;
  PhaseRouter router_;
  std::vector<float> anchor_, forecast_, sent_;
};

void expect_close(const std::vector<float>& ours, const std::vector<float>& defined) {
  ASSERT_EQ(ours.size(), defined.size());
  double largest = 0.0;
  double difference = 0.0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(defined[i])));
    difference = std::max(difference, std::abs(static_cast<double>(ours[i]) - defined[i]));
  }
  EXPECT_LE(difference, 1e-5 * largest);
}

TEST(PhaseRouter, MultipliedOutIsWhatItsLayersAre) {
  for (const Sizes& sizes : kSizes) {
    SCOPED_TRACE(::testing::Message() << sizes.lookback << " " << sizes.horizon << " "
                                      << sizes.patch << " " << sizes.width);
    Routed routed(shape_of(sizes));
    const Routed::Result ours = routed.as_it_is();
    const Routed::Result defined = routed.as_defined();
    expect_close(ours.output, defined.output);
    expect_close(ours.to_anchor, defined.to_anchor);
    expect_close(ours.to_forecast, defined.to_forecast);
    expect_close(ours.to_weights, defined.to_weights);
  }
}

// Shards of one lane add up, and so do lanes.
TEST(SharedRouter, GradientsOfLanesAddUp) {
  const ModelShape shape = shape_of(kSizes[0]);
  Parameters parameters;
  const PhaseRouter router(parameters, shape);
  router.initialise(parameters, 7);
  const std::vector<float> anchor = noise(shape.lookback, 1);
  const std::vector<float> forecast = noise(shape.horizon, 2);
  const std::vector<float> target(shape.horizon, 0.0f);
  ThreadPool pool(2);
  // The same row in each shard.
  const auto gradient_of = [&](const autodiff::LaneCut& cut) {
    SharedRouter shared(router, Tape::Mode::kTraining);
    autodiff::Lanes lanes(parameters, pool, SharedRouter::sizes(router, parameters));
    lanes.begin();
    lanes.kept_forward(1, [&](std::size_t, BoundParameters& weights) { shared.forward(weights); });
    lanes.shards(cut, [&](std::size_t, Tape& tape, BoundParameters& weights) {
      const Tensor output = router(tape, weights, shared.maps(weights),
                                   tape.constant(anchor.data(), {1, shape.lookback}),
                                   tape.constant(forecast.data(), {1, shape.horizon}), {});
      return squared_error(tape, output, tape.constant(target.data(), {1, shape.horizon}), 1.0f);
    });
    lanes.kept_backward([&](std::size_t) {
      std::array<float*, RouterMaps::kCount> gathered{};
      for (std::size_t i = 0; i < gathered.size(); ++i) gathered[i] = lanes.shared_gradient(i);
      shared.backward(gathered);
    });
    lanes.finish();
    return std::vector<float>(lanes.gradients().begin(), lanes.gradients().end());
  };
  const std::vector<float> one = gradient_of({1, 1});
  for (const autodiff::LaneCut& cut : {autodiff::LaneCut{2, 3}, autodiff::LaneCut{11, 12}}) {
    std::vector<float> many = one;
    for (float& value : many) value *= static_cast<float>(cut.shards);
    expect_close(gradient_of(cut), many);
  }
}

}  // namespace
}  // namespace pulsecast::model
