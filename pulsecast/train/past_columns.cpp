#include "pulsecast/train/past_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/model_declaration.h"
#include "pulsecast/settings/value_text.h"
#include "pulsecast/train/completion.h"
#include "pulsecast/train/plan.h"

namespace pulsecast::train {
namespace {

BackboneKind backbone_of(const Settings& settings) {
  return backbone_alone(settings.model.model).value_or(settings.model.backbone);
}

bool is_search(const Settings& settings) { return settings.training.budget != "none"; }

std::size_t count_past(const Series& series) {
  return static_cast<std::size_t>(std::ranges::count(series.channels, Role::kPast, &Channel::role));
}

// Of the stretches of `length` rows up to row `end`, how many have every value of the channel.
std::size_t whole_stretches(const Channel& channel, std::size_t end, std::size_t length) {
  std::size_t whole = 0;
  std::size_t run = 0;
  for (std::size_t row = 0; row < end; ++row) {
    run = std::isnan(channel.at(row)) ? 0 : run + 1;
    whole += run >= length ? 1 : 0;
  }
  return whole;
}

std::string left_out_text(const std::vector<std::string>& names, const std::string& why) {
  return fmt::format("{} left out ({}): {}",
                     counted(names.size(), "past column is", "past columns are"), joined(names),
                     why);
}

template <typename IsOut>
std::vector<std::string> leave_out(Series& series, IsOut is_out) {
  std::vector<std::string> names;
  std::erase_if(series.channels, [&](const Channel& channel) {
    if (channel.role != Role::kPast || !is_out(channel)) return false;
    names.push_back(channel.name);
    return true;
  });
  return names;
}

// Why no model reads any of them; empty where one does.
std::string why_unread(const Series& series, const Settings& settings) {
  if (!may_read_past(settings)) {
    return fmt::format("{} does not read them; itransformer, timexer and channel_linear do",
                       choice_name(backbone_of(settings)));
  }
  if (make_plan(series, settings).is_panel()) {
    return "windows of a panel are of one series and read no columns beside it";
  }
  return "";
}

}  // namespace

bool may_try_past_reader(const Settings& settings) {
  return is_search(settings) && settings.model.model == ModelKind::kPulse &&
         settings.model.backbone == BackboneKind::kMlp;
}

bool may_read_past(const Settings& settings) {
  return model::reads_past(backbone_of(settings)) || may_try_past_reader(settings);
}

std::vector<std::string> keep_what_models_read(Series& series, const Settings& told) {
  if (std::ranges::count(series.channels, Role::kTarget, &Channel::role) == 0) {
    throw_error(ErrorKind::kUsage, series.source,
                "no column is left to forecast: each is known in advance, past or ignored");
  }
  std::vector<std::string> said;
  if (count_past(series) == 0) return said;
  const Settings settings = complete(told);
  if (const std::string why = why_unread(series, settings); !why.empty()) {
    said.push_back(left_out_text(leave_out(series, [](const Channel&) { return true; }), why));
    return said;
  }
  if (!is_search(settings)) return said;
  const std::size_t lookback = make_plan(series, settings).shape.lookback;
  const std::size_t end = target_rows(series);
  const std::size_t all = end >= lookback ? end - lookback + 1 : 0;
  const std::vector<std::string> names = leave_out(series, [&](const Channel& channel) {
    return 10 * whole_stretches(channel, end, lookback) < 9 * all;
  });
  if (!names.empty()) {
    said.push_back(left_out_text(
        names, fmt::format("more than a tenth of the look-backs of {} would have a gap",
                           counted(lookback, "row"))));
  }
  return said;
}

}  // namespace pulsecast::train
