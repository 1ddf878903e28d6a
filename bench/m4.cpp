// The hourly series of the M4 competition, by its rules: trained on the file of training rows with
// a horizon and nothing else, each series forecast from its last row, scored against the rows that
// followed. MASE divides by the mean absolute change over a day of the series' own training rows;
// the mean is over series.
//
//   ./dev bench m4 --data FOLDER [--seed N] [--json]

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "pulsecast/forecaster.h"

namespace {

using pulsecast::Observations;

constexpr std::size_t kDay = 24;

struct Sums {
  double mase = 0.0;
  double smape = 0.0;
  std::size_t series = 0;
};

// forecast (H), truth (H) or longer, past: the training rows of the series.
void add(std::span<const double> forecast, std::span<const double> truth,
         std::span<const double> past, Sums& sums) {
  double change = 0.0;
  for (std::size_t t = kDay; t < past.size(); ++t) change += std::abs(past[t] - past[t - kDay]);
  change /= static_cast<double>(past.size() - kDay);
  double error = 0.0;
  double relative = 0.0;
  for (std::size_t h = 0; h < forecast.size(); ++h) {
    const double own = std::abs(forecast[h] - truth[h]);
    const double size = std::abs(forecast[h]) + std::abs(truth[h]);
    error += own;
    relative += size > 0.0 ? 200.0 * own / size : 0.0;
  }
  const auto steps = static_cast<double>(forecast.size());
  sums.mase += error / steps / change;
  sums.smape += relative / steps;
  ++sums.series;
}

std::map<std::string, std::size_t> places_of(const Observations& rows) {
  std::map<std::string, std::size_t> places;
  for (std::size_t c = 0; c < rows.channels(); ++c) places[rows.name(c)] = c;
  return places;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("M4 hourly, by its rules");
  std::string folder = "../shared/data";
  std::string peer;
  std::int64_t seed = 2024;
  bool json = false;
  app.add_option("--data", folder, "folder with m4_hourly_train.csv.gz and m4_hourly_test.csv.gz");
  app.add_option("--seed", seed, "seed of training");
  app.add_option("--peer", peer, "not used: there is no peer to measure");
  app.add_flag("--json", json, "print for machines");
  CLI11_PARSE(app, argc, argv);
  try {
    pulsecast::Settings settings;
    settings.data.horizon = "48";
    settings.training.seed = seed;
    const std::string file = folder + "/m4_hourly_train.csv.gz";
    const auto model = pulsecast::fit(file, settings);
    const Observations past = model->read(file);
    const Observations future = Observations::read(folder + "/m4_hourly_test.csv.gz");
    // Stamps of the file are made up: series of 700 rows end before those of 960, and are to be
    // forecast like them.
    const pulsecast::SeriesForecast next = model->forecast(past, {.include_ended = true});
    const auto places = places_of(past);
    const auto truths = places_of(future);
    Sums ours;
    Sums naive;
    for (const pulsecast::ChannelForecast& series : next.channels) {
      const auto own = past.values(places.at(series.channel));
      const auto truth = future.values(truths.at(series.channel));
      add(series.values, truth, own, ours);
      std::vector<double> repeated(series.values.size());
      for (std::size_t h = 0; h < repeated.size(); ++h) {
        repeated[h] = own[own.size() - kDay + h % kDay];
      }
      add(repeated, truth, own, naive);
    }
    const auto mean = [](double sum, const Sums& of) {
      return sum / static_cast<double>(of.series);
    };
    if (json) {
      const nlohmann::ordered_json result = {{"series", ours.series},
                                             {"mase", mean(ours.mase, ours)},
                                             {"smape", mean(ours.smape, ours)},
                                             {"seasonal_naive_mase", mean(naive.mase, naive)},
                                             {"seconds", model->card().origin.seconds},
                                             {"best_epoch", model->card().origin.best_epoch}};
      fmt::print("{}\n", result.dump(2));
    } else {
      fmt::print("{} series: MASE {:.4f}, sMAPE {:.3f}; repeating the last day: MASE {:.4f}\n",
                 ours.series, mean(ours.mase, ours), mean(ours.smape, ours),
                 mean(naive.mase, naive));
      fmt::print("trained in {:.0f} s, best epoch {} of {}\n", model->card().origin.seconds,
                 model->card().origin.best_epoch, model->card().origin.history.size());
    }
  } catch (const pulsecast::Error& error) {
    fmt::print(stderr, "{}\n", error.what());
    return pulsecast::exit_code(error.kind());
  }
}
