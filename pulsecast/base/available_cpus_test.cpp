#include "pulsecast/base/available_cpus.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <thread>

namespace pulsecast {
namespace {

namespace fs = std::filesystem;

// A made hierarchy of control groups in a folder of its own.
class CpuQuota : public ::testing::Test {
 protected:
  CpuQuota()
      : folder_(fs::temp_directory_path() /
                ("pulsecast-cpus-" + std::to_string(::getpid()) + "-" +
                 ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    fs::create_directories(folder_);
  }
  ~CpuQuota() override { fs::remove_all(folder_); }

  void write(const fs::path& file, const std::string& text) const {
    fs::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  // `root`: the group that is mounted.
  void mount_v2(const std::string& root = "/") const {
    write("mounts", "22 1 0:20 / /proc rw - proc proc rw\n30 23 0:26 " + root + " " +
                        (folder_ / "v2").string() + " rw,nosuid shared:9 - cgroup2 cgroup2 rw\n");
  }
  void mount_v1() const {
    write("mounts", "31 23 0:27 / " + (folder_ / "memory").string() +
                        " rw - cgroup cgroup rw,memory\n32 23 0:28 / " + (folder_ / "v1").string() +
                        " rw - cgroup cgroup rw,cpu,cpuacct\n");
  }
  std::optional<double> quota() const {
    return cpu_quota({.membership = folder_ / "membership", .mounts = folder_ / "mounts"});
  }

  fs::path folder_;
};

TEST_F(CpuQuota, OfVersionTwo) {
  mount_v2();
  write("membership", "0::/system/app\n");
  EXPECT_EQ(quota(), std::nullopt);  // no files
  write("v2/system/app/cpu.max", "max 100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("v2/system/app/cpu.max", "150000 100000\n");
  EXPECT_EQ(quota(), 1.5);
}

TEST_F(CpuQuota, TheLeastOnTheWayUpCounts) {
  mount_v2();
  write("membership", "0::/system/app/part\n");
  write("v2/system/app/part/cpu.max", "800000 100000\n");
  write("v2/system/app/cpu.max", "max 100000\n");
  write("v2/system/cpu.max", "300000 100000\n");
  EXPECT_EQ(quota(), 3.0);
  write("v2/system/app/part/cpu.max", "100000 50000\n");
  EXPECT_EQ(quota(), 2.0);
}

// In a container its own group is the root of what is mounted.
TEST_F(CpuQuota, InAContainer) {
  mount_v2();
  write("membership", "0::/\n");
  write("v2/cpu.max", "50000 100000\n");
  EXPECT_EQ(quota(), 0.5);
  mount_v2("/docker/abc");
  write("membership", "0::/docker/abc/inner\n");
  write("v2/inner/cpu.max", "25000 100000\n");
  EXPECT_EQ(quota(), 0.25);
  write("membership", "0::/elsewhere\n");
  EXPECT_EQ(quota(), 0.5);
}

TEST_F(CpuQuota, OfVersionOne) {
  mount_v1();
  write("membership", "5:memory:/other\n4:cpu,cpuacct:/box/app\n0::/ignored\n");
  write("v1/box/app/cpu.cfs_quota_us", "-1\n");
  write("v1/box/app/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), std::nullopt);
  write("v1/box/cpu.cfs_quota_us", "250000\n");
  write("v1/box/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota(), 2.5);
}

TEST_F(CpuQuota, WhatMakesNoSenseSaysNothing) {
  EXPECT_EQ(quota(), std::nullopt);
  mount_v2();
  for (const char* text :
       {"", "\n", "nonsense\n", "100000\n", "0 100000\n", "100000 0\n", "-5 3\n"}) {
    write("membership", "0::/app\n");
    write("v2/app/cpu.max", text);
    EXPECT_EQ(quota(), std::nullopt) << text;
  }
  write("membership", "no colons\n:\n");
  EXPECT_EQ(quota(), std::nullopt);
}

TEST(AvailableCpus, AreNoMoreThanAffinityAllows) {
  EXPECT_GE(available_cpus(), 1u);
  std::thread bound([] {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(::sched_getcpu(), &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
    EXPECT_EQ(available_cpus(), 1u);
  });
  bound.join();
}

}  // namespace
}  // namespace pulsecast
