// What every page of a report has: one file that stands alone, without script or network, legible
// on a phone, in light and dark.
#pragma once

#include <string>

namespace pulsecast::benchmark {

// From the doctype to the heading; `title` is plain text.
std::string page_head(const std::string& title);
// A table that may be wider than the page: it scrolls sideways, by touch and by keyboard, shows at
// its edge that it goes on, and says so where the page is narrow.
std::string wide_table(const std::string& label, const std::string& table);

std::string page_end();

// A chart of a page (svg_chart.h) as a file of its own, with the page's colours.
std::string picture_file(const std::string& svg);

}  // namespace pulsecast::benchmark
