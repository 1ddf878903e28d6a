// What a zip archive holds: the arrays of an .npz file, one table of text, or a workbook's parts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pulsecast/data/readers/byte_source.h"

struct zip;

namespace pulsecast {

class NpzArchive {
 public:
  // `bytes` is the whole file. Throws Error(kData) for damage; `source` names it in messages.
  NpzArchive(std::string bytes, std::string source);
  ~NpzArchive();
  NpzArchive(const NpzArchive&) = delete;
  NpzArchive& operator=(const NpzArchive&) = delete;

  bool holds(const std::string& entry) const;

  // The entry that holds a table of text, where there is no array and one such file alone.
  std::optional<std::string> text_entry() const;
  std::unique_ptr<ByteSource> open_entry(const std::string& entry) const;

  // The array of that name, without ".npy"; else the only one, or the one called 'data'. Throws
  // Error(kUsage) for a name that is not there, Error(kData) where there is none or no choice.
  std::string choose(const std::optional<std::string>& name) const;

  // The bytes of an array, decompressed as they are read. The archive must outlive them.
  std::unique_ptr<ByteSource> open(const std::string& array) const;

 private:
  std::vector<std::string> entries() const;
  std::vector<std::string> arrays() const;

  std::string bytes_;
  std::string source_;
  zip* archive_ = nullptr;
};

}  // namespace pulsecast
