# The manual and the completions of shells, told by the program itself from what it declares.

set(PULSECAST_MANUAL ${CMAKE_BINARY_DIR}/man)
set(PULSECAST_COMPLETIONS ${CMAKE_BINARY_DIR}/completions)

# A page a verb, and one of the whole.
add_custom_command(OUTPUT ${PULSECAST_MANUAL}/pulsecast.1
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${PULSECAST_MANUAL}
  COMMAND pulsecast_program man --quiet --folder ${PULSECAST_MANUAL}
  DEPENDS pulsecast_program COMMENT "Writing the manual" VERBATIM)
set(documents ${PULSECAST_MANUAL}/pulsecast.1)
foreach(shell bash zsh fish)
  set(file ${PULSECAST_COMPLETIONS}/pulsecast.${shell})
  add_custom_command(OUTPUT ${file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PULSECAST_COMPLETIONS}
    COMMAND pulsecast_program completion ${shell} > ${file}
    DEPENDS pulsecast_program COMMENT "Writing completions for ${shell}" VERBATIM)
  list(APPEND documents ${file})
endforeach()
add_custom_target(documents ALL DEPENDS ${documents})
