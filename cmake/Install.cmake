# cmake --install: the program, the libraries, their headers, and a package for find_package.

include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/pulsecast)
install(TARGETS pulsecast_program RUNTIME)
install(DIRECTORY pulsecast DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE PATTERN "testing.h" EXCLUDE)
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
