// For tests: an archive made in memory.
#pragma once

#include <zip.h>

#include <map>
#include <string>

namespace pulsecast::testing {

// The bytes of each file by its name.
inline std::string zipped(const std::map<std::string, std::string>& entries, bool is_deflated) {
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
