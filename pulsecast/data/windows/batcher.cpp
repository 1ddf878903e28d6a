#include "pulsecast/data/windows/batcher.h"

#include <algorithm>

#include "pulsecast/base/profile.h"

namespace pulsecast {

const Batch& Batcher::gather(std::span<const std::uint32_t> windows) {
  constexpr std::size_t kPart = 16;
  batch_.shape.samples = windows.size();
  const std::size_t parts = (windows.size() + kPart - 1) / kPart;
  if (parts == 1) {  // a window or a few: waking another thread would take longer
    const profile::Scope scope("gather batches");
    windows_.gather_calendars(windows, batch_);
    windows_.gather_values(windows, batch_);
    return batch_;
  }
  // Calendars are gathered into batch_ while others take their parts of these views.
  const Batch views = batch_;
  pool_.run(parts + 1, [&](std::size_t task, std::size_t) {
    const profile::Scope scope("gather batches");
    if (task == 0) {
      windows_.gather_calendars(windows, batch_);
      return;
    }
    const std::size_t first = (task - 1) * kPart;
    const std::size_t count = std::min(kPart, windows.size() - first);
    Batch part = part_of(views, first, count);
    windows_.gather_values(windows.subspan(first, count), part);
  });
  return batch_;
}

}  // namespace pulsecast
