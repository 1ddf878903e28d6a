#include "pulsecast/threads.h"

#include "pulsecast/base/thread_pool.h"

namespace pulsecast {

Threads::Threads(std::size_t count) : pool_(std::make_shared<ThreadPool>(count)) {}

std::size_t Threads::count() const { return pool_ ? pool_->size() : 1; }

}  // namespace pulsecast
