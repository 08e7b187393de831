# The compiled part of the runtime: what a program needs once, so that it is not part of every
# translation unit. Built in the project that uses it, for its MPI and with its compiler. Used by
# the source tree and by the installed package.
#
#   MPIGLOT_HEADERS_ONLY   ON: mpiglot::mpiglot is mpiglot::headers, and nothing is built
#   BUILD_SHARED_LIBS      ON: a shared library; else a static one
include_guard()

option(MPIGLOT_HEADERS_ONLY "mpiglot::mpiglot without its compiled part" OFF)

# mpiglot_add_runtime(SOURCES HEADERS): the library mpiglot_runtime; HEADERS is the target of the
# runtime's headers.
function(mpiglot_add_runtime sources headers)
  add_library(mpiglot_runtime
    "${sources}/communicator.cpp"
    "${sources}/environment.cpp"
    "${sources}/errors.cpp"
    "${sources}/merged.cpp")
  target_link_libraries(mpiglot_runtime PUBLIC ${headers})
  target_compile_definitions(mpiglot_runtime PUBLIC MPIGLOT_COMPILED)
  set_target_properties(mpiglot_runtime PROPERTIES
    CXX_EXTENSIONS OFF
    CXX_VISIBILITY_PRESET default
    POSITION_INDEPENDENT_CODE ON)
  # A program takes from a static library what it uses, function by function.
  get_target_property(kind mpiglot_runtime TYPE)
  if(kind STREQUAL "STATIC_LIBRARY" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_compile_options(mpiglot_runtime PRIVATE -ffunction-sections -fdata-sections)
    target_link_options(mpiglot_runtime INTERFACE "LINKER:--gc-sections")
  endif()
endfunction()
