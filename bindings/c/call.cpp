#include "bindings/c/call.h"

#include <cstdlib>
#include <new>
#include <nlohmann/json.hpp>

#include "bindings/c/handles.h"
#include "pulsecast/forecaster.h"
#include "pulsecast/json/error_json.h"
#include "pulsecast/settings/door_words.h"

namespace pulsecast::c {
namespace {

using Json = nlohmann::ordered_json;

// For when there is no memory to make one.
pulsecast_error& out_of_memory() {
  static pulsecast_error error{Error(ErrorKind::kInputOutput, "out of memory"), {}};
  return error;
}
// Made while there is some.
[[maybe_unused]] const pulsecast_error& kMadeEarly = out_of_memory();

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

pulsecast_status fail(const Error& why, pulsecast_error** error) noexcept {
  if (error != nullptr) {
    try {
      *error = new pulsecast_error{why, {}};
    } catch (const std::exception&) {
      *error = &out_of_memory();
    }
  }
  return static_cast<pulsecast_status>(exit_code(why.kind()));
}

std::string_view text(const char* text, const char* name) { return {&given(text, name)}; }

char* copy_of(std::string_view text) {
  auto* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::copy(text.begin(), text.end(), copy);
  copy[text.size()] = '\0';
  return copy;
}

char* text_of(const Json& json) { return copy_of(dumped(json)); }

const Words& words_of(int words) {
  static const Words plain;
  static const CommandLineWords command_line;
  static const PythonWords python;
  switch (words) {
    case PULSECAST_WORDS_PLAIN:
      return plain;
    case PULSECAST_WORDS_COMMAND_LINE:
      return command_line;
    case PULSECAST_WORDS_PYTHON:
      return python;
  }
  throw_error(ErrorKind::kUsage, "words", "there are no words of number {}", words);
}

}  // namespace pulsecast::c

using namespace pulsecast;

const char* pulsecast_version() { return version().data(); }
uint32_t pulsecast_abi() { return PULSECAST_ABI; }

pulsecast_status pulsecast_error_status(const pulsecast_error* error) {
  if (error == nullptr) return PULSECAST_OK;
  return static_cast<pulsecast_status>(exit_code(error->error.kind()));
}

const char* pulsecast_error_text(const pulsecast_error* error) {
  return error == nullptr ? "no error" : error->error.what();
}

const char* pulsecast_error_json(pulsecast_error* error, int words) {
  if (error == nullptr) return "{}";
  const char* json = "{}";
  c::call(nullptr, [&] {
    const Words& own = c::words_of(words);
    c::Json document = json::error_json(error->error, own);
    document["full_text"] = to_text(error->error, own);
    error->json = c::dumped(document);
    json = error->json.c_str();
  });
  return json;
}

void pulsecast_error_free(pulsecast_error* error) {
  if (error != &c::out_of_memory()) delete error;
}

void pulsecast_text_free(char* text) { std::free(text); }
