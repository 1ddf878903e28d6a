#include "pulsecast/data/table/frame.h"

#include "pulsecast/base/throw_error.h"

namespace pulsecast {
namespace {

Frame::Column column_of(std::string name, const double* values, std::size_t count,
                        std::size_t stride) {
  return {std::move(name), values, nullptr, count, stride};
}

Frame::Column column_of(std::string name, const float* values, std::size_t count,
                        std::size_t stride) {
  return {std::move(name), nullptr, values, count, stride};
}

}  // namespace

Frame& Frame::stamps(std::span<const std::int64_t> milliseconds) {
  stamps_ = {milliseconds.data(), nullptr, milliseconds.size()};
  return *this;
}

Frame& Frame::stamps(std::span<const Instant> instants) {
  static_assert(sizeof(Instant) == sizeof(std::int64_t));
  stamps_ = {instants.empty() ? nullptr : &instants.front().milliseconds, nullptr, instants.size()};
  return *this;
}

Frame& Frame::stamps(std::span<const std::string> texts) {
  stamps_ = {nullptr, texts.data(), texts.size()};
  return *this;
}

Frame& Frame::ids(std::span<const std::string> ids) {
  ids_ = ids;
  return *this;
}

Frame& Frame::column(std::string name, std::span<const double> values) {
  columns_.push_back(column_of(std::move(name), values.data(), values.size(), 1));
  return *this;
}

Frame& Frame::column(std::string name, std::span<const float> values) {
  columns_.push_back(column_of(std::move(name), values.data(), values.size(), 1));
  return *this;
}

Frame& Frame::rows(const std::vector<std::string>& names, std::span<const double> values) {
  add_rows(names, values);
  return *this;
}

Frame& Frame::rows(const std::vector<std::string>& names, std::span<const float> values) {
  add_rows(names, values);
  return *this;
}

template <typename Value>
void Frame::add_rows(const std::vector<std::string>& names, std::span<const Value> values) {
  if (names.empty() || values.size() % names.size() != 0) {
    throw_error(ErrorKind::kUsage, source_, "{} values do not make rows of {} columns",
                values.size(), names.size());
  }
  for (std::size_t c = 0; c < names.size(); ++c) {
    columns_.push_back(
        column_of(names[c], values.data() + c, values.size() / names.size(), names.size()));
  }
}

}  // namespace pulsecast
