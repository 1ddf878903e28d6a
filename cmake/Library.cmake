# The library that users link: one archive, or a shared library with -DPULSECAST_SHARED=ON, of the
# public face and every room it stands on. Rooms stay targets of their own, for builds, tests and the
# order of the house; what they are made of is put together here.
#
#   pulsecast_library(FACE pulsecast_forecaster ROOMS forecast evaluate train HEADERS forecaster.h)
#
# ROOMS are those that the face includes; those behind them follow. HEADERS are all that is installed.

# The rooms, and those they stand on, in `out`.
function(rooms_behind out)
  set(found "")
  set(open ${ARGN})
  while(open)
    list(POP_FRONT open room)
    if(room IN_LIST found)
      continue()
    endif()
    list(APPEND found ${room})
    get_property(below GLOBAL PROPERTY PULSECAST_ROOM_${room})
    list(APPEND open ${below})
  endwhile()
  set(${out} ${found} PARENT_SCOPE)
endfunction()

function(pulsecast_library)
  cmake_parse_arguments(LIBRARY "" "FACE" "ROOMS;HEADERS" ${ARGN})
  rooms_behind(rooms ${LIBRARY_ROOMS})
  set(objects $<TARGET_OBJECTS:${LIBRARY_FACE}>)
  set(links "")
  foreach(room ${rooms})
    list(APPEND objects $<TARGET_OBJECTS:pulsecast_${room}>)
    get_property(room_links GLOBAL PROPERTY PULSECAST_LINKS_${room})
    list(APPEND links ${room_links})
  endforeach()
  list(REMOVE_DUPLICATES links)

  if(PULSECAST_SHARED)
    add_library(pulsecast SHARED ${objects})
  else()
    add_library(pulsecast STATIC ${objects})
  endif()
  add_library(pulsecast::pulsecast ALIAS pulsecast)
  # Before 1.0 a minor version may change the interface, so it is part of the shared library's name.
  set_target_properties(pulsecast PROPERTIES LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  target_compile_features(pulsecast PUBLIC cxx_std_20)
  # No public header includes any of these: who links the shared library needs none, who links the
  # archive needs them to link.
  target_link_libraries(pulsecast PRIVATE fmt::fmt ${links})
  if(PULSECAST_SHARED)
    # What is ours is seen; the insides of Highway and of templates are not, and cannot meet
    # other versions of themselves in the program that loads us.
    set(exports ${PROJECT_SOURCE_DIR}/cmake/exported_symbols.map)
    target_link_options(pulsecast PRIVATE -Wl,--version-script=${exports} -Wl,--no-undefined)
    set_property(TARGET pulsecast PROPERTY LINK_DEPENDS ${exports})
  endif()

  list(TRANSFORM LIBRARY_HEADERS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
  target_sources(pulsecast PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  list(JOIN LIBRARY_HEADERS "\n" text)
  file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/public_headers.txt CONTENT "${text}\n")
endfunction()
