// Threads for calls of the library: none but the caller's own, or a pool that calls share.
//
//   const Threads threads(4);                          // started once
//   fit("load.csv", settings, {.threads = threads});
//   Session session(model, threads);                   // the same four
//
// Copies share one pool. A call that finds the pool at work for another runs on its own thread: no
// result depends on the number of threads, and no call waits for a thread or starts one.
#pragma once

#include <cstddef>
#include <memory>

namespace pulsecast {

class ThreadPool;

class Threads {
 public:
  // The calling thread alone.
  Threads() = default;
  // That many, the calling thread included; 0 is one per CPU that the process may use, by its
  // affinity and the quota of its control group. Where the system refuses to start so many, those
  // that it did start.
  explicit Threads(std::size_t count);
  // The pool of somebody else, who keeps it.
  explicit Threads(std::shared_ptr<ThreadPool> pool) : pool_(std::move(pool)) {}

  std::size_t count() const;
  // Null: the calling thread alone.
  ThreadPool* pool() const { return pool_.get(); }

 private:
  std::shared_ptr<ThreadPool> pool_;
};

}  // namespace pulsecast
