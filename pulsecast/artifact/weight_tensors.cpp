#include "pulsecast/artifact/weight_tensors.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "pulsecast/base/throw_error.h"

namespace pulsecast::artifact {
namespace {

std::vector<std::size_t> sizes_of(const autodiff::Shape& shape) {
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < shape.rank(); ++i) sizes.push_back(shape[i]);
  return sizes;
}

}  // namespace

void add_weights(const std::string& prefix, const autodiff::Parameters& parameters,
                 store::TensorFile& file) {
  for (const auto& view : parameters.views()) {
    file.tensors.push_back(
        store::store_floats(prefix + view.name, sizes_of(view.shape),
                            parameters.weights().subspan(view.offset, view.shape.count())));
  }
}

void read_weights(const store::TensorFile& file, const std::string& prefix,
                  autodiff::Parameters& parameters, const std::string& where) {
  for (const auto& view : parameters.views()) {
    const store::StoredTensor& stored = file.at(prefix + view.name);
    if (stored.shape != sizes_of(view.shape)) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' should have the shape {}",
                  prefix + view.name, autodiff::to_string(view.shape));
    }
    if (!std::ranges::all_of(stored.floats(), [](float value) { return std::isfinite(value); })) {
      throw_error(ErrorKind::kModelFile, where, "its tensor '{}' has values that are not finite",
                  prefix + view.name);
    }
  }
  for (const auto& view : parameters.views()) {
    std::ranges::copy(file.at(prefix + view.name).floats(),
                      parameters.weights().subspan(view.offset).begin());
  }
}

}  // namespace pulsecast::artifact
