#include "pulsecast/paper/anchors.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/folder.h"
#include "pulsecast/forecast/look_inside.h"
#include "pulsecast/report/tsne.h"

namespace pulsecast::paper {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMapWindows = 400;
constexpr std::size_t kMapChannels = 8;
constexpr std::size_t kDigits = 10000;  // places of a map are kept to so many of a unit

// Places and amplitudes to the digits that a picture shows.
double rounded(double value) {
  return std::round(value * static_cast<double>(kDigits)) / static_cast<double>(kDigits);
}

template <typename T>
Json rounded(const std::vector<T>& values) {
  Json all = Json::array();
  for (const T value : values) all.push_back(rounded(static_cast<double>(value)));
  return all;
}

}  // namespace

std::filesystem::path anchor_file(const std::filesystem::path& out, const benchmark::RunKey& key) {
  return out / "inside" / (benchmark::file_stem(key) + ".json");
}

AnchorView look_at_anchors(const benchmark::TestRows& rows, const model::Ensemble& trained,
                           ThreadPool& threads, const Watch& watch) {
  const Inside inside =
      look_inside(rows.series(), trained.lead(), rows.scaler(), rows.scaled(), rows.windows(),
                  {.most_windows = kMapWindows, .most_channels = kMapChannels}, threads, watch);
  AnchorView view;
  const auto add_spectrum = [&](const char* name, const std::vector<float>& values,
                                std::size_t length) {
    report::Spectrum spectrum = report::mean_spectrum(values, length);
    if (!spectrum.frequencies.empty()) view.spectra.push_back({name, std::move(spectrum)});
  };
  add_spectrum("history", inside.history, inside.lookback);
  add_spectrum("future", inside.truth, inside.horizon);
  add_spectrum("anchor of the future", inside.anchor, inside.horizon);
  const auto add_map = [&](const char* name, const std::vector<float>& values, std::size_t length) {
    report::PlanePlaces places =
        report::tsne(values, inside.windows, inside.channels * length, threads, {.watch = watch});
    view.maps.push_back({name, std::move(places.x), std::move(places.y)});
  };
  constexpr std::size_t kFewest = 12;
  if (inside.windows >= kFewest) {
    add_map("history", inside.history, inside.lookback);
    add_map("future", inside.truth, inside.horizon);
    add_map("anchor of the history", inside.past_anchor, inside.lookback);
    add_map("anchor of the future", inside.anchor, inside.horizon);
  }
  view.groups = {"0 to 6 h", "6 to 12 h", "12 to 18 h", "18 to 24 h"};
  for (std::size_t w = 0; w < inside.windows; ++w) {
    const Instant cutoff = inside.rows[w * inside.channels].cutoff;
    constexpr int kHoursAGroup = 6;
    view.group_of.push_back(
        static_cast<std::size_t>(rows.series().zone.to_wall(cutoff).hour / kHoursAGroup));
  }
  return view;
}

void write_anchors(const std::filesystem::path& file, const AnchorView& view) {
  Json spectra = Json::array();
  for (const auto& each : view.spectra) {
    spectra.push_back({{"name", each.name},
                       {"frequencies", each.spectrum.frequencies},
                       {"amplitudes", rounded(each.spectrum.amplitudes)}});
  }
  Json maps = Json::array();
  for (const auto& each : view.maps) {
    maps.push_back({{"name", each.name}, {"x", rounded(each.x)}, {"y", rounded(each.y)}});
  }
  make_folder(file.parent_path());
  const Json all = {
      {"spectra", spectra}, {"maps", maps}, {"groups", view.groups}, {"group_of", view.group_of}};
  write_file(file, std::string_view(all.dump()));
}

std::optional<AnchorView> read_anchors(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return std::nullopt;
  const Json all = Json::parse(stream, nullptr, false);
  if (!all.is_object()) return std::nullopt;
  AnchorView view;
  try {
    for (const Json& each : all.at("spectra")) {
      view.spectra.push_back({each.at("name"), {each.at("frequencies"), each.at("amplitudes")}});
    }
    for (const Json& each : all.at("maps")) {
      view.maps.push_back({each.at("name"), each.at("x"), each.at("y")});
    }
    view.groups = all.at("groups").get<std::vector<std::string>>();
    view.group_of = all.at("group_of").get<std::vector<std::size_t>>();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  for (const std::size_t group : view.group_of) {
    if (group >= view.groups.size()) return std::nullopt;
  }
  for (const auto& map : view.maps) {
    if (map.x.size() != view.group_of.size() || map.y.size() != map.x.size()) return std::nullopt;
  }
  return view;
}

}  // namespace pulsecast::paper
