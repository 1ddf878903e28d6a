# Everything we link against, found once and given a name that says what it is for.
# docs/decisions/0001-dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(date REQUIRED)
find_package(FastFloat REQUIRED)
find_package(ZLIB REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET libzip)
find_package(CLI11 2.1 REQUIRED)

# SIMD that is chosen at run time. Kernels are compiled for AVX-512, AVX2 and a plain fallback;
# the steps between (SSSE3, SSE4) are left out, because they lengthen the build for machines older
# than 2013.
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET libhwy)
add_library(simd INTERFACE)
target_link_libraries(simd INTERFACE PkgConfig::HWY)
set(PULSECAST_DISABLED_SIMD "HWY_SSSE3|HWY_SSE4")
if(PULSECAST_SANITIZE)
  # Instrumented kernels take minutes to compile; one wide target and the fallback show what
  # sanitizers can see.
  string(APPEND PULSECAST_DISABLED_SIMD "|HWY_AVX3")
endif()
target_compile_definitions(simd INTERFACE "HWY_DISABLED_TARGETS=(${PULSECAST_DISABLED_SIMD})")

# Matrix products. Many of our threads call the BLAS at once, each for itself, so it must be safe
# under that and start no threads of its own: BLIS's serial build is both (OpenBLAS's is not, see
# docs/decisions/0002-blis.md). Linked statically, so that which BLAS a machine's alternatives
# point at cannot change a result. -DPULSECAST_CBLAS=... links any other CBLAS.
find_library(PULSECAST_CBLAS
  NAMES libblis.a blis
  PATH_SUFFIXES blis-serial ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial
  DOC "CBLAS library to link")
find_path(PULSECAST_CBLAS_INCLUDE cblas.h
  PATH_SUFFIXES blis-serial ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial
  DOC "Folder that holds cblas.h")
if(NOT PULSECAST_CBLAS OR NOT PULSECAST_CBLAS_INCLUDE)
  message(FATAL_ERROR "No CBLAS found. Run ./dev setup, or name one with -DPULSECAST_CBLAS=/path/to/lib "
                      "and -DPULSECAST_CBLAS_INCLUDE=/path/to/include.")
endif()
add_library(cblas INTERFACE)
target_include_directories(cblas SYSTEM INTERFACE $<BUILD_INTERFACE:${PULSECAST_CBLAS_INCLUDE}>)
target_link_libraries(cblas INTERFACE ${PULSECAST_CBLAS} Threads::Threads m)

# Config files. Header-only, included by one source file.
find_path(PULSECAST_TOMLPLUSPLUS_INCLUDE toml++/toml.h REQUIRED DOC "Folder that holds toml++")
add_library(tomlplusplus INTERFACE)
target_include_directories(tomlplusplus SYSTEM INTERFACE
  $<BUILD_INTERFACE:${PULSECAST_TOMLPLUSPLUS_INCLUDE}>)

if(PULSECAST_TESTS)
  find_package(GTest REQUIRED)
endif()
