#include "pulsecast/data/series/series_checksum.h"

#include "pulsecast/base/sha256.h"

namespace pulsecast {
namespace {

template <typename T>
std::string_view bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

}  // namespace

std::string series_checksum(const Series& series) {
  Sha256 sum;
  sum.add(series.zone.name() + "\n" + series.step.to_string() + "\n");
  sum.add(bytes_of(series.stamps));
  for (const Channel& channel : series.channels) {
    sum.add(channel.name + "\n" + name(channel.role) + "\n");
    sum.add(bytes_of(channel.values));
  }
  for (const StaticColumn& column : series.statics) {
    sum.add(column.name + "\n");
    for (const std::string& value : column.values) sum.add(value + "\n");
  }
  return sum.digest();
}

}  // namespace pulsecast
