#include "apps/cli/terminal/markdown_text.h"

#include <algorithm>
#include <vector>

#include "apps/cli/terminal/plain_text.h"

namespace pulsecast::cli {
namespace {

using Row = std::vector<std::string>;

// Without bold, code, links, pictures and tags.
std::string without_marks(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with("**")) {
      ++i;
    } else if (rest.starts_with("<br>")) {
      plain += ' ';
      i += 3;
    } else if (const std::size_t end = rest.find('>');
               rest.size() > 1 && rest[0] == '<' && end != std::string_view::npos &&
               (rest[1] == '/' || (rest[1] >= 'a' && rest[1] <= 'z'))) {
      i += end;
    } else if (rest.starts_with("\\|")) {
      plain += '|';
      ++i;
    } else if (rest[0] != '`') {
      plain += rest[0];
    }
  }
  return plain;
}

Row cells_of(std::string_view line) {
  Row cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '|' && line[i - 1] != '\\') {
      const std::size_t first = cell.find_first_not_of(' ');
      const std::size_t last = cell.find_last_not_of(' ');
      cells.push_back(first == std::string::npos
                          ? ""
                          : without_marks(std::string_view(cell).substr(first, last - first + 1)));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

bool is_rule(std::string_view line) {
  return line.find_first_not_of("|-: ") == std::string_view::npos;
}

bool is_number(std::string_view cell) {
  return cell.find_first_of("0123456789") != std::string_view::npos &&
         cell.find_first_not_of("0123456789.+-% x±e*") == std::string_view::npos;
}

// Numbers stand to the right, as does what heads them.
std::string table_text(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  std::vector<bool> is_right;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    widths.resize(std::max(widths.size(), rows[r].size()));
    is_right.resize(widths.size(), true);
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      widths[c] = std::max(widths[c], text_width(rows[r][c]));
      if (r > 0 && !rows[r][c].empty() && !is_number(rows[r][c])) is_right[c] = false;
    }
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string blanks(widths[c] - text_width(row[c]), ' ');
      line += " " + (is_right[c] ? blanks + row[c] : row[c] + blanks) + " ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

}  // namespace

std::string markdown_text(std::string_view markdown) {
  std::string text;
  std::vector<Row> table;
  const auto end_table = [&] {
    if (!table.empty()) text += table_text(table);
    table.clear();
  };
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with('|')) {
      if (!is_rule(line)) table.push_back(cells_of(line));
      continue;
    }
    end_table();
    if (line.starts_with("![")) continue;
    while (line.starts_with('#')) line.remove_prefix(1);
    while (line.starts_with(' ')) line.remove_prefix(1);
    text += without_marks(line) + "\n";
  }
  end_table();
  return text;
}

}  // namespace pulsecast::cli
