// What was measured beside the trainings, kept in OUT/measured.json so that it is measured once. A
// file that cannot be read is begun anew.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

namespace pulsecast::paper {

class Kept {
 public:
  explicit Kept(std::filesystem::path file);

  // What is kept under the key, else what `measure` gives, which is written at once.
  nlohmann::json of(const std::string& key, const std::function<nlohmann::json()>& measure);

 private:
  std::filesystem::path file_;
  nlohmann::json all_ = nlohmann::json::object();
};

}  // namespace pulsecast::paper
