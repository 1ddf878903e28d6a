#include "pulsecast/base/profile.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>

namespace pulsecast::profile {
namespace internal {
std::atomic<bool> is_on = false;
}

namespace {

using Entries = std::map<std::string_view, Entry>;

// What each thread has counted; owned here, because threads end before their counts are read.
struct Ledger {
  std::mutex mutex;
  std::vector<std::unique_ptr<Entries>> threads;
};

Ledger& ledger() {
  static Ledger* one = new Ledger;  // never destroyed: threads may outlive static objects
  return *one;
}

Entries& entries_of_thread() {
  thread_local Entries* own = [] {
    Ledger& all = ledger();
    const std::lock_guard lock(all.mutex);
    return all.threads.emplace_back(std::make_unique<Entries>()).get();
  }();
  return *own;
}

thread_local Scope* innermost = nullptr;

}  // namespace

void start() {
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  for (const auto& thread : all.threads) thread->clear();
  internal::is_on = true;
}

std::vector<Entry> stop() {
  internal::is_on = false;
  Ledger& all = ledger();
  const std::lock_guard lock(all.mutex);
  Entries sums;
  for (const auto& thread : all.threads) {
    for (const auto& [name, entry] : *thread) {
      Entry& sum = sums[name];
      sum.name = name;
      sum.seconds += entry.seconds;
      sum.flop += entry.flop;
      sum.calls += entry.calls;
    }
  }
  std::vector<Entry> sorted;
  for (const auto& [name, entry] : sums) sorted.push_back(entry);
  std::ranges::stable_sort(sorted, std::ranges::greater{}, &Entry::seconds);
  return sorted;
}

void Scope::begin(std::string_view name, double flop) {
  name_ = name;
  flop_ = flop;
  around_ = innermost;
  innermost = this;
  start_ = Clock::now();
}

void Scope::end() {
  const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
  innermost = around_;
  if (around_ != nullptr) around_->inside_ += seconds;
  Entry& entry = entries_of_thread()[name_];
  entry.seconds += seconds - inside_;
  entry.flop += flop_;
  ++entry.calls;
}

}  // namespace pulsecast::profile
