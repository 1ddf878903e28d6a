// Checksums of a safetensors file, kept in its "__metadata__" so that any library still loads it.
//
//   "crc32c.NAME"  of the tensor NAME: its type, shape and bytes
//   "crc32c"       of every other entry of the metadata, those above included
//
// Each is eight hexadecimal digits of CRC-32C, so a file with a flipped bit is refused, by the name
// of the part that has it. Names, types and shapes are covered; where a tensor lies, by its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/store/tensor_header.h"

namespace pulsecast::store {

using Metadata = std::map<std::string, std::string>;

// Of a tensor, to which its bytes are added as they come.
class TensorChecksum {
 public:
  TensorChecksum(DataType type, std::span<const std::size_t> shape);
  void add(std::span<const std::byte> bytes);
  std::uint32_t value() const { return value_; }

 private:
  std::uint32_t value_;
};

struct NamedChecksum {
  std::string_view name;
  std::uint32_t value;
};

// The metadata with an entry for each tensor and one for itself.
Metadata with_checksums(Metadata metadata, std::span<const NamedChecksum> tensors);

// Whether a file has any. What is not an entry of ours is read as before.
bool has_checksums(const Metadata& metadata);

// Compares and takes the entries off. Throws Error(kModelFile) that names what is damaged.
Metadata checked(Metadata metadata, std::span<const NamedChecksum> tensors,
                 const std::string& where);

}  // namespace pulsecast::store
