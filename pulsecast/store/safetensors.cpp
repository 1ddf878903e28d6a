#include "pulsecast/store/safetensors.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "pulsecast/base/atomic_file.h"
#include "pulsecast/base/counted.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::store {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

using Json = nlohmann::ordered_json;

// As in the reference implementation: a header larger than this is an attack, not a model.
constexpr std::uint64_t kLargestHeader = 100'000'000;
constexpr std::size_t kLengthBytes = 8;

struct TypeName {
  DataType type;
  const char* name;
  std::size_t size;
};
constexpr TypeName kTypes[] = {
    {DataType::kFloat32, "F32", 4}, {DataType::kFloat64, "F64", 8}, {DataType::kInt64, "I64", 8}};

const TypeName& type_info(DataType type) {
  return *std::find_if(std::begin(kTypes), std::end(kTypes),
                       [&](const TypeName& known) { return known.type == type; });
}

// Refuses a file: what is wrong with it, and where.
class Refusal {
 public:
  explicit Refusal(std::string where) : where_(std::move(where)) {}

  template <typename... Args>
  [[noreturn]] void operator()(fmt::format_string<Args...> format, Args&&... args) const {
    throw_error(ErrorKind::kModelFile, where_, "not a valid safetensors file: {}",
                fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  std::string where_;
};

std::uint64_t unsigned_value(const Json& value, const std::string& name, const Refusal& refuse) {
  if (!value.is_number_unsigned()) {
    refuse("tensor '{}' has a size or offset that is not a whole number", name);
  }
  return value.get<std::uint64_t>();
}

struct Entry {
  StoredTensor tensor;
  std::uint64_t begin;
  std::uint64_t end;
};

Entry parse_entry(const std::string& name, const Json& value, std::uint64_t data_bytes,
                  const Refusal& refuse) {
  if (!value.is_object() || !value.contains("dtype") || !value.contains("shape") ||
      !value.contains("data_offsets") || !value["dtype"].is_string() ||
      !value["shape"].is_array() || !value["data_offsets"].is_array() ||
      value["data_offsets"].size() != 2) {
    refuse("tensor '{}' lacks a dtype, shape or pair of data_offsets", name);
  }
  Entry entry{{name, {}, {}, {}}, 0, 0};
  const std::string dtype = value["dtype"].get<std::string>();
  const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes),
                                   [&](const TypeName& type) { return dtype == type.name; });
  if (known == std::end(kTypes)) {
    refuse("tensor '{}' has dtype '{}'; F32, F64 and I64 are known", name, dtype);
  }
  entry.tensor.type = known->type;
  std::uint64_t bytes = known->size;
  for (const Json& size : value["shape"]) {
    const std::uint64_t length = unsigned_value(size, name, refuse);
    if (length != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / length) {
      refuse("tensor '{}' has a shape too large to be true", name);
    }
    bytes *= length;
    entry.tensor.shape.push_back(length);
  }
  entry.begin = unsigned_value(value["data_offsets"][0], name, refuse);
  entry.end = unsigned_value(value["data_offsets"][1], name, refuse);
  if (entry.begin > entry.end || entry.end > data_bytes) {
    refuse("tensor '{}' lies at bytes {} to {} of {}: the file is damaged or cut short", name,
           entry.begin, entry.end, data_bytes);
  }
  if (entry.end - entry.begin != bytes) {
    refuse("tensor '{}' should take {} bytes by its shape and takes {}", name, bytes,
           entry.end - entry.begin);
  }
  return entry;
}

Json parse_header(std::string_view text, const Refusal& refuse) {
  Json header = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (header.is_discarded() || !header.is_object()) refuse("its header is not a JSON object");
  return header;
}

std::map<std::string, std::string> parse_metadata(const Json& value, const Refusal& refuse) {
  std::map<std::string, std::string> metadata;
  if (!value.is_object()) refuse("its __metadata__ is not an object");
  for (const auto& [key, text] : value.items()) {
    if (!text.is_string()) refuse("its __metadata__ entry '{}' is not a string", key);
    metadata[key] = text.get<std::string>();
  }
  return metadata;
}

StoredTensor stored(std::string name, DataType type, std::vector<std::size_t> shape,
                    std::span<const std::byte> bytes) {
  return {std::move(name), type, std::move(shape), {bytes.begin(), bytes.end()}};
}

// The values of a tensor of one type. The vector's memory is aligned for any of them.
template <typename T>
std::span<const T> values_of(const StoredTensor& tensor, DataType type) {
  if (tensor.type != type) {
    throw_error(ErrorKind::kModelFile, tensor.name, "expected values of type {}, found {}",
                type_info(type).name, type_info(tensor.type).name);
  }
  return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.count()};
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
  const Refusal refuse(where);
  if (bytes.size() < kLengthBytes)
    refuse("it has {} and needs at least 8", counted(bytes.size(), "byte"));
  std::uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, bytes.data(), kLengthBytes);
  if (header_bytes > kLargestHeader || header_bytes > bytes.size() - kLengthBytes) {
    refuse("its header says it is {} bytes long, the file has {}", header_bytes, bytes.size());
  }
  const std::span<const std::byte> data = bytes.subspan(kLengthBytes + header_bytes);
  const Json header = parse_header(
      {reinterpret_cast<const char*>(bytes.data()) + kLengthBytes, header_bytes}, refuse);

  TensorFile file;
  std::vector<Entry> entries;
  for (const auto& [name, value] : header.items()) {
    if (name == "__metadata__") {
      file.metadata = parse_metadata(value, refuse);
    } else {
      entries.push_back(parse_entry(name, value, data.size(), refuse));
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Entry& a, const Entry& b) { return a.begin < b.begin; });
  std::uint64_t next = 0;
  for (Entry& entry : entries) {
    if (entry.begin != next) {
      refuse("tensor '{}' begins at byte {} where {} was due: tensors overlap or leave a gap",
             entry.tensor.name, entry.begin, next);
    }
    next = entry.end;
    const auto part = data.subspan(entry.begin, entry.end - entry.begin);
    entry.tensor.bytes.assign(part.begin(), part.end());
    file.tensors.push_back(std::move(entry.tensor));
  }
  if (next != data.size())
    refuse("{} the last tensor", counted(data.size() - next, "byte follows", "bytes follow"));
  return file;
}

std::string encode_tensors(const TensorFile& file) {
  Json header = Json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::size_t offset = 0;
  for (const StoredTensor& tensor : file.tensors) {
    header[tensor.name] = {{"dtype", type_info(tensor.type).name},
                           {"shape", tensor.shape},
                           {"data_offsets", {offset, offset + tensor.bytes.size()}}};
    offset += tensor.bytes.size();
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // data starts aligned
  const std::uint64_t header_bytes = text.size();
  std::string bytes(reinterpret_cast<const char*>(&header_bytes), kLengthBytes);
  bytes += text;
  for (const StoredTensor& tensor : file.tensors) {
    bytes.append(reinterpret_cast<const char*>(tensor.bytes.data()), tensor.bytes.size());
  }
  return bytes;
}

TensorFile read_tensors(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  std::string bytes;
  // Piece by piece: an iterator over the stream throws where a read fails, as that of a folder
  // does.
  std::array<char, 1 << 16> piece;
  do {
    stream.read(piece.data(), piece.size());
    bytes.append(piece.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream);
  if (!stream.is_open() || stream.bad()) {
    throw_error(ErrorKind::kInputOutput, path.string(), "could not read the file: {}",
                std::strerror(errno));
  }
  return decode_tensors(std::as_bytes(std::span(bytes)), path.string());
}

void write_tensors(const std::filesystem::path& path, const TensorFile& file) {
  write_file(path, std::string_view(encode_tensors(file)));
}

}  // namespace pulsecast::store
