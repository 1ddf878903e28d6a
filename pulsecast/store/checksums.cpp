#include "pulsecast/store/checksums.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "pulsecast/base/crc32c.h"
#include "pulsecast/base/throw_error.h"

namespace pulsecast::store {
namespace {

constexpr const char* kOfMetadata = "crc32c";
constexpr const char* kOfTensor = "crc32c.";

std::string digits(std::uint32_t value) { return fmt::format("{:08x}", value); }

// Each text after its length, so that no two lists of texts look alike.
std::uint32_t add_text(std::string_view text, std::uint32_t sum) {
  const std::uint64_t length = text.size();
  sum = crc32c(std::as_bytes(std::span(&length, 1)), sum);
  return crc32c(std::as_bytes(std::span(text)), sum);
}

std::uint32_t sum_of(const Metadata& metadata) {
  std::uint32_t sum = 0;
  for (const auto& [key, text] : metadata) {
    if (key != kOfMetadata) sum = add_text(text, add_text(key, sum));
  }
  return sum;
}

[[noreturn]] void refuse_damage(const std::string& where, const std::string& part,
                                const std::string& expected, std::uint32_t found) {
  throw make_error(ErrorKind::kModelFile, where,
                   "{} is damaged: its checksum should be {} and is {}", part, expected,
                   digits(found))
      .with(remedy::advice("take the file from a copy, or make it again"));
}

}  // namespace

TensorChecksum::TensorChecksum(DataType type, std::span<const std::size_t> shape)
    : value_(add_text(fmt::format("{}[{}]", type_name(type), fmt::join(shape, ",")), 0)) {}

void TensorChecksum::add(std::span<const std::byte> bytes) { value_ = crc32c(bytes, value_); }

Metadata with_checksums(Metadata metadata, std::span<const NamedChecksum> tensors) {
  for (const NamedChecksum& tensor : tensors) {
    metadata[kOfTensor + std::string(tensor.name)] = digits(tensor.value);
  }
  const std::uint32_t whole = sum_of(metadata);
  metadata[kOfMetadata] = digits(whole);
  return metadata;
}

bool has_checksums(const Metadata& metadata) {
  return std::ranges::any_of(
      metadata, [](const auto& entry) { return entry.first.starts_with(kOfMetadata); });
}

Metadata checked(Metadata metadata, std::span<const NamedChecksum> tensors,
                 const std::string& where) {
  const std::uint32_t found = sum_of(metadata);
  const std::string expected = metadata[kOfMetadata];
  if (expected != digits(found)) refuse_damage(where, "the header", expected, found);
  for (const NamedChecksum& tensor : tensors) {
    const auto entry = metadata.extract(kOfTensor + std::string(tensor.name));
    if (entry.empty()) {
      throw_error(ErrorKind::kModelFile, where,
                  "tensor '{}' is damaged: there is no checksum of that name", tensor.name);
    }
    if (entry.mapped() != digits(tensor.value)) {
      refuse_damage(where, fmt::format("tensor '{}'", tensor.name), entry.mapped(), tensor.value);
    }
  }
  metadata.erase(kOfMetadata);
  if (has_checksums(metadata)) {
    throw_error(ErrorKind::kModelFile, where,
                "it has no tensor to the checksum '{}': the file is damaged",
                metadata.lower_bound(kOfMetadata)->first);
  }
  return metadata;
}

}  // namespace pulsecast::store
