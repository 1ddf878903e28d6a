// Any bytes are either refused with an Error or are a model that encodes to a file that decodes to
// the same.

#include "pulsecast/artifact/model_file.h"

#include <cstdint>
#include <cstdlib>

#include "pulsecast/base/error.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace pulsecast;
  try {
    const artifact::Model model = artifact::decode_model(
        store::decode_tensors(std::as_bytes(std::span(data, size)), "fuzz"), "fuzz");
    const std::string bytes = store::encode_tensors(artifact::encode_model(model));
    const artifact::Model again = artifact::decode_model(
        store::decode_tensors(std::as_bytes(std::span(bytes)), "again"), "again");
    if (store::encode_tensors(artifact::encode_model(again)) != bytes) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
