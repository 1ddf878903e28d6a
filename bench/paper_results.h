// What the paper reports of PULSE at look-back 96, on the datasets that anyone can get as a file.
#pragma once

#include <array>
#include <string_view>

namespace pulsecast::bench {

struct PaperCell {
  std::string_view dataset;
  int horizon;
  double mse;
  double mae;
};

inline constexpr std::array kPaperCells = std::to_array<PaperCell>({
    {"ETTh1", 96, 0.362, 0.390},    {"ETTh1", 192, 0.408, 0.418},   {"ETTh1", 336, 0.443, 0.433},
    {"ETTh1", 720, 0.433, 0.448},   {"ETTh2", 96, 0.277, 0.330},    {"ETTh2", 192, 0.356, 0.381},
    {"ETTh2", 336, 0.399, 0.417},   {"ETTh2", 720, 0.413, 0.436},   {"ETTm1", 96, 0.303, 0.347},
    {"ETTm1", 192, 0.349, 0.379},   {"ETTm1", 336, 0.375, 0.398},   {"ETTm1", 720, 0.424, 0.426},
    {"ETTm2", 96, 0.163, 0.248},    {"ETTm2", 192, 0.227, 0.291},   {"ETTm2", 336, 0.283, 0.330},
    {"ETTm2", 720, 0.374, 0.387},   {"Weather", 96, 0.150, 0.196},  {"Weather", 192, 0.200, 0.245},
    {"Weather", 336, 0.260, 0.291}, {"Weather", 720, 0.347, 0.353},
});

// What it reports of PULSE and its ablations, averaged over the four horizons, by our variants'
// names.
struct PaperAverage {
  std::string_view dataset;
  std::string_view variant;
  double mse;
  double mae;
};

inline constexpr std::array kPaperAblations = std::to_array<PaperAverage>({
    {"ETTh1", "recipe", 0.412, 0.422},
    {"ETTh1", "no-anchor", 0.430, 0.425},
    {"ETTh1", "no-router", 0.426, 0.426},
    {"ETTh1", "no-mixup", 0.417, 0.424},
    {"ETTh1", "plain-mixup", 0.419, 0.425},
    {"ETTh2", "recipe", 0.361, 0.391},
    {"ETTh2", "no-anchor", 0.365, 0.393},
    {"ETTh2", "no-router", 0.369, 0.396},
    {"ETTh2", "no-mixup", 0.366, 0.393},
    {"ETTh2", "plain-mixup", 0.367, 0.393},
});

}  // namespace pulsecast::bench
