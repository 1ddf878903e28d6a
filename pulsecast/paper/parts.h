// The paper's tables and figures in its order, as data: what each shows, and which runs it needs.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast::paper {

inline constexpr std::int64_t kHorizons[] = {96, 192, 336, 720};  // what the paper's means are over
inline constexpr std::int64_t kLookback = 96;

// One training, but for its seed.
struct Want {
  std::string model;  // as a study names it
  std::string dataset;
  std::int64_t lookback = kLookback;
  std::string setting = {};  // "router=false", or ""
  std::int64_t horizon = 96;
};

// How the errors of a table are laid out.
enum class Layout {
  kByHorizon,  // a table a dataset, a column a horizon
  kByDataset,  // one table of means, a column a dataset
};

struct ErrorTable {
  std::string_view name;  // Cell::table
  std::string_view title;
  Layout layout = Layout::kByHorizon;
};

// A figure of which the paper prints no numbers: errors against a setting.
struct Curve {
  std::string_view setting;  // "lookback" is the look-back
  std::string_view title;
  std::vector<std::string_view> values;
  std::vector<std::string_view> datasets;
  std::int64_t horizon = 96;
};

// What a part shows beside tables and curves.
enum class Extra { kNone, kAnchors, kCosts, kMismatch, kForecasts, kHelps };

struct Part {
  std::string_view name;
  std::string_view title;
  std::string_view about;
  std::vector<ErrorTable> tables = {};
  std::vector<Curve> curves = {};
  Extra extra = Extra::kNone;
};

std::span<const Part> parts();
// Throws Error(kUsage) that names what there is.
const Part& find_part(std::string_view name, const std::string& where);

// The model around which anchors are looked at, and its rivals in pictures.
inline constexpr std::string_view kOwnModel = "pulse";
std::span<const std::string_view> pictured_models();

// What PULSE is without one of its parts.
struct Without {
  std::string_view part;
  std::string_view setting;
};
std::span<const Without> withouts();
// The datasets of the ablations.
std::span<const std::string_view> ablated_datasets();

// The trainings behind a cell of a table: one, or the four of a mean.
std::vector<Want> wants_of(std::string_view model, std::string_view dataset, std::int64_t lookback,
                           std::string_view setting, std::int64_t horizon);
// The training of a point of a curve.
Want want_of(const Curve& curve, std::string_view dataset, std::string_view value);

}  // namespace pulsecast::paper
