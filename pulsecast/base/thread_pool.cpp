#include "pulsecast/base/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <cassert>
#include <new>
#include <system_error>
#include <utility>

#include "pulsecast/base/available_cpus.h"

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

// How many forks led to this process, of those since the first pool was made.
std::atomic<std::uint32_t> forks{0};
void count_fork() { ++forks; }

}  // namespace

ThreadPool::ThreadPool(const ThreadPoolOptions& options)
    : crew_(std::make_unique<Crew>()),
      asked_(options.threads == 0 ? available_cpus() : options.threads),
      keep_workers_off_caller_(options.keep_workers_off_caller) {
  static const int registered = ::pthread_atfork(nullptr, nullptr, &count_fork);
  static_cast<void>(registered);
  forks_ = forks;
  if (::sched_getaffinity(0, sizeof(allowed_cpus_), &allowed_cpus_) != 0) CPU_ZERO(&allowed_cpus_);
  try {
    for (std::size_t worker = 1; worker < asked_; ++worker) {
      crew_->threads.emplace_back([this, worker] { work(worker); });
    }
  } catch (const std::system_error&) {  // no thread
  } catch (const std::bad_alloc&) {     // no memory for one
  }
}

ThreadPool::~ThreadPool() {
  if (is_forked()) {
    // The threads are the parent's, and so are locks that they held and waits that they were in:
    // none of it ever ends here, so all of it is left behind.
    static_cast<void>(crew_.release());
    return;
  }
  {
    std::lock_guard lock(crew_->mutex);
    stop_ = true;
  }
  crew_->wake.notify_all();
  for (std::thread& worker : crew_->threads) worker.join();
}

bool ThreadPool::is_forked() const { return forks != forks_; }

void ThreadPool::run_erased(std::size_t tasks, Job job) {
  const bool is_short = tasks <= 1 || size() == 1;
  if (is_short || is_forked() || is_busy_.exchange(true)) return run_alone(tasks, job);
  run_together(tasks, job);
}

void ThreadPool::run_alone(std::size_t tasks, Job job) {
  for (std::size_t task = 0; task < tasks; ++task) job.call(job.target, task, 0);
}

void ThreadPool::run_together(std::size_t tasks, Job job) {
  assert(tasks <= UINT32_MAX);
  {
    std::lock_guard lock(crew_->mutex);
    job_ = job;
    tasks_ = static_cast<std::uint32_t>(tasks);
    failure_ = nullptr;
    unfinished_ = tasks_;
    left_ = word_of({left_of(left_.load()).job + 1, tasks_});
  }
  if (keep_workers_off_caller_) keep_workers_off_this_cpu();
  crew_->wake.notify_all();
  drain(0);
  const auto all_done = [this] { return unfinished_ == 0; };
  if (!all_done()) {
    look_out(all_done);
    std::unique_lock lock(crew_->mutex);
    crew_->done.wait(lock, all_done);
  }
  const std::exception_ptr failure = std::exchange(failure_, nullptr);
  is_busy_ = false;
  if (failure) std::rethrow_exception(failure);
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
  for (std::thread& worker : crew_->threads) {
    ::pthread_setaffinity_np(worker.native_handle(), sizeof(others), &others);
  }
}

void ThreadPool::work(std::size_t worker) {
  const auto called = [&] { return stop_ || has_tasks(); };
  for (;;) {
    look_out(called);
    {
      std::unique_lock lock(crew_->mutex);
      crew_->wake.wait(lock, called);
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
      std::lock_guard lock(crew_->mutex);
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
  std::lock_guard lock(crew_->mutex);
  crew_->done.notify_one();
}

}  // namespace pulsecast
