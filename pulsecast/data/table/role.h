// What a column is to a forecast.
#pragma once

namespace pulsecast {

enum class Role {
  kTarget,   // to be forecast
  kKnown,    // known in advance: values go on past the last row with targets
  kPast,     // seen up to now only
  kIgnored,  // read past; never in a Table
};

// "target", "known", "past", "ignored".
const char* name(Role role);

}  // namespace pulsecast
