#include "pulsecast/artifact/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "pulsecast/artifact/effect_tensors.h"
#include "pulsecast/artifact/file_kind.h"
#include "pulsecast/artifact/metadata.h"
#include "pulsecast/artifact/range_tensors.h"
#include "pulsecast/artifact/static_tensors.h"
#include "pulsecast/artifact/weight_tensors.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

constexpr const char* kMetadataKey = "pulsecast";
constexpr const char* kMeans = "scaler.mean";
constexpr const char* kScales = "scaler.scale";
constexpr const char* kParts = "series.parts";

// Names by which columns can be found, and roles in their order, as many as the shape has.
void check_channels(const Model& model, std::span<const MemberShape> shapes,
                    const std::string& where) {
  const model::ModelShape& shape = shapes.front().shape;
  std::set<std::string_view> names;
  for (const ChannelInfo& channel : model.channels) names.insert(channel.name);
  if (names.size() != model.channels.size() || names.contains("")) {
    throw_error(ErrorKind::kModelFile, where, "its channels should have names, each its own");
  }
  const auto count = [&](Role role) {
    return static_cast<std::size_t>(std::ranges::count(model.channels, role, &ChannelInfo::role));
  };
  // The known columns of a panel may be each series' own.
  const std::size_t targets = model.is_panel() ? 1 : count(Role::kTarget);
  const std::size_t known =
      model.is_panel() && count(Role::kKnown) % count(Role::kTarget) == 0 &&
              model.channels.size() > count(Role::kTarget) &&
              shape.features < model.calendar.features.size() + count(Role::kKnown)
          ? count(Role::kKnown) / count(Role::kTarget)
          : count(Role::kKnown);
  const std::size_t features =
      model.calendar.features.size() + (model.known_are_inputs() ? known : 0);
  const std::size_t past = model.is_panel() ? 0 : count(Role::kPast);
  const bool past_fits = std::ranges::all_of(shapes, [&](const MemberShape& each) {
    return each.shape.past == 0 || each.shape.past == past;
  });
  if (count(Role::kTarget) == 0 || targets != shape.channels || features != shape.features ||
      !past_fits || static_cast<std::size_t>(model.calendar.period) != shape.period ||
      !std::ranges::is_sorted(model.channels, {}, &ChannelInfo::role)) {
    throw_error(ErrorKind::kModelFile, where,
                "its channels and calendar do not fit the shape of its weights");
  }
}

Scaler read_scaler(const store::TensorFile& file, std::size_t channels, const std::string& where) {
  const auto means = file.at(kMeans).doubles();
  const auto scales = file.at(kScales).doubles();
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const auto is_scale = [](double value) { return std::isfinite(value) && value > 0.0; };
  if (means.size() != channels || scales.size() != channels ||
      !std::ranges::all_of(means, is_finite) || !std::ranges::all_of(scales, is_scale)) {
    throw_error(ErrorKind::kModelFile, where,
                "its scaler should have a finite mean and a positive scale for each of {}",
                counted(channels, "channel"));
  }
  return {{means.begin(), means.end()}, {scales.begin(), scales.end()}};
}

std::vector<SeriesParts> read_parts(const store::TensorFile& file, std::size_t targets,
                                    const std::string& where) {
  const auto numbers = file.at(kParts).doubles();
  const auto is_stamp = [](double value) {
    return value >= static_cast<double>(kEarliestInstant.milliseconds) &&
           value <= static_cast<double>(kLatestInstant.milliseconds) && value == std::floor(value);
  };
  if (numbers.size() != 3 * targets || !std::ranges::all_of(numbers, is_stamp)) {
    throw_error(ErrorKind::kModelFile, where,
                "its tensor '{}' should have three stamps for each "
                "of {}",
                kParts, counted(targets, "series", "series"));
  }
  std::vector<SeriesParts> parts;
  const auto stamp = [&](std::size_t i) { return Instant{static_cast<std::int64_t>(numbers[i])}; };
  for (std::size_t s = 0; s < targets; ++s) {
    parts.push_back({stamp(3 * s), stamp(3 * s + 1), stamp(3 * s + 2)});
  }
  return parts;
}

// What the names of a member's weights begin with.
std::string prefix_of(std::size_t member) {
  return member == 0 ? std::string() : fmt::format("other.{}.", member);
}

// Nothing is in the file beside the weights of all members and `others`.
model::Ensemble read_members(const store::TensorFile& file, std::span<const MemberShape> shapes,
                             std::size_t others, const std::string& where) {
  std::vector<model::Member> members;
  std::size_t tensors = others;
  for (const MemberShape& each : shapes) {
    auto pulse = std::make_unique<model::Pulse>(each.shape);
    read_weights(file, prefix_of(members.size()), pulse->parameters(), where);
    tensors += pulse->parameters().views().size();
    members.push_back({std::move(pulse), each.share});
  }
  if (file.tensors.size() != tensors) {
    throw_error(ErrorKind::kModelFile, where, "it has {}, and its model {}",
                counted(file.tensors.size(), "tensor"), tensors);
  }
  return model::Ensemble(std::move(members));
}

}  // namespace

Model decode_model(const store::TensorFile& file, const std::string& where) {
  const auto text = file.metadata.find(kMetadataKey);
  if (text == file.metadata.end()) {
    throw_error(ErrorKind::kModelFile, where,
                "a safetensors file, but not a model of pulsecast: its metadata has no entry '{}'",
                kMetadataKey);
  }
  try {
    Model model;
    const std::vector<MemberShape> shapes =
        decode_metadata(text->second, file.is_checked, where, model);
    check_channels(model, shapes, where);
    model.scaler = read_scaler(file, model.channels.size(), where);
    const bool has_effects = has_effect_tensors(file);
    if (has_effects) model.effects = read_effects(file, model.channels, model.is_panel(), where);
    if (model.is_panel()) {
      model.series = read_parts(file,
                                static_cast<std::size_t>(std::ranges::count(
                                    model.channels, Role::kTarget, &ChannelInfo::role)),
                                where);
    }
    const bool has_profiles = model.is_panel() && has_static_tensors(file);
    if (has_profiles) model.profiles = read_profiles(file, model.calendar, where);
    const std::size_t others = 2 + (model.is_panel() ? 1 : 0) + (has_effects ? kEffectTensors : 0) +
                               count_range_tensors(file) + (has_profiles ? kStaticTensors : 0);
    model.ensemble = read_members(file, shapes, others, where);
    if (has_range_tensors(file)) {
      const model::ModelShape& shape = shapes.front().shape;
      model.ranges = read_ranges(file,
                                 {.sets = model.is_panel() ? 0 : shape.channels,
                                  .channels = shape.channels,
                                  .horizon = shape.horizon,
                                  .period = shape.period},
                                 where);
    }
    return model;
  } catch (const Error& error) {
    if (error.where() == where) throw;
    // From deeper: a tensor that is not there, a shape that cannot be.
    throw Error(ErrorKind::kModelFile, fmt::format("{}: {}", error.where(), error.message()),
                where);
  }
}

store::TensorFile encode_model(const Model& model) {
  store::TensorFile file;
  file.metadata[kMetadataKey] = encode_metadata(model);
  const std::size_t channels = model.channels.size();
  file.tensors.push_back(store::store_doubles(kMeans, {channels}, model.scaler.means()));
  file.tensors.push_back(store::store_doubles(kScales, {channels}, model.scaler.scales()));
  if (model.effects) add_effects(*model.effects, file);
  if (model.profiles) add_profiles(*model.profiles, file);
  if (model.is_panel()) {
    std::vector<double> stamps;
    for (const SeriesParts& parts : model.series) {
      for (const Instant stamp : {parts.first, parts.trained, parts.validated}) {
        stamps.push_back(static_cast<double>(stamp.milliseconds));
      }
    }
    file.tensors.push_back(store::store_doubles(kParts, {model.series.size(), 3}, stamps));
  }
  if (model.ranges) add_ranges(*model.ranges, model.shape().period, file);
  const std::span<const model::Member> members = model.ensemble.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    add_weights(prefix_of(i), std::as_const(*members[i].pulse).parameters(), file);
  }
  return file;
}

Model parse_model(std::string_view bytes, const std::string& where) {
  return decode_model(store::decode_tensors(std::as_bytes(std::span(bytes)), where), where);
}

std::string model_bytes(const Model& model) { return store::encode_tensors(encode_model(model)); }

Model load_model(const std::filesystem::path& path) {
  try {
    return decode_model(store::read_tensors(path), path.string());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kModelFile) throw;
    const FileKind kind = file_kind(path);
    if (kind == FileKind::kTensors || kind == FileKind::kUnknown) throw;
    throw_error(ErrorKind::kModelFile, path.string(),
                "no model file: it is {}. 'pulsecast train' makes a model from rows",
                description(kind));
  }
}

void save_model(const std::filesystem::path& path, const Model& model) {
  store::write_tensors(path, encode_model(model));
}

}  // namespace pulsecast::artifact
