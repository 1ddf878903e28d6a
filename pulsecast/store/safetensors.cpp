#include "pulsecast/store/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/input_file.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/store/checksums.h"

namespace pulsecast::store {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

constexpr std::size_t kLengthBytes = 8;

StoredTensor stored(std::string name, DataType type, std::vector<std::size_t> shape,
                    std::span<const std::byte> bytes) {
  return {std::move(name), type, std::move(shape), {bytes.begin(), bytes.end()}};
}

// The values of a tensor of one type. The vector's memory is aligned for any of them.
template <typename T>
std::span<const T> values_of(const StoredTensor& tensor, DataType type) {
  if (tensor.type != type) {
    throw_error(ErrorKind::kModelFile, tensor.name, "expected values of type {}, found {}",
                type_name(type), type_name(tensor.type));
  }
  return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.count()};
}

std::string_view text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

[[noreturn]] void refuse_length(std::uint64_t header_bytes, std::size_t bytes,
                                const std::string& where) {
  refuse_tensors(where, fmt::format("its header says it is {} bytes long, the file has {}",
                                    header_bytes, bytes));
}

std::size_t header_length(std::span<const std::byte> bytes, const std::string& where) {
  if (bytes.size() < kLengthBytes) {
    refuse_tensors(where,
                   fmt::format("it has {} and needs at least 8", counted(bytes.size(), "byte")));
  }
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), kLengthBytes);
  if (length > kLargestHeader) {
    refuse_tensors(
        where, fmt::format("its header says it is {} bytes long, and a header may have {}", length,
                           kLargestHeader));
  }
  return static_cast<std::size_t>(length);
}

// Piece by piece, so that a piece is summed while the CPU has it at hand: the checksum costs no
// second pass through memory.
std::uint32_t copy_and_sum(std::span<const std::byte> bytes, StoredTensor& tensor) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  TensorChecksum sum(tensor.type, tensor.shape);
  tensor.bytes.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(kPiece, bytes.size()));
    tensor.bytes.insert(tensor.bytes.end(), piece.begin(), piece.end());
    sum.add(piece);
    bytes = bytes.subspan(piece.size());
  }
  return sum.value();
}

std::vector<NamedChecksum> named(std::span<const StoredTensor> tensors,
                                 std::span<const std::uint32_t> sums) {
  std::vector<NamedChecksum> all;
  for (std::size_t i = 0; i < sums.size(); ++i) all.push_back({tensors[i].name, sums[i]});
  return all;
}

// The tensors of a header with their bytes.
TensorFile join(TensorHeader header, std::span<const std::byte> data, const std::string& where) {
  for (const TensorEntry& entry : header.entries) {
    if (entry.end <= data.size()) continue;
    refuse_tensors(where, fmt::format("tensor '{}' lies at bytes {} to {} of {}: the file is "
                                      "damaged or cut short",
                                      entry.name, entry.begin, entry.end, data.size()));
  }
  if (data.size() > header.data_bytes()) {
    refuse_tensors(where, "the file goes on after its last tensor");
  }
  TensorFile file{{}, {}, has_checksums(header.metadata)};
  std::vector<std::uint32_t> sums;
  for (TensorEntry& entry : header.entries) {
    file.tensors.push_back({std::move(entry.name), entry.type, std::move(entry.shape), {}});
    sums.push_back(
        copy_and_sum(data.subspan(entry.begin, entry.end - entry.begin), file.tensors.back()));
  }
  file.metadata = file.is_checked
                      ? checked(std::move(header.metadata), named(file.tensors, sums), where)
                      : std::move(header.metadata);
  return file;
}

}  // namespace

std::size_t StoredTensor::count() const {
  std::size_t product = 1;
  for (const std::size_t size : shape) product *= size;
  return product;
}

std::span<const float> StoredTensor::floats() const {
  return values_of<float>(*this, DataType::kFloat32);
}

std::span<const double> StoredTensor::doubles() const {
  return values_of<double>(*this, DataType::kFloat64);
}

StoredTensor store_floats(std::string name, std::vector<std::size_t> shape,
                          std::span<const float> values) {
  return stored(std::move(name), DataType::kFloat32, std::move(shape), std::as_bytes(values));
}

StoredTensor store_doubles(std::string name, std::vector<std::size_t> shape,
                           std::span<const double> values) {
  return stored(std::move(name), DataType::kFloat64, std::move(shape), std::as_bytes(values));
}

const StoredTensor& TensorFile::at(std::string_view name) const {
  for (const StoredTensor& tensor : tensors) {
    if (tensor.name == name) return tensor;
  }
  throw_error(ErrorKind::kModelFile, std::string(name), "there is no such tensor in the file");
}

TensorFile decode_tensors(std::span<const std::byte> bytes, const std::string& where) {
  const std::size_t header_bytes = header_length(bytes, where);
  const std::span<const std::byte> rest = bytes.subspan(kLengthBytes);
  if (header_bytes > rest.size()) refuse_length(header_bytes, bytes.size(), where);
  return join(parse_header(text_of(rest.first(header_bytes)), where), rest.subspan(header_bytes),
              where);
}

std::string encode_tensors(const TensorFile& file) {
  TensorHeader header{{}, {}};
  std::vector<std::uint32_t> sums;
  std::size_t offset = 0;
  for (const StoredTensor& tensor : file.tensors) {
    header.entries.push_back(
        {tensor.name, tensor.type, tensor.shape, offset, offset + tensor.bytes.size()});
    offset += tensor.bytes.size();
    TensorChecksum sum(tensor.type, tensor.shape);
    sum.add(tensor.bytes);
    sums.push_back(sum.value());
  }
  header.metadata = with_checksums(file.metadata, named(file.tensors, sums));
  std::string text = header_text(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // data starts aligned
  const std::uint64_t header_bytes = text.size();
  if (header_bytes > kLargestHeader) {
    throw_error(ErrorKind::kModelFile, "header",
                "names and settings take {} bytes, and a file may have {} of them", header_bytes,
                kLargestHeader);
  }
  std::string bytes(reinterpret_cast<const char*>(&header_bytes), kLengthBytes);
  bytes += text;
  for (const StoredTensor& tensor : file.tensors) bytes += text_of(tensor.bytes);
  return bytes;
}

// No more is read than the header says and one byte, which must not be there: a device that never
// ends is refused, not read until memory ends.
TensorFile read_tensors(const std::filesystem::path& path) {
  const std::string where = path.string();
  InputFile file(path, "file");
  const std::string length = file.read(kLengthBytes);
  const std::size_t header_bytes = header_length(std::as_bytes(std::span(length)), where);
  const std::string text = file.read(header_bytes);
  if (text.size() < header_bytes) {
    refuse_length(header_bytes, kLengthBytes + text.size(), where);
  }
  TensorHeader header = parse_header(text, where);
  const std::string data = file.read(header.data_bytes() + 1);
  return join(std::move(header), std::as_bytes(std::span(data)), where);
}

void write_tensors(const std::filesystem::path& path, const TensorFile& file) {
  write_file(path, std::string_view(encode_tensors(file)));
}

}  // namespace pulsecast::store
