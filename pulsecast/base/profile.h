// Where the time of a run goes: seconds and arithmetic by operation, summed over threads.
//
// Operations open a Scope. While nobody profiles it costs one load of a flag that never changes.
// Scopes may nest: an operation's own seconds are those that no scope inside it has taken.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pulsecast::profile {

struct Entry {
  std::string_view name;
  double seconds = 0.0;     // over all threads
  double flop = 0.0;        // multiplications and additions, where they are counted
  std::uint64_t calls = 0;  // of the operation
};

// Begins to count, from nothing. Not while operations run.
void start();
// Ends it. The entries, those that took longest first.
std::vector<Entry> stop();

namespace internal {
extern std::atomic<bool> is_on;
}

class Scope {
 public:
  // `name` is a literal: it outlives the profile.
  explicit Scope(std::string_view name, double flop = 0.0) {
    if (internal::is_on.load(std::memory_order_relaxed)) begin(name, flop);
  }
  ~Scope() {
    if (!name_.empty()) end();
  }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  void begin(std::string_view name, double flop);
  void end();

  std::string_view name_;
  double flop_ = 0.0;
  double inside_ = 0.0;  // seconds that scopes inside have taken
  Clock::time_point start_;
  Scope* around_ = nullptr;
};

}  // namespace pulsecast::profile
