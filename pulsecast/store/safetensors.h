// The safetensors file format: named tensors and one map of strings, nothing that can run.
//
//   8 bytes   length of the header, little-endian
//   header    JSON: name -> {"dtype", "shape", "data_offsets": [begin, end)}, and "__metadata__"
//   data      the tensors, without gaps
//
// A file is read only if every part of it is as the format says: a header that lies about sizes,
// overlaps, leaves gaps or is cut short is refused with the reason, before memory is taken for what
// it claims. What we write has a checksum of every part (checksums.h); where a file has them they
// are compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pulsecast/store/tensor_header.h"

namespace pulsecast::store {

struct StoredTensor {
  std::string name;
  DataType type = DataType::kFloat32;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;  // little-endian, row-major

  std::size_t count() const;
  // The values; throws Error(kModelFile) where the type is another.
  std::span<const float> floats() const;
  std::span<const double> doubles() const;
};

StoredTensor store_floats(std::string name, std::vector<std::size_t> shape,
                          std::span<const float> values);
StoredTensor store_doubles(std::string name, std::vector<std::size_t> shape,
                           std::span<const double> values);

struct TensorFile {
  std::vector<StoredTensor> tensors;            // in the order of their data
  std::map<std::string, std::string> metadata;  // "__metadata__", without the checksums
  // Its checksums were all right, or it was never on a disk. False: it came without any, as from
  // another program.
  bool is_checked = true;

  // Throws Error(kModelFile) that names the tensor when it is not there.
  const StoredTensor& at(std::string_view name) const;
};

// `where` is the file's name, for messages. Throws Error(kModelFile).
TensorFile decode_tensors(std::span<const std::byte> bytes, const std::string& where);
std::string encode_tensors(const TensorFile& file);

// Throws Error(kInputOutput) where the file cannot be read or written, Error(kModelFile) as above.
TensorFile read_tensors(const std::filesystem::path& path);
void write_tensors(const std::filesystem::path& path, const TensorFile& file);

}  // namespace pulsecast::store
