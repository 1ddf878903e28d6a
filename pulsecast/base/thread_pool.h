// A fixed set of threads that run numbered tasks together with the caller.
//
// Idle threads sleep in the kernel: a process that waits for its next request costs no CPU. Before
// that they look out for some microseconds, because waking a thread costs more than the short
// serial parts between the jobs of a training step take. Workers are kept off the CPU that the
// caller runs on (see docs/decisions/0006-thread-pool.md); they may use all others that the process
// may.
//
// Tasks are handed out one number at a time, so uneven tasks balance; which thread runs a task is
// therefore not fixed, and results must not depend on it (see autodiff/lanes.h for how they don't).
#pragma once

#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace pulsecast {

class ThreadPool {
 public:
  // `threads` in all, the caller of run() included; at least 1. 0 means one a core.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t size() const { return workers_.size() + 1; }

  // Calls body(task, worker) for every task in [0, tasks), worker in [0, size()), and returns when
  // all are done. Two calls with the same worker never overlap. If bodies throw, the tasks not yet
  // begun are dropped and the exception of the lowest-numbered failed task is rethrown here.
  // Allocates nothing. Not to be called from inside a body.
  template <typename Body>
  void run(std::size_t tasks, Body&& body) {
    using Target = std::remove_reference_t<Body>;
    run_erased(tasks, {[](void* target, std::size_t task, std::size_t worker) {
                         (*static_cast<Target*>(target))(task, worker);
                       },
                       const_cast<void*>(static_cast<const void*>(&body))});
  }

 private:
  struct Job {
    void (*call)(void* target, std::size_t task, std::size_t worker);
    void* target;
  };

  void run_erased(std::size_t tasks, Job job);
  void keep_workers_off_this_cpu();
  void work(std::size_t worker);
  void drain(std::size_t worker);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  // Changed under the mutex, so that no wake-up is lost; read without it while looking out.
  std::atomic<std::uint64_t> generation_{0};  // counts jobs, so that a worker sees each one once
  std::atomic<std::size_t> busy_{0};          // workers that have not finished the current job
  std::atomic<bool> stop_{false};

  cpu_set_t allowed_cpus_{};  // of the thread that made the pool
  int caller_cpu_ = -1;       // that workers are kept off now

  Job job_{};
  std::size_t tasks_ = 0;
  std::atomic<std::size_t> next_{0};
  std::exception_ptr failure_;
  std::size_t failed_task_ = 0;
};

}  // namespace pulsecast
