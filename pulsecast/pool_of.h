// The pool behind Threads, or one of the calling thread alone. Inside the face.
#pragma once

#include <optional>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/threads.h"

namespace pulsecast {

class PoolOf {
 public:
  explicit PoolOf(Threads threads) : threads_(std::move(threads)) {
    if (threads_.pool() == nullptr) alone_.emplace(1);
  }
  ThreadPool& pool() { return alone_ ? *alone_ : *threads_.pool(); }

 private:
  Threads threads_;
  std::optional<ThreadPool> alone_;
};

}  // namespace pulsecast
