// What was done, and what was found.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace pulsecast::torture {

class Ledger {
 public:
  void count(const std::string& attack, const std::string& of) { ++counts_[attack][of]; }

  // Something that must not happen; said at once, with how to have it again.
  void find(const std::string& what) {
    ++findings_;
    say(what);
  }
  std::size_t findings() const { return findings_; }

  void begin_round(std::uint64_t seed, std::uint64_t round) {
    seed_ = seed;
    round_ = round;
  }
  // A line an attack: "kills 1044: benchmark 150, refit 230, ...".
  std::string to_text() const;

 private:
  void say(const std::string& what) const;

  std::map<std::string, std::map<std::string, std::size_t>> counts_;
  std::size_t findings_ = 0;
  std::uint64_t seed_ = 0;
  std::uint64_t round_ = 0;
};

}  // namespace pulsecast::torture
