#include "pulsecast/benchmark/window_errors.h"

#include <span>

#include "pulsecast/store/safetensors.h"

namespace pulsecast::benchmark {
namespace {

struct Field {
  const char* name;
  std::vector<float>& (*of)(WindowErrors&);
};

constexpr Field kFields[] = {
    {"squared", [](WindowErrors& e) -> std::vector<float>& { return e.squared; }},
    {"absolute", [](WindowErrors& e) -> std::vector<float>& { return e.absolute; }},
    {"step_squared", [](WindowErrors& e) -> std::vector<float>& { return e.step_squared; }},
    {"step_absolute", [](WindowErrors& e) -> std::vector<float>& { return e.step_absolute; }},
    {"example.history", [](WindowErrors& e) -> std::vector<float>& { return e.example.history; }},
    {"example.truth", [](WindowErrors& e) -> std::vector<float>& { return e.example.truth; }},
    {"example.forecast", [](WindowErrors& e) -> std::vector<float>& { return e.example.forecast; }},
};

}  // namespace

void write_errors(const std::filesystem::path& path, const WindowErrors& errors) {
  WindowErrors copy = errors;
  store::TensorFile file;
  for (const Field& field : kFields) {
    const std::vector<float>& values = field.of(copy);
    file.tensors.push_back(store::store_floats(field.name, {values.size()}, values));
  }
  file.tensors.push_back(
      store::store_doubles("first_rows", {copy.first_rows.size()}, copy.first_rows));
  file.metadata["channel"] = errors.example.channel;
  store::write_tensors(path, file);
}

WindowErrors read_errors(const std::filesystem::path& path) {
  const store::TensorFile file = store::read_tensors(path);
  WindowErrors errors;
  for (const Field& field : kFields) {
    const std::span<const float> values = file.at(field.name).floats();
    field.of(errors).assign(values.begin(), values.end());
  }
  const std::span<const double> rows = file.at("first_rows").doubles();
  errors.first_rows.assign(rows.begin(), rows.end());
  const auto channel = file.metadata.find("channel");
  if (channel != file.metadata.end()) errors.example.channel = channel->second;
  return errors;
}

}  // namespace pulsecast::benchmark
