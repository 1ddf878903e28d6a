#include "pulsecast/paper/kept.h"

#include <fstream>

#include "pulsecast/base/atomic_file.h"

namespace pulsecast::paper {

using Json = nlohmann::json;

Kept::Kept(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream stream(file_);
  if (!stream) return;
  Json read = Json::parse(stream, nullptr, false);
  if (read.is_object()) all_ = std::move(read);
}

Json Kept::of(const std::string& key, const std::function<Json()>& measure) {
  const auto found = all_.find(key);
  if (found != all_.end()) return *found;
  Json value = measure();
  all_[key] = value;
  write_file(file_, std::string_view(all_.dump(1)));
  return value;
}

}  // namespace pulsecast::paper
