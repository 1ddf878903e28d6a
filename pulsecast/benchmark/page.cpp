#include "pulsecast/benchmark/page.h"

#include <fmt/format.h>

#include "pulsecast/benchmark/svg_chart.h"

namespace pulsecast::benchmark {
namespace {

constexpr const char* kColours =
    R"(:root { --ink: #1a1a1a; --paper: #fff; --faint: #d8d8d8; --soft: #666; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e6e6; --paper: #16181b; --faint: #3a3d42; --soft: #9a9a9a; }
}
)";

constexpr const char* kPageStyle =
    R"(body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
       margin: 0 auto; max-width: 110rem; padding: 1rem; }
p, ul { max-width: 72rem; }
.wide { overflow-x: auto; max-width: 100%;
  background: linear-gradient(to right, var(--paper) 30%, transparent) 0 0 / 3rem 100% local,
    linear-gradient(to left, var(--paper) 30%, transparent) 100% 0 / 3rem 100% local,
    linear-gradient(to right, var(--soft), transparent) 0 0 / 0.6rem 100% scroll,
    linear-gradient(to left, var(--soft), transparent) 100% 0 / 0.6rem 100% scroll;
  background-repeat: no-repeat; }
.wide:focus-visible { outline: 2px solid var(--ink); }
.hint { display: none; color: var(--soft); font-size: 0.85rem; margin: 0 0 0.25rem; }
@media (max-width: 60rem) { .hint { display: block; } }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dd { margin: 0; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-size: 0.9rem; white-space: nowrap; }
th, td { padding: 0.25rem 0.6rem; text-align: right; border-bottom: 1px solid var(--faint); }
th:first-child, td:first-child { text-align: left; }
th[colspan] { text-align: center; }
tr.mean td { border-bottom: 2px solid var(--soft); }
.spread { color: var(--soft); font-size: 0.8em; display: block; line-height: 1.1; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); }
svg { width: 100%; max-width: 40rem; height: auto; }
)";

constexpr const char* kChartStyle =
    R"(svg text { font: 14px system-ui, sans-serif; fill: var(--ink); }
svg .title { font-weight: 600; }
svg .grid { stroke: var(--faint); stroke-width: 1; }
svg polyline { fill: none; stroke: currentColor; stroke-width: 2; }
svg circle, svg .mark { fill: currentColor; }
.truth { color: var(--soft); }
.series-0 { color: #0072b2; } .series-1 { color: #d55e00; } .series-2 { color: #009e73; }
.series-3 { color: #cc79a7; } .series-4 { color: #e69f00; } .series-5 { color: #56b4e9; }
.series-6 { color: #8c6d31; }
)";

}  // namespace

std::string page_head(const std::string& title) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>\n{1}{2}{3}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escaped(title), kColours, kPageStyle, kChartStyle);
}

std::string picture_file(const std::string& svg) {
  const std::size_t inside = svg.find('>') + 1;
  return fmt::format("<svg xmlns='http://www.w3.org/2000/svg'{}<style>\n{}{}</style>{}",
                     svg.substr(4, inside - 4), kColours, kChartStyle, svg.substr(inside));
}

std::string wide_table(const std::string& label, const std::string& table) {
  return fmt::format(
      "<p class='hint'>A table that is wider than the page scrolls sideways.</p>\n"
      "<div class='wide' tabindex='0' role='region' aria-label='{}'><table>{}</table></div>\n",
      escaped(label), table);
}

std::string page_end() { return "</body>\n</html>\n"; }

}  // namespace pulsecast::benchmark
