// What every page has: one file that stands alone and asks no network for anything, legible on a
// phone and on paper, in light and dark.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pulsecast::report {

struct PageHead {
  std::string title;            // plain text, as all texts below
  std::string lead = {};        // a sentence or two below it
  std::string more_style = {};  // CSS beside that of every page
  bool has_script = false;      // scripts inside the page may run; never others
};

// From the doctype to the heading.
std::string page_head(const PageHead& head);
// A line of where it comes from ("pulsecast 0.1.0"), and the end.
std::string page_end(std::string_view made_by);

// A table that is scrolled sideways where it does not fit, its first column standing still. Cells
// are HTML.
class Table {
 public:
  // `caption` is plain text: what it shows, for those who hear it.
  explicit Table(std::string caption) : caption_(std::move(caption)) {}

  // A row of the heading; a cell is its HTML and the columns that it spans.
  void heading(const std::vector<std::pair<std::string, std::size_t>>& cells);
  // `kind` is a class of the row, or "".
  void row(const std::vector<std::string>& cells, std::string_view kind = "");
  // How many leading columns are words, which stand to the left.
  Table& words(std::size_t columns) {
    words_ = columns;
    return *this;
  }
  std::string html() const;

 private:
  void widen(std::size_t column, std::string_view html);

  std::string caption_;
  std::string head_;
  std::string body_;
  std::size_t words_ = 1;
  std::vector<double> widths_;  // of columns, about, in pixels
};

// Names and what they are, one below the other.
std::string facts_html(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace pulsecast::report
