# Everything we link against, found once and given a name that says what it is for.
# docs/decisions/0001-dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(date REQUIRED)
find_package(FastFloat REQUIRED)
find_package(ZLIB REQUIRED)
find_package(EXPAT REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(CLI11 2.1 REQUIRED)

# Libraries without a CMake package of their own; an installed Pulsecast finds them the same way.
include(PulsecastNativeLibraries)

# Kernels are compiled for AVX-512, AVX2 and a plain fallback; the steps between (SSSE3, SSE4) are
# left out, because they lengthen the build for machines older than 2013.
set(PULSECAST_DISABLED_SIMD "HWY_SSSE3|HWY_SSE4")
if(PULSECAST_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Instrumented kernels take minutes to compile; one wide target and the fallback show what
  # sanitizers can see, and a debugger. Without the third a kernel compiles in two thirds of the time.
  string(APPEND PULSECAST_DISABLED_SIMD "|HWY_AVX3")
endif()
# Highway's emulated fallback, which it takes with clang, reads whole vectors where a mask asks for
# their first lanes, past the end of what is there. The scalar one, which it takes with GCC 12, has
# one lane and cannot.
target_compile_definitions(pulsecast::simd INTERFACE
  "HWY_DISABLED_TARGETS=(${PULSECAST_DISABLED_SIMD})"
  $<$<CXX_COMPILER_ID:Clang>:HWY_BROKEN_EMU128=1>)

# Config files. Header-only, included by one source file.
find_path(PULSECAST_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED DOC "Folder that holds toml++")
add_library(tomlplusplus INTERFACE)
target_include_directories(tomlplusplus SYSTEM INTERFACE ${PULSECAST_TOMLPLUSPLUS_INCLUDE})

if(PULSECAST_TESTS)
  find_package(GTest REQUIRED)
endif()
