# Programs of several translation units and shared libraries, which show nothing but their own
# functions: with the compiled part, and with headers only.

foreach(form IN ITEMS mpiglot headers)
  set(program mpiglot_linkage_${form})
  add_library(${program}_first SHARED linkage/part.cpp)
  add_library(${program}_second MODULE linkage/part.cpp)
  foreach(part IN ITEMS first second)
    target_compile_definitions(${program}_${part} PRIVATE LINKAGE_PART=${part})
    set_target_properties(${program}_${part} PROPERTIES CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endforeach()
  add_executable(${program} linkage/main.cpp linkage/here.cpp)
  foreach(target IN ITEMS ${program}_first ${program}_second ${program})
    target_link_libraries(${target} PRIVATE mpiglot::${form} mpiglot_warnings)
  endforeach()
  target_link_libraries(${program} PRIVATE ${program}_first ${CMAKE_DL_LIBS})
  target_compile_definitions(${program} PRIVATE LINKAGE_SECOND="$<TARGET_FILE:${program}_second>")
  add_dependencies(${program} ${program}_second)
  mpiglot_mpi_test(cpp.runtime.linkage.${form} TARGET ${program} RANKS 2 LABELS cpp)
  # Each shared library has a compiled part of its own: on purpose.
  set_property(TEST cpp.runtime.linkage.${form} APPEND PROPERTY ENVIRONMENT "ASAN_OPTIONS=detect_odr_violation=0")
endforeach()
