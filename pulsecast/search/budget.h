// What a search may cost: seconds, or steps, with which it ends with the same bits on any machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pulsecast::search {

struct Budget {
  std::optional<double> seconds;
  std::optional<std::int64_t> steps;  // of all candidates together
};

// "30s", "5m", "2h", "2000steps"; "auto" is so many seconds as fit `values` of targets; none for
// "none". Throws Error(kUsage) for anything else.
std::optional<Budget> parse_budget(std::string_view text, std::size_t values);

// "30 s", "5 min", "2000 steps"
std::string to_text(const Budget& budget);

}  // namespace pulsecast::search
