#include "pulsecast/base/thread_pool.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <time.h>

#include <chrono>
#include <stdexcept>
#include <vector>

namespace pulsecast {
namespace {

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (const std::size_t threads : {1u, 2u, 4u, 7u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.size(), threads);
    for (const std::size_t tasks : {0u, 1u, 2u, 8u, 1000u}) {
      std::vector<std::atomic<int>> runs(tasks);
      pool.run(tasks, [&](std::size_t task, std::size_t worker) {
        EXPECT_LT(worker, threads);
        ++runs[task];
      });
      for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
    }
  }
}

TEST(ThreadPool, AWorkerNeverOverlapsItself) {
  ThreadPool pool(4);
  std::vector<std::atomic<int>> inside(pool.size());
  pool.run(2000, [&](std::size_t, std::size_t worker) {
    EXPECT_EQ(inside[worker].fetch_add(1), 0);
    inside[worker].fetch_sub(1);
  });
}

TEST(ThreadPool, ManyShortJobsInARow) {
  ThreadPool pool(3);
  std::atomic<long> sum{0};
  for (int job = 0; job < 5000; ++job) {
    pool.run(3, [&](std::size_t task, std::size_t) { sum += static_cast<long>(task); });
  }
  EXPECT_EQ(sum.load(), 5000L * 3);
}

TEST(ThreadPool, RethrowsAndStaysUsable) {
  ThreadPool pool(4);
  for (int attempt = 0; attempt < 50; ++attempt) {
    EXPECT_THROW(pool.run(100,
                          [](std::size_t task, std::size_t) {
                            if (task == 13) throw std::runtime_error("thirteen");
                          }),
                 std::runtime_error);
    std::atomic<int> runs{0};
    pool.run(10, [&](std::size_t, std::size_t) { ++runs; });
    EXPECT_EQ(runs.load(), 10);
  }
}

// A worker may wake when its job has long ended: it takes no task of a later one twice.
TEST(ThreadPool, LateWorkersDoNoHarm) {
  ThreadPool pool(3);
  for (int job = 0; job < 2000; ++job) {
    std::vector<std::atomic<int>> runs(5);
    pool.run(5, [&](std::size_t task, std::size_t) { ++runs[task]; });
    for (const auto& count : runs) ASSERT_EQ(count.load(), 1);
    if (job % 100 == 0) std::this_thread::sleep_for(std::chrono::microseconds(job));
  }
}

TEST(ThreadPool, IdleThreadsSleep) {
  ThreadPool pool(4);
  pool.run(100, [](std::size_t, std::size_t) {});
  const std::clock_t before = std::clock();  // CPU time of the whole process
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  const double used = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  EXPECT_LT(used, 0.05);
}

}  // namespace
}  // namespace pulsecast
