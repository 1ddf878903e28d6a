// Lines over time, drawn with text: history, truth and forecast in a terminal.
//
//       ⠒⠒⠒ history  ⠂⠂⠂ truth  ⠒⠀⠒ forecast
//      │   ⡠⠤⠤⡀              ⢀⠤⠤⢄                ⡐⠈⠈⠐⡀
//   40 ┤ ⢀⠔⠁  ⠈⢢            ⡠⠊   ⠑⡄            ⡠⡚⠉⠉⠢⢄ ⢂
//      │⡠⠊      ⠑⢄         ⡔⠁     ⠈⠢⡀        ⢀⢜⠂    ⠈⠢⣀⢂
//      │         ⠈⢆      ⢠⠊         ⠱⡀      ⡄⢁⠂        ⠣⣂     ⡰⠉
//   20 ┤           ⠱⡀   ⡔⠁           ⠈⢆   ⢠⠊ ⠂          ⠘⠴⣀⣀⠤⠊ ⠄
//      │            ⠈⠒⠒⠉               ⠑⠒⠊⠁               ⠐⢀⢀⠠⠈
//      └┬────────────────────────────────────┬──────────────────
//       2016-07-01 00:00                     2016-07-03 00:00
//
// Text in and text out: whoever calls knows the width, the colours and the encoding of where it
// goes (terminal.h tells). Values that are not finite leave a gap. Where there are more values than
// dots across, a column shows all that fall into it, from the lowest to the highest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/cli/terminal/canvas.h"

namespace pulsecast::cli {

// Told apart without colour by how they are drawn; ASCII tells by `mark`.
enum class Pattern : std::uint8_t { kSolid, kDashed, kDotted };

struct ChartLine {
  std::string name;       // in the legend, which leaves out a line without one
  std::size_t first = 0;  // where on the x axis its first value is, in steps
  std::vector<double> values;
  Ink ink = Ink::kDefault;
  Pattern pattern = Pattern::kSolid;
  char mark = '*';
};

// A text below the x axis at a step, such as its stamp.
struct ChartLabel {
  std::size_t step = 0;
  std::string text;
};

struct ChartStyle {
  // In characters, all of it: at least 20 by 6, less is taken as that.
  std::size_t width = 80;
  std::size_t height = 16;
  Dots dots = Dots::kBraille;
  bool colour = false;
};

// Lines of text, each ended by '\n' and none wider than the width. Later lines are drawn over
// earlier ones. Labels, ascending by step, are shown as far as there is room: the first and the
// last before those between.
std::string draw_chart(std::span<const ChartLine> lines, std::span<const ChartLabel> labels,
                       const ChartStyle& style);

}  // namespace pulsecast::cli
