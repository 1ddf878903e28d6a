// The report as one page that stands alone: tables, errors by horizon, accuracy against cost, and
// forecasts over what came. No script, no network, legible on a phone.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/benchmark/provenance.h"
#include "pulsecast/benchmark/standings.h"
#include "pulsecast/benchmark/window_errors.h"

namespace pulsecast::benchmark {

// One test window as several contenders forecast it.
struct Picture {
  std::string dataset;
  std::int64_t horizon = 0;
  std::string channel = {};
  std::vector<float> history = {};  // (T)
  std::vector<float> truth = {};    // (H)
  struct Forecast {
    std::string model;
    std::vector<float> values;  // (H)
  };
  std::vector<Forecast> forecasts = {};
};

// The longest horizon of every dataset, with the first seed of each backbone as published and with
// PULSE around it; without such a pair, of the first models. Reads files under the study's folder.
std::vector<Picture> pictures_of(const Study& study, const std::vector<RunRecord>& records);

std::string to_page(const Standings& standings, const std::vector<Picture>& pictures,
                    const Provenance& provenance);

}  // namespace pulsecast::benchmark
