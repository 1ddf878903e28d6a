# Language level, warnings and sanitizers, the same for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# -O2 for all, -O3 where a room asks for it (kernels): the rest gains nothing but build time.
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -fno-math-errno)
# A product and a sum become one instruction where the source says so and nowhere else: what the
# compiler would join differs between vector widths, and with it the last bits (decision 22).
add_compile_options(-ffp-contract=off)
# GCC 12 warns about libstdc++'s own strings at -O2: concatenation (bug 105651), and assignment to
# an optional one (bug 105593).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-restrict -Wno-maybe-uninitialized)
endif()

if(PULSECAST_SANITIZE)
  # Sanitized code is read by the sanitizer, not raced: -O1 halves the build, -g1 names the lines.
  if(NOT PULSECAST_FUZZ)
    set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O1 -g1")
  endif()
  add_compile_options(-fsanitize=${PULSECAST_SANITIZE} -fno-omit-frame-pointer
                      -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${PULSECAST_SANITIZE})
  add_compile_definitions(PULSECAST_SANITIZED=1)
endif()
if(PULSECAST_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()
