# Files as constants of the program, so that what it writes needs nothing beside it.
#
#   embed_files(pulsecast_report NAMESPACE pulsecast::report HEADER pulsecast/report/assets.h
#               style assets/style.css ...)
#
# The header declares each as `extern const std::string_view NAME;`. Written when CMake configures, and again
# when a file has changed.

function(embed_files target)
  cmake_parse_arguments(EMBED "" "NAMESPACE;HEADER" "" ${ARGN})
  set(text "#include \"${EMBED_HEADER}\"\n\nnamespace ${EMBED_NAMESPACE} {\n")
  set(entries ${EMBED_UNPARSED_ARGUMENTS})
  while(entries)
    list(POP_FRONT entries name file)
    get_filename_component(file ${file} ABSOLUTE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    string(FIND "${content}" ")embedded\"" ends)
    if(NOT ends EQUAL -1)
      message(FATAL_ERROR "${file} holds the mark that ends an embedded file")
    endif()
    string(APPEND text "const std::string_view ${name} = R\"embedded(${content})embedded\";\n")
  endwhile()
  string(APPEND text "}  // namespace ${EMBED_NAMESPACE}\n")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.cpp)
  set(old "")
  if(EXISTS ${source})
    file(READ ${source} old)
  endif()
  if(NOT old STREQUAL text)
    file(WRITE ${source} "${text}")
  endif()
  target_sources(${target} PRIVATE ${source})
endfunction()
