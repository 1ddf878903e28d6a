// The header of a safetensors file: JSON that is three levels deep and no deeper.
//
// It is read as it is parsed, without a tree in between, so its cost grows with its length and with
// nothing else: what does not belong where it stands is refused at that byte.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pulsecast::store {

enum class DataType { kFloat32, kFloat64, kInt64 };

// "F32", as the format calls it, and its bytes.
const char* type_name(DataType type);
std::size_t type_size(DataType type);

// 32 MB: a model of 100,000 series keeps their names here, at up to 250 bytes each. The format's
// own limit is 100 MB.
inline constexpr std::uint64_t kLargestHeader = std::uint64_t{32} << 20;

struct TensorEntry {
  std::string name;
  DataType type = DataType::kFloat32;
  std::vector<std::size_t> shape;
  std::uint64_t begin = 0;  // of its bytes, after the header
  std::uint64_t end = 0;
};

struct TensorHeader {
  std::vector<TensorEntry> entries;  // in the order of their data, without gaps from 0
  std::map<std::string, std::string> metadata;

  std::uint64_t data_bytes() const { return entries.empty() ? 0 : entries.back().end; }
};

// `where` is the file's name. Throws Error(kModelFile) with the reason.
TensorHeader parse_header(std::string_view text, const std::string& where);
std::string header_text(const TensorHeader& header);

// Throws Error(kModelFile): no valid safetensors file, because of `reason`.
[[noreturn]] void refuse_tensors(const std::string& where, const std::string& reason);

}  // namespace pulsecast::store
