// Text for inside an element or an attribute of HTML or SVG.
#pragma once

#include <string>
#include <string_view>

namespace pulsecast::report {

std::string escaped(std::string_view text);

}  // namespace pulsecast::report
