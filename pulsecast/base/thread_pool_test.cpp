#include "pulsecast/base/thread_pool.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "pulsecast/base/available_cpus.h"

namespace pulsecast {
namespace {

// The exit code of a child process that runs `body`; -1 if it was killed, as it is when it hangs.
int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    ::_exit(body());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kThreadsCanBeLimited = false;
#else
constexpr bool kThreadsCanBeLimited = true;
#endif

// Whether a pool does what it is for.
bool works(ThreadPool& pool) {
  std::atomic<int> runs{0};
  for (int job = 0; job < 20; ++job) pool.run(50, [&](std::size_t, std::size_t) { ++runs; });
  return runs == 1000;
}

cpu_set_t affinity_of(pthread_t thread) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  ::pthread_getaffinity_np(thread, sizeof(cpus), &cpus);
  return cpus;
}

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

TEST(ThreadPool, TakesWhatTheProcessMayUse) {
  ThreadPool pool;
  EXPECT_EQ(pool.size(), available_cpus());
  EXPECT_EQ(pool.asked(), pool.size());
}

// A second caller has its tasks done on its own thread, and neither sees anything of the other.
TEST(ThreadPool, ServesSeveralCallersAtOnce) {
  ThreadPool pool(3);
  std::vector<std::thread> callers;
  for (std::size_t caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&pool, caller] {
      for (int job = 0; job < 500; ++job) {
        std::vector<int> done(40);                          // by task
        std::vector<std::atomic<int>> inside(pool.size());  // by worker, of this job
        const auto body = [&](std::size_t task, std::size_t worker) {
          ASSERT_LT(worker, pool.size());
          ASSERT_EQ(inside[worker].fetch_add(1), 0);
          done[task] += static_cast<int>(task + caller);
          inside[worker].fetch_sub(1);
          if (job % 50 == 7 && task == 20) throw std::runtime_error("twenty");
        };
        if (job % 50 == 7) {
          EXPECT_THROW(pool.run(done.size(), body), std::runtime_error);
          continue;
        }
        pool.run(done.size(), body);
        for (std::size_t task = 0; task < done.size(); ++task) {
          ASSERT_EQ(done[task], static_cast<int>(task + caller));
        }
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(ThreadPool, ASecondCallerDoesNotWait) {
  ThreadPool pool(2);
  std::atomic<bool> is_done{false};
  pool.run(2, [&](std::size_t task, std::size_t) {
    if (task == 0) {
      std::thread second([&] {
        const std::thread::id own = std::this_thread::get_id();
        pool.run(10, [&](std::size_t, std::size_t worker) {
          EXPECT_EQ(worker, 0u);
          EXPECT_EQ(std::this_thread::get_id(), own);
        });
        is_done = true;
      });
      second.join();  // the first job cannot end before
    }
  });
  EXPECT_TRUE(is_done);
}

TEST(ThreadPool, ABodyMayCallItToo) {
  ThreadPool pool(3);
  std::vector<std::atomic<int>> runs(8 * 5);
  pool.run(8, [&](std::size_t outer, std::size_t) {
    pool.run(5, [&](std::size_t inner, std::size_t worker) {
      EXPECT_EQ(worker, 0u);
      ++runs[outer * 5 + inner];
    });
  });
  for (const auto& count : runs) EXPECT_EQ(count.load(), 1);
  EXPECT_TRUE(works(pool));
}

TEST(ThreadPool, LeavesAffinityAloneUnlessAsked) {
  const cpu_set_t before = affinity_of(::pthread_self());
  ThreadPool pool(3);
  std::atomic<int> changed{0};
  for (int job = 0; job < 50; ++job) {
    pool.run(30, [&](std::size_t, std::size_t) {
      const cpu_set_t now = affinity_of(::pthread_self());
      if (!CPU_EQUAL(&before, &now)) ++changed;
    });
  }
  EXPECT_EQ(changed, 0);
}

TEST(ThreadPool, KeepsWorkersOffTheCallerWhereAsked) {
  const cpu_set_t before = affinity_of(::pthread_self());
  if (CPU_COUNT(&before) < 2) GTEST_SKIP() << "there is one CPU";
  ThreadPool pool({.threads = 3, .keep_workers_off_caller = true});
  pool.run(2, [](std::size_t, std::size_t) {});  // a worker may begin before its first move
  std::atomic<int> of_workers{0}, narrowed{0};
  for (int job = 0; job < 50; ++job) {
    pool.run(30, [&](std::size_t, std::size_t worker) {
      const cpu_set_t now = affinity_of(::pthread_self());
      if (worker == 0) {
        EXPECT_TRUE(CPU_EQUAL(&before, &now));
      } else {
        ++of_workers;
        if (CPU_COUNT(&now) == CPU_COUNT(&before) - 1) ++narrowed;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    });
  }
  EXPECT_GT(of_workers, 0);
  EXPECT_EQ(narrowed, of_workers);
}

// An ordinary user with a limit on threads: those that could be started do the work.
TEST(ThreadPool, WorksWithTheThreadsItGets) {
  if (!kThreadsCanBeLimited) GTEST_SKIP() << "a sanitizer needs threads and memory of its own";
  const int code = in_child([] {
    if (::geteuid() == 0 && ::setuid(65534) != 0) return 10;
    const rlimit none{.rlim_cur = 1, .rlim_max = 1};
    if (::setrlimit(RLIMIT_NPROC, &none) != 0) return 11;
    ThreadPool pool(8);
    if (pool.asked() != 8 || pool.size() >= 8) return 12;
    return works(pool) ? 0 : 13;
  });
  EXPECT_EQ(code, 0);
}

// Memory for the stacks of some threads, and not of all.
TEST(ThreadPool, WorksWithTheMemoryThereIs) {
  if (!kThreadsCanBeLimited) GTEST_SKIP() << "a sanitizer needs threads and memory of its own";
  const int code = in_child([] {
    std::size_t pages = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (file == nullptr || std::fscanf(file, "%zu", &pages) != 1) return 10;
    std::fclose(file);
    const rlim_t used = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    rlimit stack{};
    ::getrlimit(RLIMIT_STACK, &stack);
    const rlim_t each = stack.rlim_cur == RLIM_INFINITY ? 8 << 20 : stack.rlim_cur;
    const rlimit some{.rlim_cur = used + 5 * each, .rlim_max = used + 5 * each};
    if (::setrlimit(RLIMIT_AS, &some) != 0) return 11;
    ThreadPool pool(64);
    if (pool.asked() != 64 || pool.size() >= 64 || pool.size() < 2) return 12;
    return works(pool) ? 0 : 13;
  });
  EXPECT_EQ(code, 0);
}

// A pool of the parent's has no threads in a child: it works on the caller's, and can be taken
// down.
TEST(ThreadPool, WorksAloneAfterAFork) {
  auto pool = std::make_unique<ThreadPool>(4);
  EXPECT_TRUE(works(*pool));
  const int code = in_child([&] {
    if (!works(*pool)) return 10;
    pool.reset();
    if (!kThreadsCanBeLimited) return 0;  // the thread sanitizer allows no new threads there
    ThreadPool own(2);
    return works(own) && own.size() == 2 ? 0 : 11;
  });
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(works(*pool));
}

// Also when the fork came while another thread had a job on.
TEST(ThreadPool, WorksAloneAfterAForkWithinAJob) {
  ThreadPool pool(3);
  std::atomic<bool> stop{false};
  std::thread other([&] {
    while (!stop) pool.run(10, [](std::size_t, std::size_t) {});
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(in_child([&] { return works(pool) ? 0 : 10; }), 0);
  }
  stop = true;
  other.join();
}

}  // namespace
}  // namespace pulsecast
