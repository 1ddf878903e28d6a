// A grid of dots that becomes lines of text.
//
// In braille a character holds two by four dots (U+2800 and on: a bit a dot), which is the finest
// grid text has; in ASCII a dot is a character. A character has one colour, that of the last dot
// set in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pulsecast::cli {

enum class Dots { kBraille, kAscii };

// Dots of one character.
constexpr std::size_t dots_across(Dots dots) { return dots == Dots::kBraille ? 2 : 1; }
constexpr std::size_t dots_down(Dots dots) { return dots == Dots::kBraille ? 4 : 1; }

enum class Ink : std::uint8_t { kDefault, kRed, kGreen, kYellow, kBlue, kMagenta, kCyan, kGrey };

// `text` in that colour, for a terminal.
std::string coloured(const std::string& text, Ink ink);

class Canvas {
 public:
  // Size in characters.
  Canvas(std::size_t columns, std::size_t rows, Dots dots);

  // In dots.
  std::size_t width() const { return columns_ * dots_across(dots_); }
  std::size_t height() const { return rows_ * dots_down(dots_); }

  // x from the left and y from the top, inside the canvas. `mark` is what ASCII shows.
  void set(std::size_t x, std::size_t y, Ink ink, char mark);

  // A row of characters without the blank end of it; with `colour` also escape sequences.
  std::string row(std::size_t index, bool colour) const;

 private:
  struct Cell {
    unsigned dots = 0;  // braille: a bit a dot. ASCII: the mark.
    Ink ink = Ink::kDefault;
  };

  std::string character(const Cell& cell) const;

  std::size_t columns_;
  std::size_t rows_;
  Dots dots_;
  std::vector<Cell> cells_;  // (rows, columns)
};

}  // namespace pulsecast::cli
