// What is to be known of a model and of rows, for its page.

#include <fmt/format.h>

#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/calendar/instant_text.h"
#include "pulsecast/data/series/series_checksum.h"
#include "pulsecast/report_parts.h"

namespace pulsecast {
namespace {

std::string range_text(const artifact::StampRange& range, const Zone& zone) {
  if (range.rows == 0) return "none";
  return fmt::format("{} to {}, {}", to_text(range.first, zone), to_text(range.last, zone),
                     counted(range.rows, "row"));
}

}  // namespace

void add_facts(const ReportMaterial& material, report::ModelReport& out) {
  const ModelCard& card = material.model->card();
  const artifact::Origin& origin = card.origin;
  auto& model = out.model_facts;
  model.emplace_back("model", card.title);
  model.emplace_back("weights", fmt::format("{}", card.weights));
  model.emplace_back("look-back", counted(card.lookback, "step"));
  model.emplace_back("horizon", counted(card.horizon, "step"));
  model.emplace_back("period", counted(card.period, "step"));
  model.emplace_back("trained on", range_text(origin.trained, card.zone));
  model.emplace_back("validated on", range_text(origin.validated, card.zone));
  model.emplace_back("held out", range_text(origin.test, card.zone));
  model.emplace_back("best epoch", fmt::format("{} of {}, validation MSE {:.4f}", origin.best_epoch,
                                               origin.history.size(), origin.best_validation));
  model.emplace_back("written by", origin.written_by);
  model.emplace_back(
      "on", origin.engine.empty() ? origin.cpu : fmt::format("{}, {}", origin.cpu, origin.engine));
  for (const std::string& choice : origin.choices) model.emplace_back("chosen", choice);
  for (const std::string& warning : origin.warnings) model.emplace_back("warning", warning);

  const Observations& rows = material.rows;
  auto& data = out.data_facts;
  const std::string checksum = series_checksum(rows.series());
  data.emplace_back("file", rows.source());
  data.emplace_back("rows", fmt::format("{}", rows.rows()));
  if (rows.rows() > 0) {
    data.emplace_back("from", to_text(rows.stamps().front(), rows.zone()));
    data.emplace_back("to", to_text(rows.stamps().back(), rows.zone()));
  }
  data.emplace_back("step", rows.step().to_string());
  data.emplace_back("zone", rows.zone().name());
  data.emplace_back("series", fmt::format("{}", material.targets.size()));
  std::size_t gaps = 0;
  for (const std::size_t channel : material.targets) {
    for (const double value : rows.values(channel)) gaps += std::isnan(value) ? 1 : 0;
  }
  data.emplace_back("missing values", fmt::format("{}", gaps));
  for (const std::string& repair : rows.repairs()) data.emplace_back("repaired", repair);
  data.emplace_back("sha256 of the series", checksum);
  data.emplace_back("trained on", checksum == origin.data_sha256
                                      ? "these very rows"
                                      : fmt::format("others: {}, sha256 {}", origin.data_source,
                                                    origin.data_sha256));
  out.settings = setting_texts(card.settings);
}

}  // namespace pulsecast
