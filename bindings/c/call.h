// What every function of the C interface does around its work: no exception leaves it, its error
// goes where the caller asked, and what it was given is looked at first.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "bindings/c/pulsecast/c/pulsecast.h"
#include "pulsecast/base/only_errors.h"
#include "pulsecast/base/throw_error.h"
#include "pulsecast/base/words.h"

namespace pulsecast::c {

// Puts the error where it is wanted and gives its status.
pulsecast_status fail(const Error& why, pulsecast_error** error) noexcept;

template <typename Body>
pulsecast_status call(pulsecast_error** error, Body&& body) noexcept {
  try {
    only_errors(std::forward<Body>(body));
    return PULSECAST_OK;
  } catch (const Error& why) {
    return fail(why, error);
  }
}

// What a pointer points to; throws Error(kUsage) that names it where it is null.
template <typename Value>
Value& given(Value* pointer, const char* name) {
  if (pointer == nullptr) throw_error(ErrorKind::kUsage, name, "is NULL");
  return *pointer;
}

// An argument that results are put into: NULL until they are there.
template <typename Value>
Value*& result(Value** out, const char* name) {
  given(out, name);
  *out = nullptr;
  return *out;
}

// Values that are none only where there are 0 of them.
template <typename Value>
Value* many(Value* values, std::size_t count, const char* name) {
  if (values == nullptr && count > 0) throw_error(ErrorKind::kUsage, name, "is NULL");
  return values;
}

std::string_view text(const char* text, const char* name);

// Options as this version knows them, from those of a caller of any version; NULL: all defaults.
template <typename Options>
Options options_of(const Options* from, const char* name) {
  Options own{};
  if (from != nullptr) {
    if (from->size < sizeof(std::size_t)) {
      throw_error(ErrorKind::kUsage, name, "its size is {}, and should be sizeof its struct",
                  from->size);
    }
    std::memcpy(&own, from, std::min(from->size, sizeof own));
  }
  own.size = sizeof own;
  return own;
}

// The other way: as much of a view as the caller knows.
template <typename View>
void show(View own, View* to, const char* name) {
  const std::size_t size = given(to, name).size;
  if (size < sizeof(std::size_t)) {
    throw_error(ErrorKind::kUsage, name, "its size is {}, and should be sizeof its struct", size);
  }
  own.size = size;
  std::memcpy(to, &own, std::min(size, sizeof own));
}

// For the caller to free.
char* copy_of(std::string_view text);
char* text_of(const nlohmann::ordered_json& json);

const Words& words_of(int words);

}  // namespace pulsecast::c
