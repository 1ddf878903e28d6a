#include "pulsecast/base/thread_pool.h"

#include <algorithm>
#include <utility>

namespace pulsecast {

ThreadPool::ThreadPool(std::size_t threads) {
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
  if (tasks == 0) return;
  const bool share = tasks > 1 && !workers_.empty();
  {
    std::lock_guard lock(mutex_);
    job_ = job;
    tasks_ = tasks;
    next_.store(0, std::memory_order_relaxed);
    failure_ = nullptr;
    if (share) {
      busy_ = workers_.size();
      ++generation_;
    }
  }
  if (share) wake_.notify_all();
  drain(0);
  if (share) {
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return busy_ == 0; });
  }
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::work(std::size_t worker) {
  std::uint64_t seen = 0;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stop_ || generation_ != seen; });
      if (stop_) return;
      seen = generation_;
    }
    drain(worker);
    {
      std::lock_guard lock(mutex_);
      if (--busy_ == 0) done_.notify_one();
    }
  }
}

void ThreadPool::drain(std::size_t worker) {
  for (;;) {
    const std::size_t task = next_.fetch_add(1, std::memory_order_relaxed);
    if (task >= tasks_) return;
    try {
      job_.call(job_.target, task, worker);
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!failure_ || task < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = task;
      }
      next_.store(tasks_, std::memory_order_relaxed);
    }
  }
}

}  // namespace pulsecast
