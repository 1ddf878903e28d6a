// How the caller of a long call hears of it and ends it: progress, remarks and cancelling.
//
// Everything may be left out. All three are called on the thread that made the call, between pieces
// of its work, never from a worker; a callback that throws ends the call.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pulsecast {

struct Progress {
  std::string_view
      stage;  // "reading", "training", "validation", "evaluation", "forecasting", "search"
  // Bytes of "reading", steps of "training", seconds or steps of "search", windows of the others.
  std::uint64_t done = 0;
  std::uint64_t total = 0;  // 0: not known
};

struct Watch {
  std::function<void(const Progress&)> on_progress = {};
  std::function<void(const std::string&)> on_remark = {};
  // True ends the call with Error(kInterrupted) at the next piece of work.
  std::function<bool()> is_cancelled = {};
  // True asks a training to end with the best that it has so far.
  std::function<bool()> is_asked_to_finish = {};

  bool is_stopped() const { return is_cancelled && is_cancelled(); }
  bool is_enough() const { return is_asked_to_finish && is_asked_to_finish(); }
  // Throws Error(kInterrupted) that names the stage, when cancelled.
  void check(std::string_view stage) const;
  // Tells of a piece that is done, and checks.
  void advance(std::string_view stage, std::uint64_t done, std::uint64_t total) const;
  void remark(const std::string& text) const {
    if (on_remark) on_remark(text);
  }
};

}  // namespace pulsecast
