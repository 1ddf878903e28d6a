// pulsecast forecast MODEL FILE: the next steps, in original units.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/interrupt.h"
#include "apps/cli/model_argument.h"
#include "apps/cli/output_file.h"
#include "apps/cli/settings_flags.h"
#include "apps/cli/threads.h"
#include "apps/cli/verbs.h"
#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/calendar/stamp_column.h"
#include "pulsecast/forecast_picture.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/settings/data_declaration.h"

namespace pulsecast::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ForecastArguments {
  std::string model;
  std::string file;
  std::string out = "-";
  bool wide = false;
  bool components = false;
  std::string at;
  std::string max_age;
  std::string plot;
  std::optional<double> min;
  std::optional<double> max;
  bool non_negative = false;
  bool include_ended = false;
  std::vector<double> levels;
  std::vector<double> quantiles;
  DataSettings settings;
  std::shared_ptr<SettingsFlags> flags;
};

Step age_of(const std::string& text) {
  try {
    return Step::parse(text);
  } catch (const Error& error) {
    throw Error(error.kind(), error.message(), "--max-age");
  }
}

void refuse_stale(const Observations& rows, Instant cutoff, const std::string& max_age) {
  const Step age = age_of(max_age);
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const Instant today{std::chrono::duration_cast<std::chrono::milliseconds>(now).count()};
  if (age.add(cutoff, 1, rows.zone()) >= today) return;
  throw_error(ErrorKind::kData, rows.source(),
              "the last row with targets is of {}, which is more than {} ago (--max-age)",
              to_text(cutoff, rows.zone()), max_age);
}

Json to_json(const SeriesForecast& forecast, bool with_components) {
  Json json;
  json["cutoff"] = to_iso_text(forecast.cutoff, forecast.zone);
  json["ds"] = Json::array();
  for (const Instant stamp : forecast.stamps)
    json["ds"].push_back(to_iso_text(stamp, forecast.zone));
  json["channels"] = Json::array();
  for (const ChannelForecast& channel : forecast.channels) {
    Json entry = {{"unique_id", channel.channel}, {"status", name(channel.status)}};
    if (channel.cutoff) entry["cutoff"] = to_iso_text(*channel.cutoff, forecast.zone);
    if (channel.cutoff && !channel.stamps.empty()) {
      entry["ds"] = Json::array();
      for (const Instant stamp : channel.stamps) {
        entry["ds"].push_back(to_iso_text(stamp, forecast.zone));
      }
    }
    if (!channel.reason.empty()) entry["reason"] = channel.reason;
    entry["yhat"] = channel.values;
    for (const ForecastRange& range : channel.ranges) {
      entry[fmt::format("yhat_lo_{:g}", range.level)] = range.low;
      entry[fmt::format("yhat_hi_{:g}", range.level)] = range.high;
    }
    for (const ForecastQuantile& quantile : channel.quantiles) {
      entry[fmt::format("q_{:g}", quantile.probability)] = quantile.values;
    }
    if (with_components && !channel.anchor.empty()) {
      entry["anchor"] = channel.anchor;
      entry["residual"] = channel.residual;
      entry["scale"] = channel.scale;
    }
    json["channels"].push_back(std::move(entry));
  }
  return json;
}

void write(const std::string& text, const std::string& out, const Console& console) {
  if (out == "-") {
    console.print(text);
  } else {
    write_file(out, text);
  }
}

bool is_png(const std::string& plot) { return plot.ends_with(".png"); }

void require_picture(const ForecastArguments& arguments) {
  if (!is_png(arguments.plot) && !arguments.plot.ends_with(".svg")) {
    throw_error(ErrorKind::kUsage, "--plot", "{} is to end with .svg or .png", arguments.plot);
  }
  require_writable(arguments.plot, "--plot", {arguments.model, arguments.file, arguments.out});
}

// What is not ok: each channel, or of many the first few of each status and how many there are.
void tell_statuses(const SeriesForecast& forecast, const Console& console) {
  using Status = ChannelForecast::Status;
  constexpr std::size_t kMost = 8;
  for (const Status status : {Status::kSeasonalNaive, Status::kLevel, Status::kNewSeries,
                              Status::kShortHistory, Status::kNewGroup, Status::kEnded}) {
    std::size_t count = 0;
    for (const ChannelForecast& channel : forecast.channels) {
      if (channel.status != status || ++count > kMost) continue;
      const bool is_naive = status == Status::kSeasonalNaive || status == Status::kLevel;
      console.remark(fmt::format("{}: {}{}; {}\n", channel.channel, name(status),
                                 is_naive ? " instead of the model's forecast" : "",
                                 channel.reason));
    }
    if (count > kMost) {
      console.remark(fmt::format(
          "... {} in all: {}{}\n", name(status), count,
          status == Status::kEnded ? "; --include-ended forecasts them from their last rows" : ""));
    }
  }
}

// Series that came after training vanish from the forecast, but not in silence.
void tell_left_out(const std::vector<std::string>& names, const Console& console) {
  if (names.empty()) return;
  constexpr std::size_t kMost = 8;
  const std::size_t shown = std::min(kMost, names.size());
  console.warn(fmt::format(
      "{} new since training and not forecast: {}{}. Train again; a model "
      "trained with --panel series forecasts new series too",
      counted(names.size(), "series is", "series are"),
      fmt::join(names.begin(), names.begin() + shown, ", "), names.size() > shown ? " ..." : ""));
}

int forecast_next(ForecastArguments& arguments, const Console& console) {
  if (arguments.wide && arguments.components) {
    throw_error(ErrorKind::kUsage, "--components", "has no place in --wide; leave one out");
  }
  if (arguments.non_negative) arguments.min = std::max(0.0, arguments.min.value_or(0.0));
  if (arguments.min && arguments.max && *arguments.min > *arguments.max) {
    throw_error(ErrorKind::kUsage, "--min", "{} is above --max, {}", *arguments.min,
                *arguments.max);
  }
  if (arguments.out != "-") {
    require_writable(arguments.out, "--out", {arguments.model, arguments.file});
  }
  if (!arguments.plot.empty()) require_picture(arguments);
  const auto model = load_beside("forecast", arguments.model, arguments.file);
  // The model knows how its rows are read; flags say how this file differs.
  arguments.settings = model->reading_settings();
  arguments.flags->apply();
  const Threads threads = threads_of(console);
  const Observations rows =
      model->read(arguments.file, arguments.settings, threads, interruptible());
  for (const std::string& done : rows.repairs()) console.remark(done + "\n");
  ForecastOptions options{.min = arguments.min,
                          .max = arguments.max,
                          .levels = arguments.levels,
                          .quantiles = arguments.quantiles,
                          .include_ended = arguments.include_ended};
  if (!arguments.at.empty()) options.at = read_instant(arguments.at, rows.zone(), "--at");
  const SeriesForecast forecast = Session(model, threads).forecast(rows, options);
  if (!arguments.max_age.empty()) refuse_stale(rows, forecast.cutoff, arguments.max_age);

  if (!arguments.plot.empty()) {
    write_file(arguments.plot,
               std::string_view(is_png(arguments.plot) ? forecast_png(rows, forecast)
                                                       : forecast_svg(rows, forecast)));
  }
  if (console.json) {
    write(to_json(forecast, arguments.components).dump(2) + "\n", arguments.out, console);
  } else {
    write(arguments.wide ? to_wide_csv(forecast) : to_long_csv(forecast, arguments.components),
          arguments.out, console);
  }
  if (forecast.corrected_by > 0) {
    console.remark(fmt::format("ranges corrected by {} since the model was calibrated\n",
                               counted(forecast.corrected_by, "forecast")));
  }
  tell_statuses(forecast, console);
  tell_left_out(rows.left_out(), console);
  return forecast.is_whole() && rows.left_out().empty() ? kDone : kFindings;
}

Action declare_forecast(CLI::App& command) {
  auto arguments = std::make_shared<ForecastArguments>();
  command.add_option("model", arguments->model, "model file")->required()->type_name("MODEL");
  command.add_option("file", arguments->file, "rows up to now; '-' is standard input")
      ->required()
      ->type_name("FILE");
  command.add_option("--out,-o", arguments->out, "file to write; '-' is standard output [-]")
      ->type_name("FILE");
  command.add_flag("--wide", arguments->wide,
                   "a column a channel instead of a row a channel and step");
  command.add_flag("--components", arguments->components,
                   "also the anchor, the residual and its scale; anchor + residual = yhat, before "
                   "--min and --max");
  command.add_option("--at", arguments->at, "forecast from this stamp instead of the last row's")
      ->type_name("STAMP");
  command
      .add_option("--max-age", arguments->max_age,
                  "refuse rows that end longer ago than this, such as 2h")
      ->type_name("TIME");
  command
      .add_option("--plot", arguments->plot,
                  "also a picture of history and forecast, .svg or .png (by cairo)")
      ->type_name("FILE");
  command.add_option("--min", arguments->min, "no value below this")->type_name("VALUE");
  command.add_option("--max", arguments->max, "no value above this")->type_name("VALUE");
  command.add_flag("--non-negative", arguments->non_negative, "no value below 0, as of demand");
  command.add_flag("--include-ended", arguments->include_ended,
                   "of a panel also series whose rows ended more than a horizon before the newest");
  command
      .add_option("--level", arguments->levels,
                  "ranges that hold so many percent of what comes, such as 80,95: columns "
                  "yhat_lo_80, yhat_hi_80")
      ->delimiter(',')
      ->type_name("PERCENT");
  command
      .add_option("--quantile", arguments->quantiles,
                  "quantiles at these probabilities, such as 0.1,0.5,0.9: columns q_0.1")
      ->delimiter(',')
      ->type_name("SHARE");
  arguments->flags = std::make_shared<SettingsFlags>(
      command, data_settings().bind(arguments->settings), dialect_settings(), Over::kModel);
  return [arguments](const Console& console) { return forecast_next(*arguments, console); };
}

}  // namespace

const Verb kForecast = {
    "forecast", "forecast the steps after the last row, in original units",
    "  pulsecast forecast load.model load.csv > next.csv\n"
    "  pulsecast forecast load.model load.csv --wide --min 0 --out next.csv\n"
    "  pulsecast forecast load.model load.csv --level 80,95 --out next.csv --plot next.svg\n"
    "  pulsecast forecast shops.model shops.csv --non-negative --include-ended\n"
    "  pulsecast forecast load.model broken.csv --fill linear --duplicates mean\n"
    "  pulsecast forecast load.model load.csv --at '2024-05-01 00:00' --components\n"
    "  (head -n 1 load.csv; tail -n 500 load.csv) | pulsecast forecast load.model - --json\n"
    "  pulsecast forecast load.model load.csv --max-age 2h      # refuse a feed that has stopped\n",
    declare_forecast};

}  // namespace pulsecast::cli
