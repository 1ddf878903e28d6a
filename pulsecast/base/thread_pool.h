// A fixed set of threads that run numbered tasks together with the caller.
//
// Idle threads sleep in the kernel: a process that waits for its next request costs no CPU. Before
// that they look out for some microseconds, because waking a thread costs more than the short
// serial parts between the jobs of a training step take.
//
// Tasks are handed out one number at a time, in order, so uneven tasks balance; which thread runs a
// task is therefore not fixed, and results must not depend on it (see autodiff/lanes.h for how they
// don't). A job ends with its last task: a worker that other work keeps from the CPU is not waited
// for unless it has begun one.
//
// In a process of somebody else's: the caller's threads are left as they are; a second thread may
// call run() while a job is on, and so may a body, and then has its tasks done on its own thread;
// after fork() a pool of the parent's has no threads in the child and works there on the caller's
// alone. See docs/decisions/0006-thread-pool.md.
#pragma once

#include <sched.h>

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace pulsecast {

struct ThreadPoolOptions {
  std::size_t threads = 0;  // in all, the caller of run() included; 0: available_cpus()
  // Keeps the pool's own threads off the CPU that the caller of run() runs on. It makes jobs on few
  // cores quicker, and is for programs that have the machine to themselves.
  bool keep_workers_off_caller = false;
};

class ThreadPool {
 public:
  // Where the system has no more threads to give the pool works with those it got.
  explicit ThreadPool(const ThreadPoolOptions& options);
  explicit ThreadPool(std::size_t threads = 0) : ThreadPool(ThreadPoolOptions{threads, false}) {}
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Threads that there are, the caller's included, and that there were to be.
  std::size_t size() const { return crew_->threads.size() + 1; }
  std::size_t asked() const { return asked_; }

  // Calls body(task, worker) for every task in [0, tasks), worker in [0, size()), and returns when
  // all are done. Two calls of a job with the same worker never overlap. If bodies throw, the tasks
  // not yet begun are dropped and the exception of the lowest-numbered failed task is rethrown
  // here. Allocates nothing. While another job is on, this one is done by the calling thread alone,
  // as worker 0.
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

  // What is left of the current job, in one word, so that a worker who comes late can never take a
  // task of the next by mistake: the number of the job, and how many tasks nobody has taken.
  struct Left {
    std::uint32_t job;
    std::uint32_t tasks;
  };
  static std::uint64_t word_of(Left left) { return std::uint64_t{left.job} << 32 | left.tasks; }
  static Left left_of(std::uint64_t word) {
    return {static_cast<std::uint32_t>(word >> 32), static_cast<std::uint32_t>(word)};
  }

  void run_erased(std::size_t tasks, Job job);
  void run_together(std::size_t tasks, Job job);
  static void run_alone(std::size_t tasks, Job job);
  bool has_tasks() const { return left_of(left_.load()).tasks > 0; }
  void end_tasks(std::uint32_t count);
  void keep_workers_off_this_cpu();
  void work(std::size_t worker);
  void drain(std::size_t worker);
  // Whether this process is a child of the one that made the pool.
  bool is_forked() const;

  // What only the process that made it can take down: see the destructor.
  struct Crew {
    std::vector<std::thread> threads;
    std::mutex mutex;
    std::condition_variable wake;
    std::condition_variable done;
  };
  std::unique_ptr<Crew> crew_;
  std::size_t asked_;
  bool keep_workers_off_caller_;
  std::uint32_t forks_;  // that led to this process when the pool was made

  // Set to a job under the mutex, so that no wake-up is lost.
  std::atomic<std::uint64_t> left_{0};
  std::atomic<std::uint32_t> unfinished_{0};  // tasks of the current job
  std::atomic<bool> stop_{false};
  std::atomic<bool> is_busy_{false};  // a caller has the threads; the below are that caller's

  cpu_set_t allowed_cpus_{};  // of the thread that made the pool
  int caller_cpu_ = -1;       // that workers are kept off now

  // Of the current job; who has taken a task may read them, since the job does not end before it.
  Job job_{};
  std::uint32_t tasks_ = 0;
  std::exception_ptr failure_;
  std::size_t failed_task_ = 0;
};

}  // namespace pulsecast
