// A text with tables and pictures, before it is decided what it is written as: one page that stands
// alone, or Markdown, which has no pictures.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "pulsecast/report/drawing.h"

namespace pulsecast::paper {

struct Heading {
  std::string text;
  std::string id = {};  // of a section, which the page's list of sections leads to; "" below one
};

struct Paragraph {
  std::string text;
};

struct TableCell {
  std::string text;
  std::string note = {};  // small, below it
};

struct Table {
  std::string caption;
  std::size_t words = 1;                                        // leading columns that are words
  std::vector<std::pair<std::string, std::size_t>> above = {};  // headings over several columns
  std::vector<std::string> heading = {};
  std::vector<std::vector<TableCell>> rows = {};
};

// Beside each other where there is room.
struct Pictures {
  std::vector<report::Drawing> drawings;
};

struct Headline {
  std::string figure;
  std::string meaning;
};

using Block = std::variant<Heading, Paragraph, Table, Pictures>;

struct Document {
  std::string title;
  std::string lead;
  std::vector<Headline> headlines = {};
  std::vector<Block> blocks = {};
  std::string made_by = {};
};

std::string to_html(const Document& document);
std::string to_markdown(const Document& document);

}  // namespace pulsecast::paper
