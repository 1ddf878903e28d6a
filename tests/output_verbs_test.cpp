// What a verb does with the path that it is to write: any kind of file is a place for a result.

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "tests/model_verbs.h"

namespace pulsecast::testing {
namespace {

namespace fs = std::filesystem;

class OutputVerbs : public ModelVerbs {
 protected:
  // A second /dev/null, which a test may lose. False where only root may make one.
  bool make_device(const std::string& name) const {
    return ::mknod(folder_.file(name).c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0;
  }
  bool is_device(const std::string& name) const {
    return fs::is_character_file(folder_.file(name));
  }
  std::size_t files_like(const std::string& name) const {
    std::size_t count = 0;
    for (const auto& each : fs::directory_iterator(folder_.path())) {
      count += each.path().filename().string().starts_with(name) ? 1 : 0;
    }
    return count;
  }
};

TEST_F(OutputVerbs, ADeviceStaysADevice) {
  if (!make_device("null")) GTEST_SKIP() << "only root makes devices";
  ASSERT_EQ(train("m.model").exit_code, 0);
  const std::string null = folder_.file("null");
  EXPECT_EQ(forecast("m.model", "--out " + null).exit_code, 0);
  EXPECT_TRUE(is_device("null"));
  EXPECT_EQ(run("data make " + null + " --rows 10").exit_code, 0);
  EXPECT_TRUE(is_device("null"));
  EXPECT_EQ(train("m.model", "--log " + null).exit_code, 0);
  EXPECT_TRUE(is_device("null"));
  EXPECT_EQ(train("null").exit_code, 0);
  EXPECT_TRUE(is_device("null"));
  EXPECT_EQ(files_like("null"), 1u) << "a log or checkpoint lies beside the device";
  EXPECT_TRUE(says(train("null", "--resume"), 2, "no regular file"));
}

TEST_F(OutputVerbs, APipeIsReadAsItIsWritten) {
  ASSERT_EQ(train("m.model").exit_code, 0);
  ASSERT_EQ(forecast("m.model", "--out " + folder_.file("plain.csv")).exit_code, 0);
  ASSERT_EQ(::mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  const pid_t writer = start("forecast " + folder_.file("m.model") + " " + rows() + " --out " +
                             folder_.file("pipe"));
  EXPECT_EQ(contents(folder_.file("pipe")), contents(folder_.file("plain.csv")));
  EXPECT_EQ(wait_for(writer), 0);
  EXPECT_TRUE(fs::is_fifo(folder_.file("pipe")));
}

TEST_F(OutputVerbs, ALinkIsFollowedAndAModeKept) {
  ASSERT_EQ(train("m.model").exit_code, 0);
  write("end.csv", "old");
  ASSERT_EQ(::chmod(folder_.file("end.csv").c_str(), 0600), 0);
  fs::create_symlink("end.csv", folder_.file("link.csv"));
  EXPECT_EQ(forecast("m.model", "--out " + folder_.file("link.csv")).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(folder_.file("link.csv")));
  EXPECT_TRUE(contents(folder_.file("end.csv")).starts_with("unique_id"));
  EXPECT_EQ(fs::status(folder_.file("end.csv")).permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(OutputVerbs, StandardOutputByItsNameIsAddedTo) {
  ASSERT_EQ(train("m.model").exit_code, 0);
  const Outcome plain = forecast("m.model");
  const Outcome named = forecast("m.model", "--out /dev/stdout");
  EXPECT_EQ(named.exit_code, 0);
  EXPECT_EQ(named.out, plain.out);
}

TEST_F(OutputVerbs, AFolderIsRefused) {
  fs::create_directory(folder_.file("folder"));
  EXPECT_TRUE(says(run("data make " + folder_.file("folder") + " --rows 10"), 5, "is a folder"));
  EXPECT_TRUE(says(train("folder"), 5, "is a folder"));
}

}  // namespace
}  // namespace pulsecast::testing
