# Programs of several translation units and shared libraries, which show nothing but their own
# functions: with the compiled part, and with headers only.

foreach(form IN ITEMS mpiglot headers)
  set(parts "")
  foreach(part IN ITEMS first second)
    add_library(mpiglot_linkage_${form}_${part} SHARED linkage/part.cpp)
    target_compile_definitions(mpiglot_linkage_${form}_${part} PRIVATE LINKAGE_PART=${part})
    set_target_properties(mpiglot_linkage_${form}_${part} PROPERTIES
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    list(APPEND parts mpiglot_linkage_${form}_${part})
  endforeach()
  add_executable(mpiglot_linkage_${form} linkage/main.cpp linkage/here.cpp)
  foreach(target IN LISTS parts ITEMS mpiglot_linkage_${form})
    target_link_libraries(${target} PRIVATE mpiglot::${form} mpiglot_warnings)
  endforeach()
  target_link_libraries(mpiglot_linkage_${form} PRIVATE ${parts})
  mpiglot_mpi_test(cpp.runtime.linkage.${form} TARGET mpiglot_linkage_${form} RANKS 2 LABELS cpp)
  # Each shared library has a compiled part of its own: on purpose.
  set_property(TEST cpp.runtime.linkage.${form} APPEND PROPERTY
    ENVIRONMENT "ASAN_OPTIONS=detect_odr_violation=0")
endforeach()
