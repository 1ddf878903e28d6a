#include "pulsecast/forecast/align.h"

#include <algorithm>
#include <iterator>

#include "pulsecast/base/throw_error.h"
#include "pulsecast/settings/value_text.h"

namespace pulsecast {

DataSettings reading_settings(const artifact::Model& model) {
  DataSettings settings = model.settings.data;
  if (settings.layout != Layout::kLong) {
    settings.target.clear();
    settings.known.clear();
    settings.past.clear();
    settings.ignore.clear();
    settings.drop.clear();
    for (const artifact::ChannelInfo& channel : model.channels) {
      std::vector<std::string>& names = channel.role == Role::kTarget  ? settings.target
                                        : channel.role == Role::kKnown ? settings.known
                                                                       : settings.past;
      names.push_back(channel.name);
    }
    settings.others = Others::kIgnore;
  }
  if (settings.fill == Fill::kRefuse) settings.fill = Fill::kNone;
  // A short file of new rows may not show its step and zone; the model knows them.
  if (!settings.step && !settings.resample) settings.step = model.step.to_string();
  return settings;
}

void require_same_time(const Series& series, const artifact::Model& model) {
  if (!(series.step == model.step)) {
    throw_error(ErrorKind::kData, series.source,
                "the model was trained on steps of {}, these rows have steps of {}",
                model.step.to_string(), series.step.to_string());
  }
  if (series.zone != model.zone) {
    throw_error(ErrorKind::kData, series.source,
                "the model was trained in the time zone {}, these rows are in {}",
                model.zone.name(), series.zone.name());
  }
}

AlignedSeries::AlignedSeries(const Series& series, const artifact::Model& model)
    : series_(series), is_as_it_is_(series.channels.size() == model.channels.size()) {
  require_same_time(series, model);
  std::vector<std::string> missing;
  channels_.reserve(model.channels.size());
  for (std::size_t c = 0; c < model.channels.size(); ++c) {
    const artifact::ChannelInfo& wanted = model.channels[c];
    // Most often it is where the model has it.
    auto found = series.channels.begin() + static_cast<std::ptrdiff_t>(c);
    if (c >= series.channels.size() || found->name != wanted.name) {
      found = std::ranges::find(series.channels, wanted.name, &Channel::name);
      is_as_it_is_ = false;
    }
    if (found == series.channels.end()) {
      missing.push_back(wanted.name);
      continue;
    }
    is_as_it_is_ &= found->role == wanted.role;
    channels_.push_back(&*found);
    if (wanted.role == Role::kTarget) {
      target_rows_ = std::max(target_rows_, rows_with_values(*found).end);
    }
  }
  if (missing.empty()) return;
  constexpr std::size_t kMost = 12;
  const std::size_t shown = std::min(kMost, missing.size());
  throw_error(ErrorKind::kData, series.source, "the model needs {} that {} not there: {}{}",
              missing.size() == 1 ? "a column" : "columns", missing.size() == 1 ? "is" : "are",
              joined(std::span(missing).first(shown)),
              missing.size() > shown ? fmt::format(" and {} more", missing.size() - shown) : "");
}

std::vector<std::string> unknown_targets(const Series& series, const artifact::Model& model) {
  std::vector<std::string> unknown;
  if (model.is_panel()) return unknown;
  for (const Channel& channel : series.channels) {
    const bool is_known = std::ranges::find(model.channels, channel.name,
                                            &artifact::ChannelInfo::name) != model.channels.end();
    if (channel.role == Role::kTarget && !is_known) unknown.push_back(channel.name);
  }
  return unknown;
}

std::vector<std::string> new_columns(const std::vector<std::string>& unread,
                                     const artifact::Model& model) {
  const DataSettings& trained = model.settings.data;
  const bool took_all = trained.target.empty() &&
                        (trained.others == Others::kFound || trained.others == Others::kTarget);
  std::vector<std::string> names;
  if (!took_all) return names;
  for (const std::string& name : unread) {
    const auto has = [&](const std::vector<std::string>& list) {
      return std::ranges::count(list, name) > 0;
    };
    if (!has(trained.ignore) && !has(trained.drop) && !has(trained.past)) names.push_back(name);
  }
  return names;
}

Series align(Series series, const artifact::Model& model) {
  if (model.is_panel()) {  // series are found by their names, and those that are not there are new
    require_same_time(series, model);
    return series;
  }
  const AlignedSeries aligned(series, model);
  if (aligned.is_as_it_is()) return series;
  std::vector<Channel> channels;
  for (std::size_t c = 0; c < model.channels.size(); ++c) {
    // Where the series has its values: names are the model's, and each its own.
    Channel& from = const_cast<Channel&>(aligned.channel(c));
    channels.push_back(
        {from.name, model.channels[c].role, std::move(from.values), from.begin, from.series});
  }
  series.channels = std::move(channels);
  return series;
}

CalendarPlan calendar_for(const Series& series, const artifact::Model& model) {
  CalendarPlan plan = model.calendar;
  if (plan.phase == PhaseSource::kTimestamp || series.stamps.empty()) return plan;
  const std::int64_t steps =
      series.step.between(model.phase_origin, series.stamps.front(), series.zone);
  const std::int64_t phase = steps % plan.period;
  plan.first_phase = static_cast<std::int32_t>(phase < 0 ? phase + plan.period : phase);
  return plan;
}

}  // namespace pulsecast
