#include "apps/cli/terminal/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "apps/cli/terminal/plain_text.h"
#include "apps/cli/terminal/ticks.h"

namespace pulsecast::cli {
namespace {

constexpr std::size_t kLeastWidth = 20;
constexpr std::size_t kLeastHeight = 6;
constexpr std::size_t kRowsATick = 2;
constexpr std::size_t kBetweenLabels = 2;
// Legend, axis and labels.
constexpr std::size_t kRowsAround = 3;

// What the frame is made of.
struct Frame {
  const char* side;
  const char* y_tick;
  const char* corner;
  const char* bottom;
  const char* x_tick;
};
constexpr Frame kUnicodeFrame = {"│", "┤", "└", "─", "┬"};
constexpr Frame kAsciiFrame = {"|", "+", "+", "-", "+"};

const char* legend_sample(const ChartLine& line, Dots dots) {
  if (dots == Dots::kAscii) return nullptr;
  switch (line.pattern) {
    case Pattern::kSolid:
      return "⠒⠒⠒";
    case Pattern::kDashed:
      return "⠒⠀⠒";
    case Pattern::kDotted:
      return "⠂⠂⠂";
  }
  return nullptr;
}

bool is_drawn(Pattern pattern, std::size_t dot) {
  switch (pattern) {
    case Pattern::kSolid:
      return true;
    case Pattern::kDashed:
      return dot % 8 < 5;
    case Pattern::kDotted:
      return dot % 2 == 0;
  }
  return true;
}

std::optional<Range> value_range(std::span<const ChartLine> lines) {
  std::optional<Range> range;
  for (const ChartLine& line : lines) {
    for (const double value : line.values) {
      if (!std::isfinite(value)) continue;
      if (!range) range = Range{value, value};
      range->low = std::min(range->low, value);
      range->high = std::max(range->high, value);
    }
  }
  if (range) range = range_of(range->low, range->high);
  return range;
}

// The place of `share` (0 to 1) among `count` places.
std::size_t place(double share, std::size_t count) {
  const double last = static_cast<double>(count - 1);
  return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * last));
}

// Where a step is among `count` places across.
std::size_t place_of_step(std::size_t step, std::size_t steps, std::size_t count) {
  if (steps <= 1) return (count - 1) / 2;
  return place(static_cast<double>(step) / static_cast<double>(steps - 1), count);
}

struct Dot {
  std::size_t x;
  std::size_t y;
};

// Moves from dot to dot. The pattern runs along the path, so that steep and flat parts look alike.
class Pen {
 public:
  Pen(const ChartLine& line, Dots dots, Canvas& canvas)
      : line_(line), has_pattern_(dots == Dots::kBraille), canvas_(canvas) {}

  void start(Dot at) {
    dot(at);
    at_ = at;
  }

  void move(Dot to) {
    const std::size_t across = to.x - at_.x;  // never backwards
    const std::size_t down = to.y > at_.y ? to.y - at_.y : at_.y - to.y;
    const std::size_t length = std::max(across, down);
    for (std::size_t i = 1; i <= length; ++i) {
      const std::size_t shift = (down * i + length / 2) / length;
      dot({at_.x + (across * i + length / 2) / length,
           to.y > at_.y ? at_.y + shift : at_.y - shift});
    }
    at_ = to;
  }

 private:
  void dot(Dot at) {
    if (!has_pattern_ || is_drawn(line_.pattern, count_)) {
      canvas_.set(at.x, at.y, line_.ink, line_.mark);
    }
    ++count_;
  }

  const ChartLine& line_;
  bool has_pattern_;
  Canvas& canvas_;
  Dot at_{};
  std::size_t count_ = 0;
};

void draw_line(const ChartLine& line, std::size_t steps, const Range& range, Dots dots,
               Canvas& canvas) {
  Pen pen(line, dots, canvas);
  bool is_down = false;
  for (std::size_t i = 0; i < line.values.size(); ++i) {
    const double value = line.values[i];
    if (!std::isfinite(value)) {
      is_down = false;
      continue;
    }
    const Dot to{place_of_step(line.first + i, steps, canvas.width()),
                 canvas.height() - 1 - place(range.share(value), canvas.height())};
    if (is_down) {
      pen.move(to);
    } else {
      pen.start(to);
    }
    is_down = true;
  }
}

std::string legend(std::span<const ChartLine> lines, std::size_t indent, const ChartStyle& style) {
  std::string text(indent, ' ');
  std::size_t used = indent;
  for (const ChartLine& line : lines) {
    if (line.name.empty()) continue;
    const char* braille = legend_sample(line, style.dots);
    const std::string sample = braille == nullptr ? std::string(3, line.mark) : braille;
    constexpr std::size_t kSampleWidth = 3;
    const std::size_t gap = used == indent ? 0 : 2;
    if (used + gap + kSampleWidth + 2 > style.width) break;
    const std::size_t room = style.width - used - gap - kSampleWidth - 1;
    const std::string name = plain_text(line.name, room, style.dots == Dots::kAscii);
    text +=
        std::string(gap, ' ') + (style.colour ? coloured(sample, line.ink) : sample) + " " + name;
    used += gap + kSampleWidth + 1 + text_width(name);
  }
  return text;
}

struct PlacedLabel {
  std::size_t tick;
  std::size_t begin;
  std::string text;
};

// Texts below `width` characters of axis, each begun at its tick where there is room to the right.
std::vector<PlacedLabel> place_labels(std::span<const ChartLabel> labels, std::size_t steps,
                                      std::size_t width, Dots dots) {
  std::vector<PlacedLabel> placed;
  const std::size_t across = dots_across(dots);
  const auto try_to_place = [&](const ChartLabel& label) {
    if (label.step >= steps) return;
    PlacedLabel next{place_of_step(label.step, steps, width * across) / across, 0,
                     plain_text(label.text, width, dots == Dots::kAscii)};
    const std::size_t length = text_width(next.text);
    next.begin = std::min(next.tick, width - length);
    const bool is_free = std::ranges::all_of(placed, [&](const PlacedLabel& other) {
      return next.begin + length + kBetweenLabels <= other.begin ||
             other.begin + text_width(other.text) + kBetweenLabels <= next.begin;
    });
    if (is_free) placed.push_back(std::move(next));
  };
  if (!labels.empty()) try_to_place(labels.front());
  if (labels.size() > 1) try_to_place(labels.back());
  for (std::size_t i = 1; i + 1 < labels.size(); ++i) try_to_place(labels[i]);
  std::ranges::sort(placed, {}, &PlacedLabel::begin);
  return placed;
}

std::string axis(std::span<const PlacedLabel> labels, std::size_t width, const Frame& frame) {
  std::string text = frame.corner;
  for (std::size_t column = 0; column < width; ++column) {
    const bool has_tick =
        std::ranges::any_of(labels, [&](const PlacedLabel& label) { return label.tick == column; });
    text += has_tick ? frame.x_tick : frame.bottom;
  }
  return text;
}

std::string label_row(std::span<const PlacedLabel> labels, std::size_t indent) {
  std::string text(indent, ' ');
  std::size_t used = 0;
  for (const PlacedLabel& label : labels) {
    text += std::string(label.begin - used, ' ') + label.text;
    used = label.begin + text_width(label.text);
  }
  return text;
}

}  // namespace

std::string draw_chart(std::span<const ChartLine> lines, std::span<const ChartLabel> labels,
                       const ChartStyle& given) {
  ChartStyle style = given;
  style.width = std::max(style.width, kLeastWidth);
  style.height = std::max(style.height, kLeastHeight);
  const std::optional<Range> range = value_range(lines);
  if (!range) return "no value to draw\n";

  const std::size_t rows = style.height - kRowsAround;
  std::vector<std::string> y_texts(rows);
  std::size_t y_width = 0;
  const std::size_t down = dots_down(style.dots);
  for (const Tick& tick : round_ticks(*range, 1 + (rows - 1) / kRowsATick)) {
    y_texts[rows - 1 - place(range->share(tick.value), rows * down) / down] = tick.text;
    y_width = std::max(y_width, tick.text.size());
  }
  // Numbers that would take half of the chart are left out.
  if (y_width + 2 > style.width / 2) {
    y_texts.assign(rows, "");
    y_width = 0;
  }
  const std::size_t indent = y_width + 2;
  const std::size_t columns = style.width - indent;

  std::size_t steps = 0;
  for (const ChartLine& line : lines) steps = std::max(steps, line.first + line.values.size());
  Canvas canvas(columns, rows, style.dots);
  for (const ChartLine& line : lines) draw_line(line, steps, *range, style.dots, canvas);

  const Frame& frame = style.dots == Dots::kAscii ? kAsciiFrame : kUnicodeFrame;
  std::string chart = legend(lines, indent, style) + "\n";
  for (std::size_t row = 0; row < rows; ++row) {
    const std::string& text = y_texts[row];
    chart += std::string(y_width - text.size(), ' ') + text + " " +
             (text.empty() ? frame.side : frame.y_tick) + canvas.row(row, style.colour) + "\n";
  }
  const auto placed = place_labels(labels, steps, columns, style.dots);
  chart += std::string(y_width + 1, ' ') + axis(placed, columns, frame) + "\n";
  if (!placed.empty()) chart += label_row(placed, indent) + "\n";
  return chart;
}

}  // namespace pulsecast::cli
