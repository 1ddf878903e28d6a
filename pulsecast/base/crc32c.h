// CRC-32C (Castagnoli), the checksum of files that we write: any flipped bit, and any damage within
// 32 bits, changes it for certain. With the CPU's instruction it runs at the speed of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pulsecast {

// Of `bytes` after others whose checksum is `before`, so that pieces give what the whole gives.
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before = 0);

// The same a byte at a time from a table, as CPUs without the instruction compute it.
std::uint32_t crc32c_by_table(std::span<const std::byte> bytes, std::uint32_t before = 0);

}  // namespace pulsecast
