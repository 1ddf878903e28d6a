#include "pulsecast/train/warm_start.h"

#include <algorithm>
#include <map>
#include <optional>

namespace pulsecast::train {
namespace {

using autodiff::Parameters;
using autodiff::Shape;
using View = Parameters::View;

std::map<std::string_view, const View*> by_name(const Parameters& parameters) {
  std::map<std::string_view, const View*> views;
  for (const View& view : parameters.views()) views[view.name] = &view;
  return views;
}

// The dimension of a weight that counts channels, which a model with one more channel shows.
std::optional<std::size_t> channel_dimension(const Shape& own, const Shape& with_one_more) {
  for (std::size_t i = 0; i < own.rank(); ++i) {
    if (own[i] != with_one_more[i]) return i;
  }
  return std::nullopt;
}

bool fits(const Shape& old, const Shape& own, std::optional<std::size_t> channels) {
  if (old.rank() != own.rank()) return false;
  for (std::size_t i = 0; i < own.rank(); ++i) {
    if (i != channels && old[i] != own[i]) return false;
  }
  return true;
}

// Of a weight (before, channels, after): the row of each new channel from where the old model has
// it, or the mean of its rows.
void copy_channels(std::span<const float> old, const Shape& old_shape, std::span<float> own,
                   const Shape& shape, std::size_t dimension,
                   std::span<const std::optional<std::size_t>> from) {
  std::size_t before = 1;
  std::size_t after = 1;
  for (std::size_t i = 0; i < dimension; ++i) before *= shape[i];
  for (std::size_t i = dimension + 1; i < shape.rank(); ++i) after *= shape[i];
  const std::size_t channels = old_shape[dimension];
  for (std::size_t b = 0; b < before; ++b) {
    for (std::size_t c = 0; c < from.size(); ++c) {
      float* out = own.data() + (b * from.size() + c) * after;
      const float* rows = old.data() + b * channels * after;
      if (from[c]) {
        std::copy_n(rows + *from[c] * after, after, out);
        continue;
      }
      for (std::size_t a = 0; a < after; ++a) {
        double sum = 0.0;
        for (std::size_t k = 0; k < channels; ++k) sum += static_cast<double>(rows[k * after + a]);
        out[a] = static_cast<float>(sum / static_cast<double>(channels));
      }
    }
  }
}

}  // namespace

WarmStart warm_start(const model::Pulse& old, std::span<const std::string> old_channels,
                     model::Pulse& pulse, std::span<const std::string> channels) {
  WarmStart start;
  std::vector<std::optional<std::size_t>> from;
  for (const std::string& channel : channels) {
    const auto found = std::ranges::find(old_channels, channel);
    if (found == old_channels.end()) {
      from.emplace_back();
      start.new_channels.push_back(channel);
    } else {
      from.emplace_back(found - old_channels.begin());
    }
  }
  model::ModelShape one_more = pulse.shape();
  ++one_more.channels;
  const model::Pulse larger(one_more);  // its layout alone: no memory is taken for weights
  const auto larger_views = by_name(larger.parameters());
  const auto old_views = by_name(old.parameters());
  Parameters& parameters = pulse.parameters();
  for (const View& view : parameters.views()) {
    if (view.name.starts_with("companion.")) continue;
    ++start.all;
    const auto found = old_views.find(view.name);
    const auto dimension = channel_dimension(view.shape, larger_views.at(view.name)->shape);
    if (found == old_views.end() || !fits(found->second->shape, view.shape, dimension)) {
      start.anew.push_back(view.name);
      continue;
    }
    ++start.kept;
    const View& theirs = *found->second;
    const auto values = old.parameters().weights().subspan(theirs.offset, theirs.shape.count());
    const auto own = parameters.weights().subspan(view.offset, view.shape.count());
    if (dimension) {
      copy_channels(values, theirs.shape, own, view.shape, *dimension, from);
    } else {
      std::ranges::copy(values, own.begin());
    }
  }
  return start;
}

}  // namespace pulsecast::train
