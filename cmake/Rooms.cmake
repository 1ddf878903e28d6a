# A room is a folder under pulsecast/ and one library target. Its declaration lists the rooms it
# may include; tests/architecture_test.cpp reads the #includes and fails on any other.
#
#   pulsecast_room(kernels ROOMS base LINKS pulsecast::simd)
#
# COLD rooms read and write text and files: there is nothing in them to optimise, and most of what it
# would take is templates of JSON and TOML.
#
# NO_THREADS rooms start none and share nothing: the thread sanitizer has nothing to see in their tests.
#
# LINKS are libraries, which users of an installed Pulsecast need too (Library.cmake); HEADERS such that
# are headers alone, which only we need, to build.
#
# Sources lie side by side and are told apart by their names:
#   window.cpp             the library
#   window_test.cpp        the room's test program
#   window_fuzz.cpp        a libFuzzer target (built with PULSECAST_FUZZ; otherwise its corpus is
#                          replayed as a test)

function(pulsecast_room name)
  cmake_parse_arguments(ROOM "COLD;NO_THREADS" "" "ROOMS;LINKS;HEADERS;TEST_LINKS" ${ARGN})
  set_property(GLOBAL APPEND PROPERTY PULSECAST_ROOMS ${name})
  set_property(GLOBAL PROPERTY PULSECAST_ROOM_${name} "${ROOM_ROOMS}")
  set_property(GLOBAL PROPERTY PULSECAST_LINKS_${name} "${ROOM_LINKS}")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${name}/*.cpp)
  set(tests ${sources})
  set(fuzzers ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER fuzzers INCLUDE REGEX "_fuzz\\.cpp$")

  add_library(pulsecast_${name} STATIC ${sources})
  add_library(pulsecast::${name} ALIAS pulsecast_${name})
  target_include_directories(pulsecast_${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_compile_features(pulsecast_${name} PUBLIC cxx_std_20)
  list(TRANSFORM ROOM_ROOMS PREPEND pulsecast_ OUTPUT_VARIABLE room_targets)
  target_link_libraries(pulsecast_${name} PUBLIC ${room_targets} ${ROOM_LINKS} ${ROOM_HEADERS})
  if(ROOM_COLD AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(pulsecast_${name} PRIVATE -O1)
  endif()

  if(PULSECAST_TESTS AND tests AND NOT (ROOM_NO_THREADS AND PULSECAST_SANITIZE STREQUAL "thread"))
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE pulsecast_${name} ${ROOM_TEST_LINKS}
                          GTest::gtest GTest::gtest_main)
    speed_up_test_build(${name}_test)
    # One ctest entry per room: starting a process per test case would cost more than the tests.
    add_test(NAME ${name} COMMAND ${name}_test)
    # Sanitized code is up to twenty times as slow.
    set(timeout 600)
    if(PULSECAST_SANITIZE)
      set(timeout 2400)
    endif()
    set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
  endif()
  foreach(fuzzer ${fuzzers})
    get_filename_component(stem ${fuzzer} NAME_WE)
    add_fuzzer(${stem} ${fuzzer} pulsecast_${name})
  endforeach()
endfunction()

# Most of what a test costs to compile is GoogleTest's header, and the code is not worth optimising.
# The first test program precompiles it for all of them.
function(speed_up_test_build target)
  # The same for all, as GCC asks of those who share.
  target_compile_definitions(${target} PRIVATE PULSECAST_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE fmt::fmt)
  get_property(owner GLOBAL PROPERTY PULSECAST_TEST_HEADERS_OWNER)
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE <gtest/gtest.h> <string> <vector>)
    set_property(GLOBAL PROPERTY PULSECAST_TEST_HEADERS_OWNER ${target})
  endif()
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(${target} PRIVATE -O1)
  endif()
endfunction()

# Under PULSECAST_FUZZ a coverage-guided fuzzer; otherwise a program that replays the corpus, so
# that every input that was ever worth keeping is tested on every build; but readers are given one
# thread there, so not under the thread sanitizer.
function(add_fuzzer stem source library)
  if(NOT PULSECAST_TESTS OR PULSECAST_SANITIZE STREQUAL "thread")
    return()
  endif()
  set(corpus ${PROJECT_SOURCE_DIR}/tests/corpus/${stem})
  add_executable(${stem} ${source})
  target_link_libraries(${stem} PRIVATE ${library})
  if(PULSECAST_FUZZ)
    if(NOT TARGET fuzzers)
      add_custom_target(fuzzers)  # what ./dev fuzz builds
    endif()
    add_dependencies(fuzzers ${stem})
    target_link_options(${stem} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${stem} COMMAND ${stem} -runs=0 ${corpus})
  else()
    target_sources(${stem} PRIVATE ${PROJECT_SOURCE_DIR}/tests/replay_corpus.cpp)
    add_test(NAME ${stem} COMMAND ${stem} ${corpus})
  endif()
endfunction()

# For the architecture test: a line per room, "name: may include".
function(write_declared_rooms file)
  get_property(rooms GLOBAL PROPERTY PULSECAST_ROOMS)
  set(text "")
  foreach(room ${rooms})
    get_property(allowed GLOBAL PROPERTY PULSECAST_ROOM_${room})
    list(JOIN allowed " " allowed)
    string(APPEND text "${room}: ${allowed}\n")
  endforeach()
  file(GENERATE OUTPUT ${file} CONTENT "${text}")
endfunction()
