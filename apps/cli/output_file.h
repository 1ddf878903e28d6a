// Where a verb is to write its result, looked at before the work: hours of training must not end in
// a file that cannot be written, nor a forecast in the rows that it was made from.
#pragma once

#include <filesystem>
#include <initializer_list>

namespace pulsecast::cli {

// `others` are files that the command reads or writes too; "-" is none. Throws Error(kUsage) where
// `path` is one of them, Error(kInputOutput) where it cannot be written. `flag` is the one to
// blame.
void require_writable(const std::filesystem::path& path, const char* flag,
                      std::initializer_list<std::filesystem::path> others);

}  // namespace pulsecast::cli
