// pulsecast mismatch FILE: how far the future of each window lies from its history.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/data/read_series.h"
#include "pulsecast/data/series/panel_choice.h"
#include "pulsecast/data/windows/window_steps.h"
#include "pulsecast/evaluate/mismatch.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast::cli {
namespace {

struct MismatchArguments {
  std::string file;
  std::string rows;
  DataSettings settings;
  std::shared_ptr<SettingsFlags> flags;
};

std::optional<std::size_t> whole_number(std::string_view text) {
  std::size_t value = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

// "8640" is the first 8640 rows, "100:8640" row 101 to row 8640.
RowRange parse_rows(std::string_view text, std::size_t rows) {
  const std::size_t colon = text.find(':');
  const auto begin =
      colon == std::string_view::npos ? std::size_t{0} : whole_number(text.substr(0, colon));
  const auto end = whole_number(colon == std::string_view::npos ? text : text.substr(colon + 1));
  if (!begin || !end || *begin >= *end) {
    throw_error(
        ErrorKind::kUsage, "--rows",
        "expected a count such as 8640 for the first rows, or two such as 100:8640 for those "
        "after the first 100 up to the 8640th; got '{}'",
        text);
  }
  if (*end > rows) {
    throw_error(ErrorKind::kData, "--rows", "{} rows were asked for, but there are only {}", *end,
                rows);
  }
  return {*begin, *end};
}

constexpr const char* kUsualSplit = "0.7,0.1,0.2";

RowRange chosen_rows(const MismatchArguments& arguments, const Series& series) {
  if (!arguments.rows.empty()) return parse_rows(arguments.rows, target_rows(series));
  return parse_split(arguments.settings.split.value_or(kUsualSplit), series).train;
}

// Of a panel: those of each series.
std::vector<RowRange> chosen_rows_of_each(const MismatchArguments& arguments,
                                          const Series& series) {
  std::vector<RowRange> rows;
  if (arguments.rows.empty()) {
    const std::vector<Split> splits =
        parse_splits(arguments.settings.split.value_or(kUsualSplit), series);
    for (const Split& split : splits) rows.push_back(split.train);
    return rows;
  }
  const RowRange all = parse_rows(arguments.rows, target_rows(series));
  for (const Channel& channel : series.channels) {
    if (channel.role != Role::kTarget) continue;
    const RowRange own = rows_with_values(channel);
    const std::size_t begin = std::clamp(own.begin, all.begin, all.end);
    rows.push_back({begin, std::max(begin, std::min(own.end, all.end))});
  }
  return rows;
}

bool is_panel(const MismatchArguments& arguments, const Series& series) {
  if (arguments.settings.panel) return *arguments.settings.panel == Panel::kSeries;
  return why_each_alone(series).has_value();
}

RowRange hull_of(const std::vector<RowRange>& rows) {
  RowRange hull{rows.front().begin, rows.front().end};
  for (const RowRange own : rows) {
    hull = {std::min(hull.begin, own.begin), std::max(hull.end, own.end)};
  }
  return hull;
}

int mismatch(const MismatchArguments& arguments, const Console& console) {
  arguments.flags->apply();
  const Threads threads = threads_of(console);
  const Repaired repaired =
      read_series(arguments.file, arguments.settings, *threads.pool(), interruptible());
  for (const std::string& done : repaired.repairs) console.remark(done + "\n");
  const Series& series = repaired.series;
  const bool each_alone = is_panel(arguments, series);
  const std::vector<RowRange> of_each =
      each_alone ? chosen_rows_of_each(arguments, series) : std::vector<RowRange>();
  const RowRange rows = each_alone ? hull_of(of_each) : chosen_rows(arguments, series);
  const std::int64_t lookback =
      lookback_steps(arguments.settings, series.step).value_or(kUsualLookback);
  const std::int64_t horizon = horizon_steps(arguments.settings, series.step);
  const auto T = static_cast<std::size_t>(lookback);
  const auto H = static_cast<std::size_t>(horizon);
  const Mismatch found = each_alone ? measure_panel_mismatch(series, of_each, T, H, *threads.pool())
                                    : measure_mismatch(series, rows, T, H, *threads.pool());
  if (console.json) {
    console.print_json({{"file", series.source},
                        {"lookback", lookback},
                        {"horizon", horizon},
                        {"first_row", rows.begin + 1},
                        {"last_row", rows.end},
                        {"windows", found.windows},
                        {"channels", found.channels},
                        {"panel", each_alone ? "series" : "channels"},
                        {"repairs", repaired.repairs},
                        {"mean_shift", found.mean_shift},
                        {"deviation_shift", found.deviation_shift},
                        {"spectral_mismatch", found.spectral}});
    return kDone;
  }
  console.print(fmt::format(
      "mean shift         {:.4f}\n"
      "deviation shift    {:.4f}\n"
      "spectral mismatch  {:.4f}\n"
      "over {} of {} + {}, {}, rows {} to {}\n",
      found.mean_shift, found.deviation_shift, found.spectral, counted(found.windows, "window"),
      lookback, counted(horizon, "step"),
      each_alone ? fmt::format("each of one of {}", counted(found.channels, "series", "series"))
                 : counted(found.channels, "channel"),
      rows.begin + 1, rows.end));
  return kDone;
}

Action declare_mismatch(CLI::App& command) {
  auto arguments = std::make_shared<MismatchArguments>();
  command.add_option("file", arguments->file, "rows to read; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command
      .add_option("--rows", arguments->rows,
                  "rows that windows and scaler are of: a count, or FROM:TO [training rows of "
                  "--split]")
      ->type_name("ROWS");
  arguments->flags = std::make_shared<SettingsFlags>(
      command, data_settings().bind(arguments->settings),
      series_settings({"panel", "lookback", "horizon", "split", "period"}));
  return [arguments](const Console& console) { return mismatch(*arguments, console); };
}

}  // namespace

const Verb kMismatch = {
    "mismatch", "measure how far the future of each window lies from its history",
    "  pulsecast mismatch ETTh1.csv.gz --split ETTh1 --lookback 96 --horizon 96\n"
    "  pulsecast mismatch ETTm1.csv.gz --rows 8640 --horizon 720\n"
    "  pulsecast mismatch weather.csv.gz --grid rows --json\n",
    declare_mismatch};

}  // namespace pulsecast::cli
