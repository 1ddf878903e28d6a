#include "tests/torture/ledger.h"

#include <fmt/format.h>

namespace pulsecast::torture {

std::string Ledger::to_text() const {
  std::string text;
  for (const auto& [attack, kinds] : counts_) {
    std::size_t sum = 0;
    std::string parts;
    for (const auto& [kind, count] : kinds) {
      sum += count;
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", kind, count);
    }
    text += fmt::format("{:<9} {:>6}  {}\n", attack, sum, parts);
  }
  return text;
}

void Ledger::say(const std::string& what) const {
  fmt::print(stderr, "FINDING in round {}: {}\n  again: ./dev torture 0 {} {}\n", round_, what,
             seed_, round_);
}

}  // namespace pulsecast::torture
