#include "pulsecast/artifact/model_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "pulsecast/artifact/file_kind.h"
#include "pulsecast/artifact/metadata.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

constexpr const char* kMetadataKey = "pulsecast";
constexpr const char* kMeans = "scaler.mean";
constexpr const char* kScales = "scaler.scale";
constexpr const char* kParts = "series.parts";

std::vector<std::size_t> sizes_of(const autodiff::Shape& shape) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

// Names by which columns can be found, and roles in their order, as many as the shape has.
void check_channels(const Model& model, const model::ModelShape& shape, const std::string& where) {
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
  const std::size_t features = model.calendar.features.size() + known;
  if (count(Role::kTarget) == 0 || targets != shape.channels || features != shape.features ||
      static_cast<std::size_t>(model.calendar.period) != shape.period ||
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

// Weights are taken only when every one of them is there in its shape, and nothing else is.
void read_weights(const store::TensorFile& file, std::size_t others, model::Pulse& pulse,
                  const std::string& where) {
  autodiff::Parameters& parameters = pulse.parameters();
  for (const auto& view : parameters.views()) {
    const store::StoredTensor& stored = file.at(view.name);
    if (stored.shape != sizes_of(view.shape)) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' should have the shape {}",
                  view.name, autodiff::to_string(view.shape));
    }
    if (!std::ranges::all_of(stored.floats(), [](float value) { return std::isfinite(value); })) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' has values that are not finite",
                  view.name);
    }
  }
  if (file.tensors.size() != parameters.views().size() + others) {
    throw_error(ErrorKind::kModelFile, where, "it has {}, and its model {}",
                counted(file.tensors.size(), "tensor"), parameters.views().size() + others);
  }
  for (const auto& view : parameters.views()) {
    std::ranges::copy(file.at(view.name).floats(),
                      parameters.weights().subspan(view.offset).begin());
  }
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
    const model::ModelShape shape = decode_metadata(text->second, file.is_checked, where, model);
    check_channels(model, shape, where);
    model.scaler = read_scaler(file, model.channels.size(), where);
    model.pulse = std::make_unique<model::Pulse>(shape);
    if (model.is_panel()) {
      model.series = read_parts(file,
                                static_cast<std::size_t>(std::ranges::count(
                                    model.channels, Role::kTarget, &ChannelInfo::role)),
                                where);
    }
    read_weights(file, model.is_panel() ? 3 : 2, *model.pulse, where);
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
  if (model.is_panel()) {
    std::vector<double> stamps;
    for (const SeriesParts& parts : model.series) {
      for (const Instant stamp : {parts.first, parts.trained, parts.validated}) {
        stamps.push_back(static_cast<double>(stamp.milliseconds));
      }
    }
    file.tensors.push_back(store::store_doubles(kParts, {model.series.size(), 3}, stamps));
  }
  const autodiff::Parameters& parameters = model.pulse->parameters();
  for (const auto& view : parameters.views()) {
    file.tensors.push_back(
        store::store_floats(view.name, sizes_of(view.shape),
                            parameters.weights().subspan(view.offset, view.shape.count())));
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
