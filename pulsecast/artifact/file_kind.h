// What a file that was given for a model is instead, told by its first bytes.
//
// A model named where rows belong, and the other way round, is the usual mistake; a message about
// the length of a safetensors header helps nobody who made it.
#pragma once

#include <filesystem>

namespace pulsecast::artifact {

enum class FileKind {
  kTensors,  // begins like safetensors, which a model file is
  kText,     // such as CSV
  kGzip,
  kZip,      // such as .npz
  kUnknown,  // or empty, or not to be read again: a pipe
};

FileKind file_kind(const std::filesystem::path& path);

// "text, such as CSV".
const char* description(FileKind kind);

}  // namespace pulsecast::artifact
