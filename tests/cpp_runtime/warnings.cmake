# Compiles SOURCES after all public headers: no warning in the runtime's or the layer's headers, which
# users may include with -I. The sources' own warnings do not count.
# cmake -D COMPILER=... -D FLAGS="..." -D INCLUDE=cpp_runtime/include -D SOURCES="FILE;..." -D FOLDER=OUT
#       -P warnings.cmake

# What -Weverything is asked not to say, and why. docs/guide/cpp.md shows the list.
set(
  unwanted
  c++98-compat # the headers are C++20
  c++98-compat-pedantic
  pre-c++14-compat
  pre-c++17-compat
  pre-c++20-compat
  pre-c++20-compat-pedantic
  c++20-compat # "consteval" and "constinit", which are meant
  padded # says that a class has padding
  unsafe-buffer-usage # buffers of MPI are pointers and counts; includes unsafe-buffer-usage-in-container
  weak-vtables # classes with virtual functions are defined in headers
  switch-default # contradicts switch-enum and covered-switch-default
  switch-enum
  ctad-maybe-unsupported # classes of detail are deduced on purpose
  format-nonliteral # the form of a sentence is an argument
  global-constructors # one flag is set before main; mel's Comm::WORLD is an object
)
set(
  of_gcc
  -Wall
  -Wextra
  -Wpedantic
  -Wconversion
  -Wsign-conversion
  -Wshadow
  -Wold-style-cast
  -Wuseless-cast
  -Wredundant-decls
  -Wundef
)

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
execute_process(COMMAND "${COMPILER}" --version OUTPUT_VARIABLE version TIMEOUT 60)
if(version MATCHES "clang")
  list(APPEND flags -Weverything)
  foreach(name IN LISTS unwanted)
    list(APPEND flags -Wno-${name})
  endforeach()
else()
  list(APPEND flags ${of_gcc})
endif()

# All public headers, but those that need a library that may not be there.
file(GLOB_RECURSE headers RELATIVE "${INCLUDE}" "${INCLUDE}/*.hpp")
list(FILTER headers EXCLUDE REGEX "/detail/|/members/|/serialization/")
set(text "")
foreach(header IN LISTS headers)
  if(NOT header MATCHES "reflect[.]hpp$" OR FLAGS MATCHES "pfr")
    string(APPEND text "#include <${header}>\n")
  endif()
endforeach()
get_filename_component(name "${COMPILER}" NAME)
set(all "${FOLDER}/public_headers.${name}.hpp")
file(WRITE "${all}" "${text}")

foreach(source IN LISTS SOURCES)
  execute_process(
    COMMAND
      sh -c "ulimit -t 120; exec \"$@\"" sh "${COMPILER}" ${flags} -std=c++20 -fsyntax-only -I "${INCLUDE}" -include
      "${all}" "${source}"
    RESULT_VARIABLE status
    ERROR_VARIABLE message
    TIMEOUT 1500
  )
  if(NOT status EQUAL 0)
    message(SEND_ERROR "${source} does not compile:\n${message}")
  endif()
  string(REGEX MATCHALL "[^\n]*/mpiglot/[^\n]* warning: [^\n]*" warnings "${message}")
  list(REMOVE_DUPLICATES warnings)
  list(JOIN warnings "\n" warnings)
  if(warnings)
    message(SEND_ERROR "${source}:\n${warnings}")
  endif()
endforeach()
