#include "pulsecast/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "pulsecast/report/assets.h"
#include "pulsecast/report/escaped.h"

namespace pulsecast::report {
namespace {

// As assets/style.css has them, in pixels; digits, which most cells are made of.
constexpr double kCellPadding = 20.8;
constexpr double kCellCharacter = 7.9;
constexpr double kNoteCharacter = 6.2;

// About how wide a cell is: its longest line. What is in a tag's element is a line of its own.
double text_width(std::string_view html) {
  double widest = 0.0, line = 0.0;
  double character = kCellCharacter;
  bool is_tag = false;
  for (const char c : html) {
    if (c == '<') {
      character = line > 0.0 ? kNoteCharacter : character;
      widest = std::max(widest, line);
      line = 0.0;
      is_tag = true;
    } else if (c == '>') {
      is_tag = false;
    } else if (!is_tag && (static_cast<unsigned char>(c) & 0xC0) != 0x80) {
      line += character;
    }
  }
  return std::max(widest, line);
}

}  // namespace

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
  std::size_t column = 0;
  for (const auto& [html, span] : cells) {
    for (std::size_t i = 0; i < span; ++i) widen(column++, span == 1 ? html : "");
    // An empty corner is no heading of anything.
    if (html.empty()) {
      head_ += "<td></td>";
      continue;
    }
    head_ += span == 1 ? fmt::format("<th scope='col'{}>{}</th>",
                                     column <= words_ ? " class='word'" : "", html)
                       : fmt::format("<th scope='colgroup' colspan='{}'>{}</th>", span, html);
  }
  head_ += "</tr>\n";
}

void Table::row(const std::vector<std::string>& cells, std::string_view kind) {
  body_ += kind.empty() ? std::string("<tr>") : fmt::format("<tr class='{}'>", kind);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    widen(i, cells[i]);
    body_ += i == 0 ? fmt::format("<th scope='row'>{}</th>", cells[i])
                    : fmt::format("<td{}>{}</td>", i < words_ ? " class='word'" : "", cells[i]);
  }
  body_ += "</tr>\n";
}

void Table::widen(std::size_t column, std::string_view html) {
  if (column >= widths_.size()) widths_.resize(column + 1, 0.0);
  widths_[column] = std::max(widths_[column], kCellPadding + text_width(html));
}

std::string Table::html() const {
  constexpr std::size_t kFitsPhones = 3;
  constexpr double kFitsDesks = 1100.0;  // pixels, of 1176 that a wide screen has for it
  const bool is_wide = std::accumulate(widths_.begin(), widths_.end(), 0.0) > kFitsDesks;
  return fmt::format(
      "{0}<div class='wide' tabindex='0' role='region' aria-label='{1}'><table>"
      "<caption>{1}</caption>\n<thead>{2}</thead>\n<tbody>{3}</tbody></table></div>\n",
      widths_.size() > kFitsPhones || is_wide
          ? fmt::format("<p class='hint{}'>{} columns: move the table sideways to see them all</p>",
                        is_wide ? " desk" : "", widths_.size())
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
