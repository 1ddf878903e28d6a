// Holds a promise of the public face: nothing but Error comes out of it.
#pragma once

#include <exception>
#include <new>

#include "pulsecast/base/error.h"

namespace pulsecast {

// Calls body() and gives what it gives. What it throws that is no Error (memory that is not there,
// a file system that refuses, a callback of the caller's) comes out as one.
template <typename Body>
auto only_errors(Body&& body) -> decltype(body()) {
  try {
    return body();
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::kInputOutput, "out of memory");
  } catch (const std::exception& error) {
    throw Error(ErrorKind::kInputOutput, error.what());
  } catch (...) {
    throw Error(ErrorKind::kInputOutput, "an exception that says nothing of itself");
  }
}

}  // namespace pulsecast
