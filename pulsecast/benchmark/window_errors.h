// The errors of every test window of a run, kept beside its record: what a test of significance
// needs, and a window to look at. OUT/errors/RUN.safetensors, float32.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pulsecast::benchmark {

// One test window of the first channel, scaled: for a picture.
struct ExampleWindow {
  std::string channel;
  std::vector<float> history;   // (T)
  std::vector<float> truth;     // (H)
  std::vector<float> forecast;  // (H)
};

struct WindowErrors {
  // Row of the first target of each window; of a panel, series after series. (n)
  std::vector<double> first_rows;
  // Means over channels and steps. (n)
  std::vector<float> squared;
  std::vector<float> absolute;
  // Means over channels and windows. (H)
  std::vector<float> step_squared;
  std::vector<float> step_absolute;
  ExampleWindow example;
};

// Throw Error(kInputOutput); reading also Error(kModelFile) where the file is damaged.
void write_errors(const std::filesystem::path& path, const WindowErrors& errors);
WindowErrors read_errors(const std::filesystem::path& path);

}  // namespace pulsecast::benchmark
