#include "pulsecast/report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "pulsecast/report/assets.h"
#include "pulsecast/report/escaped.h"

namespace pulsecast::report {

std::string page_head(const PageHead& head) {
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'{0}\">\n"
      "<title>{1}</title>\n<style>\n{2}{3}{4}</style>\n</head>\n<body>\n<main>\n"
      "<header><h1>{1}</h1>\n{5}</header>\n",
      head.has_script ? "; script-src 'unsafe-inline'" : "", escaped(head.title), kChartStyle,
      kStyle, head.more_style,
      head.lead.empty() ? "" : fmt::format("<p class='lead'>{}</p>\n", escaped(head.lead)));
}

std::string page_end(std::string_view made_by) {
  return fmt::format("<footer><p>{}</p></footer>\n</main>\n</body>\n</html>\n", escaped(made_by));
}

void Table::heading(const std::vector<std::pair<std::string, std::size_t>>& cells) {
  head_ += "<tr>";
  std::size_t columns = 0;
  for (const auto& [html, span] : cells) {
    columns += span;
    // An empty corner is no heading of anything.
    if (html.empty()) {
      head_ += "<td></td>";
      continue;
    }
    head_ += span == 1 ? fmt::format("<th scope='col'>{}</th>", html)
                       : fmt::format("<th scope='colgroup' colspan='{}'>{}</th>", span, html);
  }
  head_ += "</tr>\n";
  columns_ = std::max(columns_, columns);
}

void Table::row(const std::vector<std::string>& cells, std::string_view kind) {
  body_ += kind.empty() ? std::string("<tr>") : fmt::format("<tr class='{}'>", kind);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    body_ += i == 0 ? fmt::format("<th scope='row'>{}</th>", cells[i])
                    : fmt::format("<td{}>{}</td>", i < words_ ? " class='word'" : "", cells[i]);
  }
  body_ += "</tr>\n";
  columns_ = std::max(columns_, cells.size());
}

std::string Table::html() const {
  constexpr std::size_t kFitsPhones = 3;
  constexpr std::size_t kFitsDesks = 12;
  return fmt::format(
      "{0}<div class='wide' tabindex='0' role='region' aria-label='{1}'><table>"
      "<caption>{1}</caption>\n<thead>{2}</thead>\n<tbody>{3}</tbody></table></div>\n",
      columns_ > kFitsPhones
          ? fmt::format("<p class='hint{}'>{} columns: move the table sideways to see them all</p>",
                        columns_ > kFitsDesks ? " desk" : "", columns_)
          : "",
      escaped(caption_), head_, body_);
}

std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts) {
  std::string text = "<dl class='facts'>\n";
  for (const auto& [name, value] : facts) {
    text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
  }
  return text + "</dl>\n";
}

}  // namespace pulsecast::report
