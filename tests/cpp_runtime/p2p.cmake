# Point-to-point, requests and serialization.

add_executable(mpiglot_cpp_runtime_codec_tests ../cpp/main.cpp serial_codec.cpp)
target_link_libraries(mpiglot_cpp_runtime_codec_tests PRIVATE mpiglot::mpiglot mpiglot_warnings)
mpiglot_mpi_test(cpp.runtime.codec TARGET mpiglot_cpp_runtime_codec_tests RANKS 1 LABELS cpp)
