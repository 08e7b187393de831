# The table of calls. At the gate all pairs of values run on two ranks; in the matrix all calls
# of each operation are looked at without being compiled to the end.

find_package(Python3 COMPONENTS Interpreter REQUIRED)
set(generator "${CMAKE_CURRENT_SOURCE_DIR}/calls/generate.py")
set(generated "${CMAKE_CURRENT_BINARY_DIR}/calls")
if(NOT "pairs" IN_LIST MPIGLOT_TESTS_WITHOUT)
  add_custom_command(
    OUTPUT "${generated}/pairs.cpp"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${generated}"
    COMMAND ${Python3_EXECUTABLE} "${generator}" pairs "${generated}/pairs.cpp"
    DEPENDS "${generator}"
    VERBATIM
  )

  mpiglot_runtime_program(mpiglot_cpp_calls HEADERS_ONLY ../cpp/main.cpp "${generated}/pairs.cpp")
  target_include_directories(mpiglot_cpp_calls PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}/calls" ../cpp)
  target_compile_options(mpiglot_cpp_calls PRIVATE -O0 -g0 -w) # warnings.cpp is for warnings
  if(pfr_include)
    set_source_files_properties("${generated}/pairs.cpp" PROPERTIES COMPILE_OPTIONS "-idirafter;${pfr_include}")
  endif()
  mpiglot_mpi_test(cpp.calls.pairs
    TARGET mpiglot_cpp_calls RANKS 2 LABELS cpp
  )
endif()

if(MPIGLOT_TESTS_FOR_ANY_MPI)
  execute_process(
    COMMAND ${Python3_EXECUTABLE} "${generator}" operations
    OUTPUT_VARIABLE operations
    COMMAND_ERROR_IS_FATAL ANY
  )
  foreach(operation IN LISTS operations)
    add_test(
      NAME cpp.calls.${operation}
      COMMAND
        ${CMAKE_COMMAND} -D COMPILER=${CMAKE_CXX_COMPILER} -D FLAGS=${flags} -D GENERATOR=${generator} -D
        PYTHON=${Python3_EXECUTABLE} -D OPERATION=${operation} -D FOLDER=${generated} -D
        HEADERS=${CMAKE_CURRENT_SOURCE_DIR}/calls -P ${CMAKE_CURRENT_SOURCE_DIR}/calls/every.cmake
    )
    set_tests_properties(cpp.calls.${operation} PROPERTIES TIMEOUT 1000 LABELS "cpp;any_mpi;matrix")
  endforeach()
endif()
