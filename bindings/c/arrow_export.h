// Forecasts out through the Arrow C stream interface: one record batch over the table's own memory.
#pragma once

#include <memory>

#include "bindings/c/forecast_table.h"
#include "bindings/c/pulsecast/c/pulsecast.h"

namespace pulsecast::c {

// `flags` of pulsecast_arrow_flags. The stream, and each part of what comes out of it, keeps what
// it needs alive.
void export_arrow(std::shared_ptr<const ForecastTable> table, int flags, ArrowArrayStream& stream);

}  // namespace pulsecast::c
