// What training would make of a table, without training: series and windows of them, or the reason
// why not.
#pragma once

#include <optional>

#include "pulsecast/base/error.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/repair/repair.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast::train {

struct Rehearsal {
  std::optional<Repaired> repaired;
  std::size_t training_windows = 0;
  std::size_t validation_windows = 0;
  std::optional<Error> refusal;  // nothing: ready
};

// With these settings and the defaults of all others. Throws what is not about the rows.
Rehearsal rehearse(Table table, const DataSettings& settings, ThreadPool& threads);

}  // namespace pulsecast::train
