#include "pulsecast/train/checkpoint.h"

#include <sys/resource.h>
#include <sys/wait.h>

#include <bit>
#include <cmath>
#include <csignal>
#include <fstream>
#include <iterator>
#include <limits>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/error.h"
#include "pulsecast/kernels/engine.h"
#include "pulsecast/store/safetensors.h"
#include "pulsecast/train/testing.h"

namespace pulsecast::train {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const std::string kFingerprint = "data checksum: 12\nmodel.patch: 24\ntraining.seed: 2024\n";

TrainingState example() {
  TrainingState state;
  state.epoch = 3;
  state.steps_done = 17;
  state.adam_steps = (std::int64_t{1} << 40) + 1;
  state.loss_sum = 0.1 + 0.2;
  state.seconds = 12.5;
  state.weights = {1.0f, -0.0f, 1e-45f, 3e38f};
  state.moment1 = {0.1f, -0.1f, -kInfinity, 0.0f};
  state.moment2 = {kInfinity, 0.0f, 1e-30f, 2.0f};
  state.best_weights = {4.0f, 3.0f, 2.0f, 1.0f};
  state.best_epoch = 2;
  state.best_validation = 1.0 / 3.0;
  state.history = {{1, 0.0002, 3.5, 0.7, 1.25}, {2, 0.005, 3.1, 1.0 / 3.0, 1.5}};
  return state;
}

template <typename To, typename From>
std::vector<To> bits(const std::vector<From>& values) {
  std::vector<To> out;
  for (const From value : values) out.push_back(std::bit_cast<To>(value));
  return out;
}

class CheckpointTest : public testing::WithFolder {
 protected:
  void SetUp() override {
    WithFolder::SetUp();
    path_ = folder_ / "run.checkpoint";
  }
  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  // Saves the example with one tensor or metadata entry changed.
  template <typename Change>
  void save_changed(Change change) const {
    save_checkpoint(path_, example(), kFingerprint);
    store::TensorFile file = store::read_tensors(path_);
    change(file);
    store::write_tensors(path_, file);
  }
  // As every refusal of a file puts it.
  static std::string damaged(const std::string& reason) {
    return "this checkpoint is damaged or no checkpoint: " + reason;
  }
  Error refusal(const std::string& fingerprint = kFingerprint) const {
    try {
      load_checkpoint(path_, fingerprint);
    } catch (const Error& error) {
      return error;
    }
    return {ErrorKind::kUsage, "accepted"};
  }

  std::filesystem::path path_;
};

void replace(store::TensorFile& file, store::StoredTensor tensor) {
  for (store::StoredTensor& old : file.tensors) {
    if (old.name == tensor.name) old = tensor;
  }
}

TEST_F(CheckpointTest, ComesBackToTheBit) {
  const TrainingState saved = example();
  save_checkpoint(path_, saved, kFingerprint);
  const std::optional<Checkpoint> found = load_checkpoint(path_, kFingerprint);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->engine, kernels::engine_name());
  EXPECT_EQ(found->arithmetic, kernels::arithmetic_name());
  const TrainingState& state = found->state;
  EXPECT_EQ(state.epoch, saved.epoch);
  EXPECT_EQ(state.steps_done, saved.steps_done);
  EXPECT_EQ(state.adam_steps, saved.adam_steps);
  EXPECT_EQ(state.loss_sum, saved.loss_sum);
  EXPECT_EQ(state.seconds, saved.seconds);
  EXPECT_EQ(state.best_epoch, saved.best_epoch);
  EXPECT_EQ(state.best_validation, saved.best_validation);
  EXPECT_EQ(state.history, saved.history);
  EXPECT_EQ(bits<std::uint32_t>(state.weights), bits<std::uint32_t>(saved.weights));
  EXPECT_EQ(bits<std::uint32_t>(state.moment1), bits<std::uint32_t>(saved.moment1));
  EXPECT_EQ(bits<std::uint32_t>(state.moment2), bits<std::uint32_t>(saved.moment2));
  EXPECT_EQ(bits<std::uint32_t>(state.best_weights), bits<std::uint32_t>(saved.best_weights));
}

// Before the first epoch has ended there is no best one, and its error is infinite.
TEST_F(CheckpointTest, ComesBackBeforeTheFirstValidation) {
  TrainingState saved = example();
  saved.epoch = 1;
  saved.best_weights.clear();
  saved.best_epoch = 0;
  saved.best_validation = std::numeric_limits<double>::infinity();
  saved.history.clear();
  save_checkpoint(path_, saved, kFingerprint);
  const std::optional<Checkpoint> found = load_checkpoint(path_, kFingerprint);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->state.best_weights.empty());
  EXPECT_EQ(found->state.best_validation, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(found->state.history.empty());
}

// Without validation its error is NaN.
TEST_F(CheckpointTest, ComesBackWithoutValidation) {
  TrainingState saved = example();
  saved.best_validation = std::numeric_limits<double>::quiet_NaN();
  save_checkpoint(path_, saved, kFingerprint);
  EXPECT_TRUE(std::isnan(load_checkpoint(path_, kFingerprint)->state.best_validation));
}

TEST_F(CheckpointTest, NoFileIsNoCheckpoint) { EXPECT_FALSE(load_checkpoint(path_, kFingerprint)); }

TEST_F(CheckpointTest, EveryTruncationIsRefused) {
  save_checkpoint(path_, example(), kFingerprint);
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); length += 7) {
    std::ofstream(path_, std::ios::binary) << whole.substr(0, length);
    EXPECT_EQ(refusal().kind(), ErrorKind::kModelFile) << length;
    EXPECT_EQ(refusal().where(), path_.string()) << length;
    EXPECT_NE(refusal().message().find("not a valid safetensors file"), std::string::npos)
        << length;
    EXPECT_EQ(refusal().remedies(),
              (std::vector<Remedy>{remedy::advice("delete it"),
                                   remedy::act(RemedyAction::kStartOver, "to start over")}))
        << length;
  }
}

TEST_F(CheckpointTest, EveryFlippedBitIsRefused) {
  save_checkpoint(path_, example(), kFingerprint);
  const std::string whole = bytes();
  for (std::size_t bit = 0; bit < 8 * whole.size(); bit += 3) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ static_cast<char>(1u << (bit % 8)));
    std::ofstream(path_, std::ios::binary) << damaged;
    EXPECT_EQ(refusal().kind(), ErrorKind::kModelFile) << "bit " << bit;
  }
}

TEST_F(CheckpointTest, DamageIsNamed) {
  save_checkpoint(path_, example(), kFingerprint);
  std::string damaged = bytes();
  damaged.back() = static_cast<char>(damaged.back() ^ 1);
  std::ofstream(path_, std::ios::binary) << damaged;
  EXPECT_NE(refusal().message().find("tensor 'best_weights' is damaged"), std::string::npos)
      << refusal().message();
}

// As earlier versions of the program wrote it.
TEST_F(CheckpointTest, AFileOfTheFirstVersionIsRead) {
  save_changed([](store::TensorFile& file) {
    file.metadata["version"] = "1";
    file.metadata.erase("engine");
    file.metadata.erase("arithmetic");
  });
  const std::optional<Checkpoint> found = load_checkpoint(path_, kFingerprint);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->engine, "");
  EXPECT_EQ(found->arithmetic, "");
  EXPECT_EQ(found->state.epoch, 3u);
}

TEST_F(CheckpointTest, OnlyTheLearningRateMayBeAnother) {
  save_checkpoint(path_, example(), "training.learning-rate: 0.01\nmodel.patch: 24\n");
  const auto found = load_checkpoint(path_, "training.learning-rate: 0.001\nmodel.patch: 24\n");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->learning_rate, "0.01");
  EXPECT_EQ(
      load_checkpoint(path_, "training.learning-rate: 0.01\nmodel.patch: 24\n")->learning_rate, "");
  EXPECT_THROW(load_checkpoint(path_, "training.learning-rate: 0.001\nmodel.patch: 12\n"), Error);
}

TEST_F(CheckpointTest, KnowsWhoseItIs) {
  EXPECT_FALSE(is_checkpoint_of(path_, kFingerprint));
  save_checkpoint(path_, example(), kFingerprint);
  EXPECT_TRUE(is_checkpoint_of(path_, kFingerprint));
  EXPECT_FALSE(is_checkpoint_of(path_, kFingerprint + "training.loss: mse\n"));
}

TEST_F(CheckpointTest, AnotherFileIsRefused) {
  write_file(path_, std::string_view("date,load\n2024-01-01,3\n"));
  EXPECT_EQ(refusal().kind(), ErrorKind::kModelFile);
  store::write_tensors(path_, {{}, {{"pulsecast", "{}"}}});
  EXPECT_EQ(refusal().message(),
            damaged("expected a pulsecast checkpoint of version 2, found '' of version ''"));
  save_changed([](store::TensorFile& file) { file.metadata["version"] = "3"; });
  EXPECT_EQ(refusal().message(),
            damaged("expected a pulsecast checkpoint of version 2, found 'pulsecast checkpoint' of "
                    "version '3'"));
  EXPECT_EQ(refusal().where(), path_.string());
}

TEST_F(CheckpointTest, NamesTheFirstDifferenceToAnotherRun) {
  save_checkpoint(path_, example(), kFingerprint);
  const auto says = [&](const std::string& fingerprint, const std::string& difference) {
    const Error error = refusal(fingerprint);
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_NE(error.message().find(difference), std::string::npos) << error.message();
  };
  says("data checksum: 12\nmodel.patch: 12\ntraining.seed: 1\n",
       "it has 'model.patch: 24', this run has 'model.patch: 12'");
  says("data checksum: 13\nmodel.patch: 24\ntraining.seed: 2024\n",
       "it has 'data checksum: 12', this run has 'data checksum: 13'");
  says("data checksum: 12\nmodel.patch: 24\n",
       "it has 'training.seed: 2024', this run has 'nothing'");
  says(kFingerprint + "training.loss: mse\n",
       "it has 'nothing', this run has 'training.loss: mse'");
}

TEST_F(CheckpointTest, PartsThatDoNotFitAreRefused) {
  const std::vector<float> three = {1.0f, 2.0f, 3.0f};
  for (const char* name : {"weights", "moment1", "moment2", "best_weights"}) {
    save_changed(
        [&](store::TensorFile& file) { replace(file, store::store_floats(name, {3}, three)); });
    EXPECT_EQ(refusal().message(), damaged("its parts do not fit together")) << name;
  }
  const auto refuses = [&](const char* name, const std::vector<double>& values) {
    save_changed([&](store::TensorFile& file) {
      replace(file, store::store_doubles(name, {values.size()}, values));
    });
    EXPECT_EQ(refusal().kind(), ErrorKind::kModelFile) << name;
    EXPECT_EQ(refusal().message(), damaged("its parts do not fit together"))
        << name << " of " << values.size();
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  refuses("numbers", {3, 17, 30, 0.3, 12.5});
  refuses("history", {1, 0.0002, 3.5, 0.7});
  refuses("best_validation", {});
  // Counts that no training reaches: each would be undefined as a whole number, or 0 epochs.
  for (const double count : {nan, -1.0, 0.5, 1e300}) {
    refuses("numbers", {count, 17, 30, 0.3, 12.5, 2});
    refuses("numbers", {3, count, 30, 0.3, 12.5, 2});
    refuses("numbers", {3, 17, count, 0.3, 12.5, 2});
    refuses("numbers", {3, 17, 30, 0.3, 12.5, count});
    refuses("history", {count, 0.0002, 3.5, 0.7, 1.0});
  }
  refuses("numbers", {0, 17, 30, 0.3, 12.5, 0});
  refuses("numbers", {3, 17, 30, 0.3, 12.5, 3});
  // More epochs than there are records of: training would end at once, with an untrained model.
  refuses("numbers", {4294967295.0, 17, 30, 0.3, 12.5, 2});
  refuses("history", {1, 0.0002, 3.5, 0.7, 1.25, 3, 0.005, 3.1, 0.3, 1.5});
}

TEST_F(CheckpointTest, BestEpochNeedsItsWeights) {
  save_changed(
      [](store::TensorFile& file) { replace(file, store::store_floats("best_weights", {0}, {})); });
  EXPECT_EQ(refusal().message(), damaged("its parts do not fit together"));
}

TEST_F(CheckpointTest, AMissingPartIsNamed) {
  save_changed([](store::TensorFile& file) {
    std::erase_if(file.tensors,
                  [](const store::StoredTensor& tensor) { return tensor.name == "moment2"; });
  });
  EXPECT_EQ(refusal().kind(), ErrorKind::kModelFile);
  EXPECT_EQ(refusal().where(), path_.string());
  EXPECT_EQ(refusal().message(), damaged("moment2: there is no such tensor in the file"));
}

// A limit on file size stands in for a full disk.
TEST_F(CheckpointTest, AFullDiskKeepsTheOldCheckpoint) {
  save_checkpoint(path_, example(), kFingerprint);
  const std::string before = bytes();
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{4096, 4096};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    TrainingState large = example();
    large.weights.assign(100000, 1.0f);
    try {
      save_checkpoint(path_, large, kFingerprint);
      ::_exit(1);
    } catch (const Error& error) {
      ::_exit(error.kind() == ErrorKind::kInputOutput ? 0 : 2);
    }
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(bytes(), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1);
}

}  // namespace
}  // namespace pulsecast::train
