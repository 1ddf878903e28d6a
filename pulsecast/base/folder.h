// Folders to write into.
#pragma once

#include <filesystem>

namespace pulsecast {

// Makes the folder, and those that it lies in, where they are not there. Throws
// Error(kInputOutput).
void make_folder(const std::filesystem::path& folder);

}  // namespace pulsecast
