// A drawing as PNG, by way of cairo.
//
// Cairo is not linked: it is looked for when the first picture is asked for, so that a program that
// draws none starts without it and needs none (docs/decisions/0045-pictures.md).
#pragma once

#include <string>

#include "pulsecast/report/drawing.h"

namespace pulsecast::report {

// The bytes of a file, `scale` pixels a unit. Throws Error(kInputOutput) where the system has no
// cairo, with what to install.
std::string to_png(const Drawing& drawing, double scale = 2.0);

}  // namespace pulsecast::report
