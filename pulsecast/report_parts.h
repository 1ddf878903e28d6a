// The parts of a model's report, each from a model and rows. Inside the face.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "pulsecast/report/allotment.h"
#include "pulsecast/report/model_report.h"
#include "pulsecast/report_page.h"

namespace pulsecast {

// What every part works from.
struct ReportMaterial {
  const std::shared_ptr<const Model>& model;
  const Observations& rows;
  const ReportOptions& options;
  std::vector<std::size_t> targets;  // channels of `rows` that are forecast
  Part part = Part::kHeldOut;        // rows that are scored
  std::optional<EvaluatedRows> scored = {};
  std::vector<Instant> origins = {};  // from which past forecasts can be made, ascending
  report::Allotment shown = {};
  std::vector<double> levels = {};  // of the ranges that are shown; none where the model has none

  // The value of a target at a row; NaN where there is none.
  double value(std::size_t target, std::size_t row) const;
};

// The ranges of a forecast that are of these levels, the widest first, which others are drawn on.
std::vector<report::Band> bands_of(const ChannelForecast& channel, std::span<const double> levels);

// Cutoffs of forecasts whose targets are all of scored rows.
std::vector<Instant> scored_origins(const ReportMaterial& material);

void add_past(const ReportMaterial& material, Session& session, report::ModelReport& out);
void add_inside(const ReportMaterial& material, report::ModelReport& out);
void add_facts(const ReportMaterial& material, report::ModelReport& out);

}  // namespace pulsecast
