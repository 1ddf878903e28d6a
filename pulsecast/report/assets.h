// The files that pages are made of, put into the library by the build (cmake/Embed.cmake).
#pragma once

#include <string_view>

namespace pulsecast::report {

extern const std::string_view kStyle;        // assets/style.css, of every page
extern const std::string_view kChartStyle;   // assets/chart.css, of drawings, also those in files
extern const std::string_view kPageScript;   // assets/page.js
extern const std::string_view kUplotScript;  // third_party/uplot
extern const std::string_view kUplotStyle;
extern const std::string_view kUplotLicense;

}  // namespace pulsecast::report
