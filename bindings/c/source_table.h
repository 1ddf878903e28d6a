// From where rows are to a Table.
#pragma once

#include "bindings/c/pulsecast/c/pulsecast.h"
#include "pulsecast/base/thread_pool.h"
#include "pulsecast/base/watch.h"
#include "pulsecast/data/table/table.h"
#include "pulsecast/settings/data_settings.h"

namespace pulsecast::c {

Table table_of(const pulsecast_source& source, const DataSettings& settings, ThreadPool& threads,
               const Watch& watch);

}  // namespace pulsecast::c
