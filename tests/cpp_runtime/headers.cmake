# The core includes no header of the standard library that is expensive to compile; what needs one
# has a header of its own. (GNU library; others include more.)
# cmake -D COMPILER=... -D FLAGS="..." -P headers.cmake

set(
  expensive
  algorithm
  array
  atomic
  chrono
  complex
  cstdio
  fstream
  functional
  iostream
  limits
  map
  memory
  mutex
  numeric
  ranges
  regex
  set
  span
  sstream
  stdexcept
  string
  string_view
  thread
  tuple
  unordered_map
  variant
  cxxabi.h
  unistd.h
)
# Chapters of the layer, which need some of these.
set(
  chapters
  attributes
  collectives
  datatypes
  environment
  groups
  pt2pt
  topologies
)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(
  COMMAND "${CMAKE_COMMAND}" -E echo "#include <mpiglot/communicator.hpp>\n#include <mpiglot/environment.hpp>"
  COMMAND "${COMPILER}" ${flags} -std=c++20 -DMPIGLOT_COMPILED -x c++ -M -
  RESULT_VARIABLE status
  OUTPUT_VARIABLE dependencies
  TIMEOUT 600
)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the headers of the core do not compile")
endif()
string(REGEX MATCHALL "[^ \n\\]+" files "${dependencies}")
list(LENGTH files count)
if(count LESS 50)
  message(FATAL_ERROR "only ${count} files are included: this test sees nothing")
endif()
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  foreach(header IN LISTS expensive)
    if(name STREQUAL header AND NOT file MATCHES "/(experimental|bits|c[+][+]/v1|__[a-z_]+)/")
      message(SEND_ERROR "the core includes <${header}> (${file})")
    endif()
  endforeach()
  foreach(chapter IN LISTS chapters)
    if(file MATCHES "/mpiglot/mpi/${chapter}[.]hpp$")
      message(SEND_ERROR "the core includes a chapter of the layer (${file})")
    endif()
  endforeach()
endforeach()
