#include "pulsecast/base/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <utility>

namespace pulsecast {
namespace {

// About 30 microseconds.
constexpr int kLooks = 1000;

template <typename Condition>
void look_out(Condition condition) {
  for (int i = 0; i < kLooks && !condition(); ++i) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

}  // namespace

ThreadPool::ThreadPool(std::size_t threads) {
  if (::sched_getaffinity(0, sizeof(allowed_cpus_), &allowed_cpus_) != 0) CPU_ZERO(&allowed_cpus_);
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  workers_.reserve(threads - 1);
  for (std::size_t worker = 1; worker < threads; ++worker) {
    workers_.emplace_back([this, worker] { work(worker); });
  }
}

ThreadPool::~ThreadPool() {
  {
    std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_erased(std::size_t tasks, Job job) {
  assert(tasks <= UINT32_MAX);
  if (tasks == 0) return;
  const bool share = tasks > 1 && !workers_.empty();
  {
    std::lock_guard lock(mutex_);
    job_ = job;
    tasks_ = static_cast<std::uint32_t>(tasks);
    failure_ = nullptr;
    unfinished_ = tasks_;
    left_ = word_of({left_of(left_.load()).job + 1, tasks_});
  }
  if (share) {
    keep_workers_off_this_cpu();
    wake_.notify_all();
  }
  drain(0);
  const auto all_done = [this] { return unfinished_ == 0; };
  if (!all_done()) {
    look_out(all_done);
    std::unique_lock lock(mutex_);
    done_.wait(lock, all_done);
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

// The kernel likes to wake a thread where its waker runs, and there it waits until the caller's own
// tasks are done. Best effort: where the kernel refuses, the workers run wherever they are put.
void ThreadPool::keep_workers_off_this_cpu() {
  const int cpu = ::sched_getcpu();
  if (cpu < 0 || cpu == caller_cpu_) return;
  caller_cpu_ = cpu;
  cpu_set_t others = allowed_cpus_;
  CPU_CLR(cpu, &others);
  if (CPU_COUNT(&others) == 0) return;
  for (std::thread& worker : workers_) {
    ::pthread_setaffinity_np(worker.native_handle(), sizeof(others), &others);
  }
}

void ThreadPool::work(std::size_t worker) {
  const auto called = [&] { return stop_ || has_tasks(); };
  for (;;) {
    look_out(called);
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, called);
      if (stop_) return;
    }
    drain(worker);
  }
}

void ThreadPool::drain(std::size_t worker) {
  for (;;) {
    std::uint64_t word = left_.load();
    const Left left = left_of(word);
    if (left.tasks == 0) return;
    if (!left_.compare_exchange_weak(word, word_of({left.job, left.tasks - 1}))) continue;
    const std::size_t task = tasks_ - left.tasks;
    std::uint32_t ended = 1;
    try {
      job_.call(job_.target, task, worker);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_ || task < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = task;
      }
      // Nobody takes the rest.
      ended += left_of(left_.exchange(word_of({left.job, 0}))).tasks;
    }
    end_tasks(ended);
  }
}

void ThreadPool::end_tasks(std::uint32_t count) {
  if (unfinished_.fetch_sub(count) != count) return;
  // The caller may be about to sleep: it looks once more under the mutex.
  std::lock_guard lock(mutex_);
  done_.notify_one();
}

}  // namespace pulsecast
