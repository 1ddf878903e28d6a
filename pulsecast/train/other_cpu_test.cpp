// A run that goes on with vectors of another width ends with the same bits, on every engine that
// has a fused multiply-add; with the plain fallback it goes on when it is told to.

#include <hwy/targets.h>

#include "pulsecast/base/error.h"
#include "pulsecast/kernels/engine.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

using testing::Ending;
using testing::SmallRun;

// Computes with one SIMD target until it goes.
class Forced {
 public:
  explicit Forced(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
  ~Forced() { hwy::SetSupportedTargetsForTest(0); }
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;
};

std::vector<std::int64_t> targets(bool with_fused_multiply_add) {
  std::vector<std::int64_t> found;
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    const Forced forced(target);
    const bool has = kernels::arithmetic_name().find(" with fused") != std::string::npos;
    if (has == with_fused_multiply_add) found.push_back(target);
  }
  return found;
}

template <typename Change>
Ending train_with(const model::ModelShape& shape, Change change) {
  SmallRun run(shape);
  ThreadPool pool(1);
  TrainingTask task = run.task();
  change(task);
  return testing::ending_of(train(task, pool), run);
}

class OtherCpu : public testing::WithFolder {
 protected:
  void stop_after(std::uint32_t steps) {
    std::atomic<bool> stop = false;
    std::uint32_t done = 0;
    EXPECT_THROW(train_with(testing::small_shape(),
                            [&](TrainingTask& task) {
                              task.checkpoint = {path_, "small"};
                              task.watch.is_cancelled = [&] { return stop.load(); };
                              task.on_step = [&](const StepReport&) { stop = ++done == steps; };
                            }),
                 Error);
  }
  Ending resumed(bool allow_other_cpu) {
    remarks_.clear();
    return train_with(testing::small_shape(), [&](TrainingTask& task) {
      task.checkpoint = {path_, "small", true, allow_other_cpu};
      task.watch.on_remark = [&](const std::string& remark) { remarks_ += remark + "\n"; };
    });
  }

  const std::filesystem::path path_ = folder_ / "run.checkpoint";
  std::string remarks_;
};

TEST(VectorWidth, EveryBackboneTrainsToTheSameBits) {
  for (const auto& backbone : kChoices<BackboneKind>) {
    SCOPED_TRACE(backbone.name);
    model::ModelShape shape = testing::small_shape();
    shape.backbone = backbone.value;
    shape.sizes = {.width = 8,
                   .heads = 2,
                   .layers = 1,
                   .feed_forward = 12,
                   .patch = 4,
                   .stride = 2,
                   .moving_average = 5,
                   .top_periods = 2,
                   .graph_channels = 3,
                   .skip_channels = 4,
                   .routers = 2};
    std::optional<Ending> first;
    for (const std::int64_t target : targets(true)) {
      SCOPED_TRACE(hwy::TargetName(target));
      const Forced forced(target);
      const Ending ending = train_with(shape, [](TrainingTask& task) { task.settings.epochs = 1; });
      if (!first) first = ending;
      EXPECT_EQ(ending, *first);
    }
  }
}

TEST_F(OtherCpu, WithVectorsOfAnotherWidthARunEndsWithTheSameBits) {
  const std::vector<std::int64_t> fused = targets(true);
  if (fused.empty()) GTEST_SKIP() << "no target with a fused multiply-add";
  const Ending uninterrupted = train_with(testing::small_shape(), [](TrainingTask&) {});
  {
    const Forced forced(fused.back());
    stop_after(9);
  }
  const Forced forced(fused.front());
  EXPECT_EQ(resumed(false), uninterrupted);
  EXPECT_EQ(remarks_, "resumed at epoch 2, step 3\n");
}

TEST_F(OtherCpu, OtherArithmeticIsRefusedUnlessAllowed) {
  const std::vector<std::int64_t> plain = targets(false);
  if (plain.empty() || targets(true).empty()) GTEST_SKIP() << "one arithmetic alone";
  {
    const Forced forced(plain.front());
    stop_after(9);
  }
  try {
    resumed(false);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(error.message().find("without fused multiply-adds; here "), std::string::npos)
        << error.message();
    ASSERT_EQ(error.remedies().size(), 2u);
    EXPECT_EQ(error.remedies()[0].action, RemedyAction::kAllowOtherCpu);
  }
  EXPECT_EQ(resumed(true).history.size(), 3u);
  EXPECT_NE(remarks_.find("differs in the last bits"), std::string::npos) << remarks_;
}

}  // namespace
}  // namespace pulsecast::train
