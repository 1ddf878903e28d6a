// The cells of delimited text, one after another.
//
// A cell whose first character that is no blank is a quote runs to the closing quote; two quotes in
// it stand for one, and it may hold separators and line ends. A quote anywhere else is a character
// like any other. With the separator ' ' a run of blanks is one separator, as in columns of numbers
// that a program printed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pulsecast {

class CellCursor {
 public:
  // `text` ends with '\n'.
  CellCursor(std::string_view text, char separator)
      : at_(text.data()), end_(text.data() + text.size()), separator_(separator) {}

  bool at_end() const { return at_ == end_; }
  const char* at() const { return at_; }
  const char* end() const { return end_; }

  // Whether the record that starts here is a blank line; if so, it is stepped over.
  bool skip_blank_line();

  // The next cell, without its quotes; the view holds until the next call. Blanks around it are
  // left on. Steps over the separator or line end after it.
  std::string_view next();
  // Whether the cell that next() gave was the last of its record.
  bool was_last() const { return was_last_; }

  // For a reader that has parsed a cell without quotes by itself up to `at`: steps over the
  // separator or line end there and says true; false, and nothing done, when neither is there.
  bool step_over(const char* at) {
    if (*at == separator_ && separator_ != ' ') {
      at_ = at + 1;
      was_last_ = false;
      return true;
    }
    if (*at == '\r' && at + 1 < end_ && at[1] == '\n') ++at;
    if (*at != '\n') return false;
    at_ = at + 1;
    was_last_ = true;
    ++lines_;
    return true;
  }

  // Line ends passed so far, those inside quotes counted.
  std::size_t lines() const { return lines_; }

 private:
  std::string_view take_plain(const char* from);
  std::string_view take_quoted(const char* from);
  void step_over_blanks();

  const char* at_;
  const char* end_;
  char separator_;
  bool was_last_ = false;
  std::size_t lines_ = 0;
  std::string unquoted_;
};

// Where the last whole record of `text` ends, 0 when none does. A record ends at a line end that is
// in no quotes; `is_quote_open` says whether the text ends inside quotes.
std::size_t end_of_records(std::string_view text, char separator, bool& is_quote_open);

}  // namespace pulsecast
