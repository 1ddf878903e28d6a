# Language level, warnings and sanitizers, the same for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -fno-math-errno)
# libstdc++ 12 warns about its own string concatenation at -O2 (GCC bug 105651).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict)
endif()

if(PULSECAST_SANITIZE)
  add_compile_options(-fsanitize=${PULSECAST_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PULSECAST_SANITIZE})
  add_compile_definitions(PULSECAST_SANITIZED=1)
endif()
if(PULSECAST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
