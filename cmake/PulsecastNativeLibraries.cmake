# What we link that has no CMake package of its own, under names that say what it is for. The build
# includes this file, and so does pulsecastConfig.cmake wherever Pulsecast is installed.

find_package(PkgConfig REQUIRED)
pkg_check_modules(LIBZIP REQUIRED IMPORTED_TARGET GLOBAL libzip)

# SIMD that is chosen at run time.
pkg_check_modules(HWY REQUIRED IMPORTED_TARGET GLOBAL libhwy)
add_library(pulsecast::simd INTERFACE IMPORTED GLOBAL)
target_link_libraries(pulsecast::simd INTERFACE PkgConfig::HWY)
