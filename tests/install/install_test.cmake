# Installs into a folder of its own, builds the project here against that, and runs it on rows that
# the installed program made.
#
#   cmake -DBUILD=... -DSOURCE=... -DCOMPILER=... -DFLAGS=... -P install_test.cmake

set(work ${BUILD}/install_test)
set(prefix ${work}/prefix)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${result}:\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE private_headers ${prefix}/include/*-inl.h ${prefix}/include/*testing.h)
if(private_headers)
  message(FATAL_ERROR "headers of kernels' insides and of tests were installed: ${private_headers}")
endif()

run(${CMAKE_COMMAND} -S ${SOURCE}/tests/install -B ${work}/build -G Ninja
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_CXX_FLAGS=-O0 -g0 ${FLAGS}" -DCMAKE_PREFIX_PATH=${prefix})
# A package that leaked this source tree would work here and nowhere else.
file(GLOB package ${prefix}/lib*/cmake/pulsecast/*.cmake ${prefix}/lib*/*/cmake/pulsecast/*.cmake)
if(NOT package)
  message(FATAL_ERROR "there is no CMake package in ${prefix}")
endif()
foreach(file ${package})
  file(READ ${file} text)
  string(FIND "${text}" "${SOURCE}/" place)
  if(NOT place EQUAL -1)
    message(FATAL_ERROR "${file} has a path of the source tree")
  endif()
endforeach()
run(${CMAKE_COMMAND} --build ${work}/build)

run(${prefix}/bin/pulsecast data make ${work}/rows.csv --rows 400 --channels 2)
run(${work}/build/forecaster ${work}/rows.csv ${work}/rows.model)
string(REGEX MATCHALL "\nc[12],2024-[^\n]*,ok" rows "${out}")
list(LENGTH rows count)
if(NOT count EQUAL 96)
  message(FATAL_ERROR "expected 48 rows for each of 2 channels, got ${count}:\n${out}")
endif()
run(${prefix}/bin/pulsecast inspect ${work}/rows.model)
file(REMOVE_RECURSE ${work})
