#include "pulsecast/data/readers/cell_cursor.h"

#include <algorithm>
#include <cstring>

namespace pulsecast {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

}  // namespace

bool CellCursor::skip_blank_line() {
  const char* at = at_;
  while (at < end_ && is_blank(*at) && *at != separator_) ++at;
  if (separator_ == ' ') {
    while (at < end_ && is_blank(*at)) ++at;
  }
  if (at < end_ && *at == '\r') ++at;
  if (at == end_ || *at != '\n') return false;
  at_ = at + 1;
  ++lines_;
  return true;
}

std::string_view CellCursor::next() {
  if (separator_ == ' ') step_over_blanks();
  const char* first = at_;
  while (first < end_ && is_blank(*first) && *first != separator_) ++first;
  return first < end_ && *first == '"' ? take_quoted(first) : take_plain(at_);
}

std::string_view CellCursor::take_plain(const char* from) {
  const char* at = from;
  if (separator_ == ' ') {
    const auto is_line_end = [&] {
      return *at == '\n' || (*at == '\r' && at + 1 < end_ && at[1] == '\n');
    };
    while (at < end_ && !is_blank(*at) && !is_line_end()) ++at;
    const std::string_view cell(from, static_cast<std::size_t>(at - from));
    at_ = at;
    step_over_blanks();
    if (at_ + 1 < end_ && at_[0] == '\r' && at_[1] == '\n') ++at_;
    was_last_ = at_ == end_ || *at_ == '\n';
    if (was_last_) {
      ++lines_;
      at_ = std::min(at_ + 1, end_);
    }
    return cell;
  }
  while (at < end_ && *at != separator_ && *at != '\n') ++at;
  was_last_ = at == end_ || *at == '\n';
  if (was_last_) ++lines_;
  at_ = std::min(at + 1, end_);
  if (was_last_ && at > from && at[-1] == '\r') --at;
  return {from, static_cast<std::size_t>(at - from)};
}

std::string_view CellCursor::take_quoted(const char* from) {
  unquoted_.clear();
  const char* at = from + 1;
  for (;; ++at) {
    const auto* quote =
        static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end_ - at)));
    // A quote that nothing closes: the rest of the text is the cell.
    const char* stop = quote == nullptr ? end_ : quote;
    lines_ += static_cast<std::size_t>(std::count(at, stop, '\n'));
    unquoted_.append(at, stop);
    at = stop;
    if (quote == nullptr) {
      at_ = end_;
      was_last_ = true;
      return unquoted_;
    }
    ++at;
    if (at == end_ || *at != '"') break;
    unquoted_ += '"';
  }
  // What follows the closing quote belongs to the cell too: "5"x is no five.
  unquoted_ += take_plain(at);
  return unquoted_;
}

void CellCursor::step_over_blanks() {
  while (at_ < end_ && is_blank(*at_)) ++at_;
}

std::size_t end_of_records(std::string_view text, char separator, bool& is_quote_open) {
  is_quote_open = false;
  if (text.find('"') == std::string_view::npos) {
    const std::size_t last = text.rfind('\n');
    return last == std::string_view::npos ? 0 : last + 1;
  }
  std::size_t end = 0;
  bool is_cell_start = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (is_quote_open) {
      if (c != '"') continue;
      if (at + 1 < text.size() && text[at + 1] == '"') {
        ++at;
      } else {
        is_quote_open = false;
        is_cell_start = false;
      }
    } else if (c == '\n') {
      end = at + 1;
      is_cell_start = true;
    } else if (c == separator || (separator == ' ' && is_blank(c))) {
      is_cell_start = true;
    } else if (c == '"' && is_cell_start) {
      is_quote_open = true;
    } else if (!is_blank(c)) {
      is_cell_start = false;
    }
  }
  return end;
}

}  // namespace pulsecast
