#include "pulsecast/base/watch.h"

#include "pulsecast/base/error.h"

namespace pulsecast {

void Watch::check(std::string_view stage) const {
  if (is_stopped()) throw Error(ErrorKind::kInterrupted, "stopped", std::string(stage));
}

void Watch::advance(std::string_view stage, std::uint64_t done, std::uint64_t total) const {
  if (on_progress) on_progress({stage, done, total});
  check(stage);
}

}  // namespace pulsecast
