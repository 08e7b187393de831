# Point-to-point, requests and serialization.

if(MPIGLOT_TESTS_FOR_ANY_MPI AND NOT "codec" IN_LIST MPIGLOT_TESTS_WITHOUT)
  # Classes that are drawn at random.
  find_package(Python3 COMPONENTS Interpreter REQUIRED)
  set(drawn "${CMAKE_CURRENT_SOURCE_DIR}/drawn")
  set(drawn_types "${CMAKE_CURRENT_BINARY_DIR}/drawn/serial_types.hpp")
  add_custom_command(
    OUTPUT "${drawn_types}"
    COMMAND ${CMAKE_COMMAND} -E make_directory "${CMAKE_CURRENT_BINARY_DIR}/drawn"
    COMMAND ${Python3_EXECUTABLE} "${drawn}/generate.py" 16 "${drawn_types}"
    DEPENDS "${drawn}/generate.py"
    VERBATIM
  )
  mpiglot_runtime_program(mpiglot_cpp_runtime_codec_tests
    ../cpp/main.cpp serial_arena.cpp serial_bytes.cpp serial_codec.cpp serial_depth.cpp
    serial_drawn.cpp serial_fields.cpp serial_fingerprints.cpp serial_counts.cpp serial_joined.cpp serial_mel.cpp serial_mutations.cpp
    serial_kept.cpp serial_observing.cpp serial_registered.cpp
    serial_streams.cpp
    "${drawn_types}"
  )
  target_include_directories(mpiglot_cpp_runtime_codec_tests PRIVATE "${drawn}" "${CMAKE_CURRENT_BINARY_DIR}/drawn")
  # They compute for long: a second more of the compiler saves them 40.
  set_source_files_properties(
    serial_depth.cpp
    serial_drawn.cpp
    serial_mel.cpp
    serial_mutations.cpp
    PROPERTIES COMPILE_OPTIONS -O1
  )
  mpiglot_mpi_test(cpp.runtime.codec TARGET mpiglot_cpp_runtime_codec_tests RANKS 1
    LABELS cpp any_mpi CPU 300
  )
  mpiglot_mpi_test(cpp.runtime.mutations
    TARGET mpiglot_cpp_runtime_codec_tests RANKS 1
    ARGUMENTS serial_drawn.cpp LABELS cpp any_mpi matrix CPU 1200
  )
  set_tests_properties(cpp.runtime.mutations PROPERTIES ENVIRONMENT MPIGLOT_TEST_ROUNDS=1000000)
endif()

if(NOT "messages" IN_LIST MPIGLOT_TESTS_WITHOUT)
  mpiglot_runtime_program(mpiglot_cpp_runtime_message_tests
    ../cpp/main.cpp
    coroutines.cpp
    messages_bcast.cpp
    messages_runs.cpp
    messages_types.cpp
    messages_streams.cpp
    p2p_exchange.cpp
    p2p_failures.cpp
    p2p_kinds.cpp
    p2p_mel.cpp
    p2p_modes.cpp
    request_pool.cpp
    serial_sharing.cpp
  )
  mpiglot_precompile(mpiglot_cpp_runtime_message_tests
    kinds.hpp <mpiglot/communicator.hpp> <mpiglot/serialized.hpp>
  )
  foreach(ranks IN ITEMS 1 2 3 4)
    mpiglot_mpi_test(cpp.runtime.messages.${ranks}
      TARGET mpiglot_cpp_runtime_message_tests RANKS ${ranks} LABELS cpp CPU 300
    )
  endforeach()
  mpiglot_mpi_test(cpp.runtime.messages.mixed
    TARGET mpiglot_cpp_runtime_message_tests RANKS 3 LABELS cpp CPU 300
  )
  set_tests_properties(cpp.runtime.messages.mixed PROPERTIES ENVIRONMENT MPIGLOT_TESTS_MIXED=1)
  mpiglot_mpi_test(cpp.runtime.messages.looking
    TARGET mpiglot_cpp_runtime_message_tests RANKS 2
    ARGUMENTS p2p_failures.cpp LABELS cpp CPU 300
  )
  set_tests_properties(cpp.runtime.messages.looking PROPERTIES ENVIRONMENT MPIGLOT_CHECKS=)

  # A program that counts MPI's calls, so that nothing else may call in it.
  mpiglot_runtime_program(mpiglot_cpp_runtime_growing_messages ../cpp/main.cpp messages_grow.cpp)
  mpiglot_mpi_test(cpp.runtime.growing_messages.2
    TARGET mpiglot_cpp_runtime_growing_messages RANKS 2 LABELS cpp CPU 300
  )
  foreach(ranks IN ITEMS 1 3 4)
    mpiglot_mpi_test(cpp.runtime.growing_messages.${ranks}
      TARGET mpiglot_cpp_runtime_growing_messages RANKS ${ranks} LABELS cpp matrix CPU 900
    )
  endforeach()
endif()

# Codecs of other libraries, where these are installed.
find_path(cereal_include cereal/cereal.hpp)
find_path(boost_include boost/archive/binary_oarchive.hpp)
find_library(boost_serialization boost_serialization)
if(
  MPIGLOT_TESTS_FOR_ANY_MPI
  AND NOT "codec" IN_LIST MPIGLOT_TESTS_WITHOUT
  AND cereal_include
  AND boost_include
  AND boost_serialization
  AND NOT CMAKE_CXX_FLAGS MATCHES "libc[+][+]" # which Boost was not compiled with
  AND
    NOT
      (
        CMAKE_CXX_COMPILER_ID STREQUAL "Clang" # which refuses cereal's RapidJSON
        AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 19
      )
)
  mpiglot_runtime_program(mpiglot_cpp_runtime_backend_tests ../cpp/main.cpp serial_backends.cpp)
  target_link_libraries(mpiglot_cpp_runtime_backend_tests PRIVATE ${boost_serialization})
  foreach(ranks IN ITEMS 1 3)
    mpiglot_mpi_test(cpp.runtime.serialization.${ranks}
      TARGET mpiglot_cpp_runtime_backend_tests RANKS ${ranks} LABELS cpp any_mpi
    )
  endforeach()
elseif(MPIGLOT_TESTS_FOR_ANY_MPI)
  message(STATUS "cereal or Boost.Serialization is not usable: no tests of these codecs")
endif()

# It stands in for MPI, so there are no handles to count.
add_executable(mpiglot_cpp_runtime_large_tests ../cpp/main.cpp p2p_large.cpp)
target_link_libraries(mpiglot_cpp_runtime_large_tests PRIVATE mpiglot::mpiglot mpiglot_warnings)
if(MPIGLOT_TEST_TWINS) # found out for tests/cpp
  target_compile_definitions(mpiglot_cpp_runtime_large_tests PRIVATE MPIGLOT_TEST_TWINS)
endif()
mpiglot_mpi_test(cpp.runtime.large_messages
  TARGET mpiglot_cpp_runtime_large_tests RANKS 1 LABELS cpp
)

find_package(Threads REQUIRED)
mpiglot_runtime_program(mpiglot_cpp_runtime_thread_tests p2p_threads.cpp)
target_link_libraries(mpiglot_cpp_runtime_thread_tests PRIVATE Threads::Threads)
mpiglot_mpi_test(cpp.runtime.threads TARGET mpiglot_cpp_runtime_thread_tests RANKS 2 LABELS cpp)

# Random histories, on whose messages all ranks must agree.
mpiglot_runtime_program(mpiglot_cpp_runtime_agreement messages_agree.cpp)
target_link_libraries(mpiglot_cpp_runtime_agreement PRIVATE Threads::Threads)
foreach(ranks IN ITEMS 1 2 3 4)
  mpiglot_mpi_test(cpp.runtime.messages_agree.${ranks}
    TARGET mpiglot_cpp_runtime_agreement RANKS ${ranks} LABELS cpp CPU 300
  )
endforeach()
mpiglot_mpi_test(cpp.runtime.messages_agree.threads
  TARGET mpiglot_cpp_runtime_agreement RANKS 2 ARGUMENTS threads LABELS cpp CPU 300
)

# An exception that must end the job does so, in its own words.
mpiglot_runtime_program(mpiglot_cpp_runtime_endings p2p_endings.cpp)
foreach(
  ending
  IN
  ITEMS send span pool persistent collective function
)
  mpiglot_mpi_test(cpp.runtime.ends_the_job.${ending}
    TARGET mpiglot_cpp_runtime_endings RANKS 2 ARGUMENTS ${ending} LABELS cpp
  )
  set_tests_properties(
    cpp.runtime.ends_the_job.${ending}
    PROPERTIES PASS_REGULAR_EXPRESSION "the reason of this program" FAIL_REGULAR_EXPRESSION "not reached"
  )
endforeach()
# What an exception has left is kept until MPI finalizes, which tells what is pending still.
mpiglot_mpi_test(cpp.runtime.tells_what_is_left
  TARGET mpiglot_cpp_runtime_endings RANKS 2 ARGUMENTS told LABELS cpp
)
set_tests_properties(
  cpp.runtime.tells_what_is_left
  PROPERTIES PASS_REGULAR_EXPRESSION "exceptions left: 3 .(ireduce, ibarrier|ibarrier, ireduce)."
)
