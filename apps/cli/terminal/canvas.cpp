#include "apps/cli/terminal/canvas.h"

#include <array>
#include <cassert>

namespace pulsecast::cli {
namespace {

// Unicode numbers the dots of the older six-dot cell first, then the fourth row.
constexpr unsigned kBrailleBits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

// Select Graphic Rendition codes, in the order of Ink.
constexpr std::array kCodes = {"39", "31", "32", "33", "34", "35", "36", "90"};

}  // namespace

std::string coloured(const std::string& text, Ink ink) {
  if (ink == Ink::kDefault) return text;
  return std::string("\x1b[") + kCodes[static_cast<std::size_t>(ink)] + "m" + text + "\x1b[0m";
}

Canvas::Canvas(std::size_t columns, std::size_t rows, Dots dots)
    : columns_(columns), rows_(rows), dots_(dots), cells_(columns * rows) {}

void Canvas::set(std::size_t x, std::size_t y, Ink ink, char mark) {
  assert(x < width() && y < height());
  Cell& cell = cells_[y / dots_down(dots_) * columns_ + x / dots_across(dots_)];
  cell.ink = ink;
  if (dots_ == Dots::kBraille) {
    cell.dots |= kBrailleBits[y % 4][x % 2];
  } else {
    cell.dots = static_cast<unsigned char>(mark);
  }
}

std::string Canvas::character(const Cell& cell) const {
  // The empty braille character is wider than a space in some fonts.
  if (cell.dots == 0) return " ";
  if (dots_ == Dots::kAscii) return {static_cast<char>(cell.dots)};
  return {'\xe2', static_cast<char>(0xa0 + (cell.dots >> 6)),
          static_cast<char>(0x80 + (cell.dots & 0x3f))};
}

std::string Canvas::row(std::size_t index, bool colour) const {
  const Cell* cells = cells_.data() + index * columns_;
  std::size_t end = columns_;
  while (end > 0 && cells[end - 1].dots == 0) --end;
  std::string text;
  for (std::size_t first = 0; first < end;) {
    std::string run;
    const Ink ink = cells[first].ink;
    for (; first < end && cells[first].ink == ink; ++first) run += character(cells[first]);
    text += colour ? coloured(run, ink) : run;
  }
  return text;
}

}  // namespace pulsecast::cli
