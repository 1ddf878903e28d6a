// Calls of the operating system that a signal may cut short.
#pragma once

#include <cerrno>

namespace pulsecast {

// Calls again while a signal interrupted it: retried([&] { return ::fsync(file); }). Not for
// close(), which has let go of the descriptor even when it says EINTR.
template <typename Call>
auto retried(Call call) {
  while (true) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

}  // namespace pulsecast
