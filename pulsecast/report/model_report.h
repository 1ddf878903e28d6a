// What a page tells of a model and rows, as data: who makes it knows of models, who writes it of
// pages.
//
// What does not apply to a model is left empty, with a sentence in `left_out` of why.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "pulsecast/calendar/instant.h"
#include "pulsecast/calendar/zone.h"
#include "pulsecast/report/spectrum.h"

namespace pulsecast::report {

// A range that is promised to hold its share of what comes.
struct Band {
  std::string name;  // "80 %"
  std::vector<double> low;
  std::vector<double> high;
};

// Mean absolute errors of a forecaster on one channel, in the channel's units; NaN: none.
struct ErrorLines {
  std::string name;  // "model", "seasonal naive (day)"
  std::vector<double> by_step;
  std::vector<double> by_hour;  // empty where steps are no parts of a day
  std::vector<double> by_month;
};

struct PastForecast {
  Instant cutoff;
  std::vector<Instant> stamps;  // of truth: some rows before the cutoff, then the horizon
  std::vector<double> truth;
  std::vector<double> forecast;  // (H)
  std::vector<Band> bands = {};
};

struct ChannelReport {
  std::string name;
  std::string status = {};  // what to know of its forecast, or ""
  std::vector<Instant> history_stamps = {};
  std::vector<double> history = {};
  std::vector<Instant> forecast_stamps = {};
  std::vector<double> forecast = {};
  std::vector<Band> bands = {};
  std::vector<PastForecast> past = {};
  std::vector<ErrorLines> errors = {};
};

// One window taken apart, in the units of its channel.
struct WindowReport {
  std::string name;                      // of its channel
  std::vector<Instant> stamps = {};      // (T + H)
  std::vector<double> values = {};       // (T + H) history, then what came
  std::vector<double> past_anchor = {};  // (T)
  std::vector<double> anchor = {};       // (H) generated
  std::vector<double> routed = {};  // (H) the anchor without the calendar's share; empty: no router
  std::vector<double> forecast = {};  // (H)
  double mean = 0.0;                  // of the history without its anchor
  double deviation = 0.0;
};

struct CodebookReport {
  std::vector<std::string> channels;
  std::size_t phases = 0;
  std::string phase_name;     // "hour of the day", "phase of 24 steps"
  std::vector<float> levels;  // (channels, phases)
};

// Many windows on a plane, neighbours beside neighbours.
struct MapReport {
  std::string name;  // "anchors of the past"
  std::vector<float> x;
  std::vector<float> y;
};
struct MapsReport {
  std::vector<MapReport> maps;
  std::vector<std::string> groups;    // "winter", ...
  std::vector<std::size_t> group_of;  // one a point
  std::vector<Instant> cutoffs;       // one a point
  std::string grouped_by;             // "season of the year"
};

struct SpectrumReport {
  std::string name;  // "history"
  Spectrum spectrum;
};

// A forecaster on every scored window.
struct ScoreReport {
  std::string name;
  double mse = 0.0;  // scaled
  double mae = 0.0;
  std::vector<double> by_step = {};     // MAE, scaled
  std::vector<double> by_channel = {};  // MAE, in the channel's units
};

// How much of what came a range held.
struct CoverageReport {
  std::string name;  // "80 %, as calibrated"
  double promised = 0.0;
  double held = 0.0;
  std::vector<double> by_step = {};     // in percent
  std::vector<double> by_channel = {};  // of all of them; NaN: nothing was scored
};

struct ModelReport {
  std::string title;
  std::string lead;
  std::string made_by;  // "pulsecast 0.1.0"
  Zone zone = {};
  std::string step = {};                                            // "1h"
  double steps_a_day = 0.0;                                         // 0: a step is a day or longer
  std::vector<std::pair<std::string, std::string>> headlines = {};  // figures, and what they are
  std::vector<std::string> channel_names = {};                      // all of them
  std::vector<ChannelReport> channels = {};                         // that have charts
  std::string scored_on = {};  // "the 100 windows after ..."; empty: nothing could be scored
  std::vector<ScoreReport> scores = {};  // the model first
  std::vector<CoverageReport> coverage = {};
  std::vector<WindowReport> windows = {};
  CodebookReport codebook = {};
  MapsReport maps = {};
  std::vector<SpectrumReport> spectra = {};
  std::vector<std::pair<std::string, std::string>> model_facts = {};
  std::vector<std::pair<std::string, std::string>> data_facts = {};
  std::vector<std::pair<std::string, std::string>> settings = {};
  std::vector<std::string> left_out = {};  // sentences
};

// The whole page. The same report gives the same bytes.
std::string to_page(const ModelReport& report);

}  // namespace pulsecast::report
