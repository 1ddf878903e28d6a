// For tests: tables from text, as if it were a file called "file.csv".
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "pulsecast/base/error.h"
#include "pulsecast/data/readers/read_table.h"

namespace pulsecast::testing {

inline Table read_text(std::string_view text, const DataSettings& settings = {},
                       std::size_t threads = 1) {
  ThreadPool pool(threads);
  return read_table(memory_source(text), "file.csv", settings, pool);
}

// The message with which a text is refused; "" and a failed test where it is not.
inline std::string refusal(std::string_view text, const DataSettings& settings = {}) {
  try {
    read_text(text, settings);
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "was not refused: " << text.substr(0, 200);
  return "";
}

}  // namespace pulsecast::testing
