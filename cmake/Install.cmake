# cmake --install: the program with its manual and completions, the library with its public headers,
# and packages by which CMake and pkg-config find it.

include(CMakePackageConfigHelpers)

install(TARGETS pulsecast_program RUNTIME)
install(FILES ${PULSECAST_COMPLETIONS}/pulsecast.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME pulsecast)
install(FILES ${PULSECAST_COMPLETIONS}/pulsecast.zsh
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _pulsecast)
install(FILES ${PULSECAST_COMPLETIONS}/pulsecast.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(DIRECTORY ${PULSECAST_MANUAL}/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

# Pages carry it, and so does the program.
install(FILES third_party/uplot/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME uPlot-LICENSE)

install(TARGETS pulsecast EXPORT pulsecastTargets FILE_SET HEADERS)
install(TARGETS pulsecast_c EXPORT pulsecastTargets FILE_SET HEADERS)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pulsecast)
install(EXPORT pulsecastTargets NAMESPACE pulsecast:: DESTINATION ${package_folder})
configure_package_config_file(cmake/pulsecastConfig.cmake.in
  ${CMAKE_BINARY_DIR}/pulsecastConfig.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pulsecastConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${CMAKE_BINARY_DIR}/pulsecastConfig.cmake
  ${CMAKE_BINARY_DIR}/pulsecastConfigVersion.cmake
  cmake/PulsecastNativeLibraries.cmake
  DESTINATION ${package_folder})

# pkg-config finds its prefix from where the file lies, so that it may be installed anywhere.
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH prefix_from_pkgconfig /${pkgconfig_folder} /)
if(PULSECAST_SHARED)
  set(pkgconfig_requires "fmt")
  set(pkgconfig_libraries "")
else()
  # An archive brings nothing along: whoever links it links these too.
  set(pkgconfig_requires "fmt, libhwy, libzip, zlib, libcrypto")
  set(pkgconfig_libraries "-ldate-tz -pthread -lm")
endif()
configure_file(cmake/pulsecast.pc.in ${CMAKE_BINARY_DIR}/pulsecast.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pulsecast.pc DESTINATION ${pkgconfig_folder})
configure_file(cmake/pulsecast_c.pc.in ${CMAKE_BINARY_DIR}/pulsecast_c.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/pulsecast_c.pc DESTINATION ${pkgconfig_folder})
