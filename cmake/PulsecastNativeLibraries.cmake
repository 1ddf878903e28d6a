# What we link that has no CMake package of its own, under names that say what it is for. The build
# includes this file, and so does pulsecastConfig.cmake wherever Pulsecast is installed.

find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET GLOBAL libzip)

# SIMD that is chosen at run time.
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET GLOBAL libhwy)
add_library(pulsecast::simd INTERFACE IMPORTED GLOBAL)
target_link_libraries(pulsecast::simd INTERFACE PkgConfig::HWY)

# Matrix products. Many of our threads call the BLAS at once, each for itself, so it must be safe
# under that and start no threads of its own: BLIS's serial build is both (OpenBLAS's is not, see
# docs/decisions/0002-blis.md). Linked statically, so that which BLAS a machine's alternatives
# point at cannot change a result. -DPULSECAST_BLIS=... names another build of it. The caller says
# what it means that none is found.
find_library(PULSECAST_BLIS
  NAMES libblis.a blis
  PATH_SUFFIXES blis-serial ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial
  DOC "BLIS library to link")
find_path(PULSECAST_BLIS_INCLUDE blis.h
  PATH_SUFFIXES blis-serial ${CMAKE_LIBRARY_ARCHITECTURE}/blis-serial
  DOC "Folder that holds blis.h, to build Pulsecast itself")
add_library(pulsecast::blis INTERFACE IMPORTED GLOBAL)
if(PULSECAST_BLIS)
  target_link_libraries(pulsecast::blis INTERFACE ${PULSECAST_BLIS} Threads::Threads m)
endif()
