#include "pulsecast/autodiff/parameters.h"

#include <algorithm>
#include <cassert>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::autodiff {
namespace {

// FNV-1a: a fixed function of the name, the same on every machine.
std::uint32_t name_hash(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash;
}

random::Stream stream_of(const std::string& name, std::uint64_t seed) {
  return {
      .seed = seed, .purpose = random::Purpose::kInitialise, .epoch = 0, .step = name_hash(name)};
}

// With memory for the weights.
const Parameters& filled(Parameters& parameters) {
  parameters.weights();
  return parameters;
}

}  // namespace

ParameterId Parameters::add(std::string name, const Shape& shape) {
  if (shape.count() == 0) {
    throw_error(ErrorKind::kUsage, name, "a parameter needs sizes of at least 1, got {}",
                to_string(shape));
  }
  for (const View& view : views_) {
    if (view.name == name)
      throw_error(ErrorKind::kUsage, name, "there is such a parameter already");
  }
  views_.push_back({.name = std::move(name), .shape = shape, .offset = count_});
  count_ += shape.count();
  return {views_.size() - 1};
}

ParameterId Parameters::add_buffer(std::string name, const Shape& shape) {
  const ParameterId id = add(std::move(name), shape);
  views_[id.index].is_learned = false;
  return id;
}

std::size_t Parameters::learned_count() const {
  std::size_t learned = 0;
  for (const View& view : views_) learned += view.is_learned ? view.shape.count() : 0;
  return learned;
}

std::span<float> Parameters::weights() {
  weights_.resize(count_);
  return weights_;
}

std::span<float> Parameters::weights(ParameterId id) {
  const View& view = views_[id.index];
  return weights().subspan(view.offset, view.shape.count());
}

void Parameters::fill_uniform(ParameterId id, std::uint64_t seed, float low, float high) {
  const random::Stream stream = stream_of(view(id).name, seed);
  std::uint64_t index = 0;
  for (float& weight : weights(id)) {
    weight = low + (high - low) * static_cast<float>(random::uniform(stream, index++));
  }
}

void Parameters::fill_normal(ParameterId id, std::uint64_t seed, float deviation) {
  const random::Stream stream = stream_of(view(id).name, seed);
  std::uint64_t index = 0;
  for (float& weight : weights(id)) {
    weight = deviation * static_cast<float>(random::normal(stream, index++));
  }
}

void Parameters::fill(ParameterId id, float value) { std::ranges::fill(weights(id), value); }

ParameterId Parameters::find(std::string_view name) const {
  std::string known;
  for (std::size_t i = 0; i < views_.size(); ++i) {
    if (views_[i].name == name) return {i};
    known += (i == 0 ? "" : ", ") + views_[i].name;
  }
  throw_error(ErrorKind::kUsage, std::string(name), "no such parameter; there are: {}", known);
}

GradientLayout::GradientLayout(const Parameters& parameters, std::span<const std::size_t> shared)
    : count_(parameters.count()) {
  for (const Parameters::View& view : parameters.views()) {
    pieces_.push_back({view.offset, view.shape.count()});
  }
  for (const std::size_t count : shared) {
    pieces_.push_back({count_, count});
    count_ += count;
  }
}

BoundParameters::BoundParameters(const Parameters& parameters) {
  // A tensor has one type of pointer for what is read and what is written; operations write only to
  // what they make themselves.
  float* const weights = const_cast<float*>(parameters.weights().data());
  assert(parameters.weights().size() == parameters.count());
  tensors_.reserve(parameters.views().size());
  for (const Parameters::View& view : parameters.views()) {
    tensors_.push_back({weights + view.offset, view.shape, nullptr});
  }
}

BoundParameters::BoundParameters(Parameters& parameters, std::span<float> gradients)
    : BoundParameters(parameters, GradientLayout(parameters)) {
  bind(GradientLayout(parameters), gradients.data());
}

BoundParameters::BoundParameters(Parameters& parameters, const GradientLayout& layout)
    : BoundParameters(filled(parameters)) {
  slots_.resize(layout.pieces().size());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (parameters.views()[i].is_learned) tensors_[i].slot = &slots_[i];
  }
}

void BoundParameters::bind(const GradientLayout& layout, float* gradients) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i] = {gradients + layout.pieces()[i].offset, false};
  }
}

}  // namespace pulsecast::autodiff
