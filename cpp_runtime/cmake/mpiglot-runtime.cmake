# The compiled part of the runtime: what a program needs once, so that it is not part of every
# translation unit. Built in the project that uses it, for its MPI and with its compiler. Used by
# the source tree and by the installed package.
#
#   MPIGLOT_HEADERS_ONLY   ON: mpiglot::mpiglot is mpiglot::headers, and nothing is built
#   BUILD_SHARED_LIBS      OFF: a static library; else, or where nobody says, a shared one, which is
#                          installed with the programs of the project
include_guard()
include(GNUInstallDirs)

option(MPIGLOT_HEADERS_ONLY "mpiglot::mpiglot without its compiled part" OFF)

# mpiglot_headers_for_ranks(HEADERS): SimGrid's ranks are copies of the program in one process; the
# loader gives them inline variables in common unless the compiler marks these otherwise.
function(mpiglot_headers_for_ranks headers)
  if(CMAKE_CXX_COMPILER MATCHES "smpicxx" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${headers} INTERFACE -fno-gnu-unique)
  endif()
endfunction()

# mpiglot_add_runtime(SOURCES HEADERS): the library mpiglot_runtime; HEADERS is the target of the
# runtime's headers.
function(mpiglot_add_runtime sources headers)
  set(kind SHARED)
  if(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
    set(kind STATIC)
  elseif(NOT DEFINED BUILD_SHARED_LIBS AND CMAKE_CXX_COMPILER MATCHES "smpicxx")
    set(kind STATIC) # SimGrid gives each rank variables of its own in the program only
  elseif(NOT DEFINED BUILD_SHARED_LIBS AND CMAKE_PROJECT_NAME STREQUAL "mpiglot")
    set(kind STATIC) # our tests put functions of their own between the library and MPI
  endif()
  add_library(
    mpiglot_runtime
    ${kind}
    "${sources}/communicator.cpp"
    "${sources}/environment.cpp"
    "${sources}/errors.cpp"
    "${sources}/kernels.cpp"
    "${sources}/merged.cpp"
  )
  target_link_libraries(mpiglot_runtime PUBLIC ${headers})
  target_compile_definitions(mpiglot_runtime PUBLIC MPIGLOT_COMPILED)
  set_target_properties(
    mpiglot_runtime
    PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET default POSITION_INDEPENDENT_CODE ON
  )
  if(kind STREQUAL "SHARED")
    mpiglot_install_runtime()
    # What it calls of itself it calls directly: nobody replaces its functions.
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
      target_link_options(mpiglot_runtime PRIVATE "LINKER:-Bsymbolic-functions")
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      target_compile_options(mpiglot_runtime PRIVATE -fno-semantic-interposition)
    endif()
  elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    # A program takes from a static library what it uses, function by function.
    target_compile_options(mpiglot_runtime PRIVATE -ffunction-sections -fdata-sections)
    target_link_options(mpiglot_runtime INTERFACE "LINKER:--gc-sections")
  endif()
endfunction()

# The project around us installs its programs, and they look for the library where it goes.
function(mpiglot_install_runtime)
  if(CMAKE_PROJECT_NAME STREQUAL "mpiglot")
    return() # installed for others, it is the package: they build the library
  endif()
  install(
    TARGETS mpiglot_runtime
    OPTIONAL
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}"
  )
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    # In a file: what quotes a $ for make and shell, the generators of CMake disagree on.
    set(options "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/mpiglot/runpath")
    file(CONFIGURE OUTPUT "${options}" @ONLY CONTENT "-Wl,-rpath,$ORIGIN/../@CMAKE_INSTALL_LIBDIR@:$ORIGIN\n")
    target_link_options(mpiglot_runtime INTERFACE "@${options}")
  endif()
endfunction()
