#include "pulsecast/paper/document.h"

#include <fmt/format.h>

#include "pulsecast/benchmark/report_text.h"
#include "pulsecast/report/escaped.h"
#include "pulsecast/report/page.h"

namespace pulsecast::paper {
namespace {

using report::escaped;

// Names of models are one word, which a phone would break.
constexpr const char* kStyle =
    "@media (max-width: 640px) { th[scope=row] { min-width: 6.5rem; } }\n";

class HtmlWriter {
 public:
  std::string write(const Document& document) && {
    text_ =
        report::page_head({.title = document.title, .lead = document.lead, .more_style = kStyle});
    text_ += "<ul class='headlines'>\n";
    for (const Headline& each : document.headlines) {
      text_ += fmt::format("<li><b>{}</b> <span>{}</span></li>\n", escaped(each.figure),
                           escaped(each.meaning));
    }
    text_ += "</ul>\n<nav aria-label='Sections'>\n";
    for (const Block& block : document.blocks) {
      const Heading* heading = std::get_if<Heading>(&block);
      if (heading == nullptr || heading->id.empty()) continue;
      text_ += fmt::format("<a href='#{}'>{}</a>\n", heading->id, escaped(heading->text));
    }
    text_ += "</nav>\n";
    for (const Block& block : document.blocks) std::visit(*this, block);
    return text_ + report::page_end(document.made_by);
  }

  void operator()(const Heading& heading) {
    text_ += heading.id.empty()
                 ? fmt::format("<h3>{}</h3>\n", escaped(heading.text))
                 : fmt::format("<h2 id='{}'>{}</h2>\n", heading.id, escaped(heading.text));
  }
  void operator()(const Paragraph& paragraph) {
    text_ += fmt::format("<p>{}</p>\n", escaped(paragraph.text));
  }
  void operator()(const Table& table) {
    report::Table html(table.caption);
    html.words(table.words);
    if (!table.above.empty()) html.heading(table.above);
    std::vector<std::pair<std::string, std::size_t>> heading;
    for (const std::string& name : table.heading) heading.emplace_back(escaped(name), 1);
    html.heading(heading);
    for (const auto& row : table.rows) {
      std::vector<std::string> cells;
      cells.reserve(row.size());
      for (const TableCell& cell : row) {
        cells.push_back(escaped(cell.text) +
                        (cell.note.empty()
                             ? ""
                             : fmt::format("<span class='spread'>{}</span>", escaped(cell.note))));
      }
      html.row(cells);
    }
    text_ += html.html();
  }
  void operator()(const Pictures& pictures) {
    text_ += "<div class='charts'>\n";
    for (const report::Drawing& drawing : pictures.drawings) text_ += report::to_svg(drawing);
    text_ += "</div>\n";
  }

 private:
  std::string text_;
};

class MarkdownWriter {
 public:
  std::string write(const Document& document) && {
    text_ = fmt::format("# {}\n\n{}\n\n", document.title, document.lead);
    for (const Headline& each : document.headlines) {
      text_ += fmt::format("- **{}**: {}\n", each.figure, each.meaning);
    }
    for (const Block& block : document.blocks) std::visit(*this, block);
    return text_;
  }

  void operator()(const Heading& heading) {
    text_ += fmt::format("\n{} {}\n\n", heading.id.empty() ? "###" : "##", heading.text);
  }
  void operator()(const Paragraph& paragraph) { text_ += paragraph.text + "\n\n"; }
  void operator()(const Table& table) {
    text_ += table.caption + ":\n\n|";
    for (const std::string& name : joined_heading(table)) {
      text_ += fmt::format(" {} |", benchmark::markdown_cell(name));
    }
    text_ += "\n" + benchmark::markdown_rule(table.heading.size());
    for (const auto& row : table.rows) {
      text_ += "|";
      for (const TableCell& cell : row) {
        const std::string note = cell.note.empty() ? "" : fmt::format(" ({})", cell.note);
        text_ += fmt::format(" {} |", benchmark::markdown_cell(cell.text + note));
      }
      text_ += "\n";
    }
    text_ += "\n";
  }
  void operator()(const Pictures& pictures) {
    for (const report::Drawing& drawing : pictures.drawings) {
      text_ += fmt::format("- on the page: {}\n", drawing.title);
    }
    text_ += "\n";
  }

 private:
  // Markdown has one line of headings.
  static std::vector<std::string> joined_heading(const Table& table) {
    std::vector<std::string> names;
    std::size_t column = 0;
    for (const auto& [above, span] : table.above) {
      for (std::size_t i = 0; i < span; ++i, ++column) {
        const std::string& own = table.heading[column];
        names.push_back(above.empty() || own.empty() ? above + own
                                                     : fmt::format("{} {}", above, own));
      }
    }
    for (; column < table.heading.size(); ++column) names.push_back(table.heading[column]);
    return names;
  }

  std::string text_;
};

}  // namespace

std::string to_html(const Document& document) { return HtmlWriter().write(document); }
std::string to_markdown(const Document& document) { return MarkdownWriter().write(document); }

}  // namespace pulsecast::paper
