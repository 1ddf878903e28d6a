// Threads, and callbacks of long calls.
#include "bindings/c/call.h"
#include "bindings/c/handles.h"

using namespace pulsecast;

namespace pulsecast::c {

Threads threads_of(const pulsecast_threads* threads) {
  return threads == nullptr ? Threads() : threads->threads;
}

Watch watch_of(const pulsecast_watch* given_watch) {
  const auto own = options_of(given_watch, "watch");
  Watch watch;
  if (own.on_progress != nullptr) {
    watch.on_progress = [own](const Progress& made) {
      own.on_progress(own.context, std::string(made.stage).c_str(), made.done, made.total);
    };
  }
  if (own.on_remark != nullptr) {
    watch.on_remark = [own](const std::string& text) { own.on_remark(own.context, text.c_str()); };
  }
  if (own.is_cancelled != nullptr) {
    watch.is_cancelled = [own] { return own.is_cancelled(own.context) != 0; };
  }
  if (own.is_asked_to_finish != nullptr) {
    watch.is_asked_to_finish = [own] { return own.is_asked_to_finish(own.context) != 0; };
  }
  return watch;
}

}  // namespace pulsecast::c

pulsecast_status pulsecast_threads_new(size_t count, pulsecast_threads** threads,
                                       pulsecast_error** error) {
  return c::call(error, [&] {
    auto*& out = c::result(threads, "threads");
    out = new pulsecast_threads{Threads(count)};
  });
}

size_t pulsecast_threads_count(const pulsecast_threads* threads) {
  return threads == nullptr ? 1 : threads->threads.count();
}

void pulsecast_threads_free(pulsecast_threads* threads) { delete threads; }
