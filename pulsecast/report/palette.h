// The colours of light pages, for what has no style sheet. assets/chart.css has the same.
#pragma once

#include <cstdint>

#include "pulsecast/report/drawing.h"

namespace pulsecast::report {

inline constexpr std::uint32_t kInkColour = 0x1b1f24;
inline constexpr std::uint32_t kPaperColour = 0xffffff;
inline constexpr std::uint32_t kSoftColour = 0x57606a;
inline constexpr std::uint32_t kFaintColour = 0xd8dee4;
inline constexpr std::uint32_t kSeriesColour[kSeriesColours] = {
    0x0072b2, 0xc8501e, 0x00805e, 0xa3478a, 0x8f6a00, 0x4b58c0, 0x6b5b4a};

constexpr std::uint32_t colour_of(const Paint& paint) {
  switch (paint.role) {
    case Paint::Role::kSoft:
      return kSoftColour;
    case Paint::Role::kFaint:
      return kFaintColour;
    case Paint::Role::kSeries:
      return kSeriesColour[paint.series % kSeriesColours];
    case Paint::Role::kInk:
      break;
  }
  return kInkColour;
}

}  // namespace pulsecast::report
