// For tests: tables from text, as if it were a file called "file.csv", and arrays as NumPy writes
// them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

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

// A file of NumPy; `shape` as Python writes it, "(2, 3)".
template <typename T>
std::string npy(const char* descr, const std::string& shape, const std::vector<T>& items,
                bool is_fortran = false) {
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr,
                                   is_fortran ? "True" : "False", shape);
  header.resize(118, ' ');
  header += '\n';
  std::string bytes = std::string("\x93NUMPY\x01\x00", 8);
  bytes += static_cast<char>(header.size());
  bytes += '\0';
  bytes += header;
  bytes.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
  return bytes;
}

}  // namespace pulsecast::testing
