// Whether the files in a folder are the paper's datasets.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "pulsecast/base/thread_pool.h"
#include "pulsecast/data/paper/dataset.h"

namespace pulsecast {

struct DatasetCheck {
  enum class Verdict {
    kAbsent,       // no file of that name, with or without .gz
    kSame,         // its checksum is the one we know
    kShapeAgrees,  // we know no checksum; rows and columns are as they should be
    kDiffers,      // its checksum is another one, or rows and columns are
    kUnreadable,   // it cannot be read
  };
  const Dataset* dataset = nullptr;
  Verdict verdict = Verdict::kAbsent;
  std::string path;    // of the file, empty where it is absent
  std::string sha256;  // of its uncompressed bytes
  std::string detail;  // a clause that says what differs, or why it cannot be read
};

// "absent", "same", "shape agrees", "differs", "unreadable".
const char* name(DatasetCheck::Verdict verdict);

// The dataset's file in the folder, plain or compressed; empty where there is neither.
std::string dataset_file(const std::filesystem::path& folder, const Dataset& dataset);

// Of one; `folder` is there.
DatasetCheck check_dataset(const std::filesystem::path& folder, const Dataset& dataset,
                           ThreadPool& threads);

// One a dataset, in the registry's order. Throws Error(kInputOutput) where there is no such folder.
std::vector<DatasetCheck> check_datasets(const std::string& folder, ThreadPool& threads);

}  // namespace pulsecast
