// For tests: tables from text, as if it were a file called "file.csv", and archives of arrays.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zip.h>

#include <map>
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

// An archive of such files.
inline std::string npz(const std::map<std::string, std::string>& entries, bool is_deflated) {
  zip_error_t error;
  zip_source_t* buffer = zip_source_buffer_create(nullptr, 0, 0, &error);
  zip_source_keep(buffer);
  zip_t* archive = zip_open_from_source(buffer, ZIP_CREATE | ZIP_TRUNCATE, &error);
  for (const auto& [name, bytes] : entries) {
    zip_source_t* entry = zip_source_buffer(archive, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(archive, name.c_str(), entry, 0);
    zip_set_file_compression(archive, static_cast<zip_uint64_t>(index),
                             is_deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  zip_close(archive);
  zip_source_open(buffer);
  zip_stat_t status;
  zip_source_stat(buffer, &status);
  std::string bytes(status.size, '\0');
  zip_source_read(buffer, bytes.data(), bytes.size());
  zip_source_close(buffer);
  zip_source_free(buffer);
  return bytes;
}

}  // namespace pulsecast::testing
