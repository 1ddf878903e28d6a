// Every file with its truth.
#pragma once

#include "pulsecast/testing/files/true_files_of_layouts.h"
#include "pulsecast/testing/files/true_files_of_packings.h"
#include "pulsecast/testing/files/true_files_of_stamps.h"
#include "pulsecast/testing/files/true_files_of_values.h"

namespace pulsecast::testing {

inline std::vector<TrueFile> true_files() {
  std::vector<TrueFile> all = files_of_layouts();
  for (const auto& more : {files_of_stamps(), files_of_values(), files_of_packings()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

}  // namespace pulsecast::testing
