// The parts of the paper as tables and pictures, ours beside the paper's.
#pragma once

#include <string>
#include <vector>

#include "pulsecast/paper/document.h"
#include "pulsecast/paper/findings.h"
#include "pulsecast/paper/measured.h"

namespace pulsecast::paper {

// What a section is made from.
struct Material {
  const Plan& plan;
  const Findings& findings;
  Measuring& measuring;
};

void add_error_table(const ErrorTable& table, const Material& material, std::vector<Block>& out);
void add_curves(const std::vector<Curve>& curves, const Material& material,
                std::vector<Block>& out);
void add_anchors(const Material& material, std::vector<Block>& out);
void add_costs(const Material& material, std::vector<Block>& out);
void add_mismatch(const Material& material, std::vector<Block>& out);
void add_forecasts(const Material& material, std::vector<Block>& out);

// "No file: Electricity (electricity.csv). Left out: ETTm1 (ETTm1.csv).", "" of none.
std::string missing_words(const std::vector<std::string>& datasets, const Plan& plan);

// By the paper's formula, over the seeds that there are; NaN where there is nothing.
double mase_of(const Cell& cell, const Material& material);

}  // namespace pulsecast::paper
