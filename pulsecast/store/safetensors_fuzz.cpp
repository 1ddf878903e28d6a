// Any bytes are either refused with an Error or decode to tensors that encode to a file that
// decodes to the same.

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"
#include "pulsecast/store/safetensors.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast::store;
  try {
    const TensorFile file = decode_tensors(std::as_bytes(std::span(data, size)), "fuzz");
    const std::string bytes = encode_tensors(file);
    const TensorFile again = decode_tensors(std::as_bytes(std::span(bytes)), "again");
    if (encode_tensors(again) != bytes) std::abort();
  } catch (const pulsecast::Error&) {
  }
  return 0;
}
