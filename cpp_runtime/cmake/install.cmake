# `cmake --install`: the same files in the same places as `mpiglot package cpp` writes them, for the
# committed layer and the one in use.
set(from_templates "${PROJECT_SOURCE_DIR}/templates/packages/cpp")
set(made "${CMAKE_CURRENT_BINARY_DIR}/package")

file(GLOB committed "${PROJECT_SOURCE_DIR}/generated/cpp/*/mpiglot-manifest.json")
set(MPIGLOT_LAYERS "")
set(inputs "")
foreach(manifest IN LISTS committed ITEMS "${layer}/mpiglot-manifest.json")
  get_filename_component(folder "${manifest}" DIRECTORY)
  mpiglot_name_of_layer(name "${folder}")
  if(name IN_LIST MPIGLOT_LAYERS)
    continue()
  endif()
  list(APPEND MPIGLOT_LAYERS "${name}")
  install(DIRECTORY "${folder}/" DESTINATION "share/mpiglot/layers/${name}")
  set(MPIGLOT_LAYER "${name}")
  configure_file("${from_templates}/mpiglot.pc.in" "${made}/mpiglot-${name}.pc" @ONLY)
  install(FILES "${made}/mpiglot-${name}.pc" DESTINATION share/pkgconfig)

  file(READ "${manifest}" text)
  string(JSON count LENGTH "${text}" inputs)
  math(EXPR last "${count} - 1")
  foreach(index RANGE ${last})
    string(JSON input MEMBER "${text}" inputs ${index})
    string(JSON hash GET "${text}" inputs ${input})
    list(APPEND inputs "${input} ${hash}")
  endforeach()
endforeach()

# What it was generated from, and one hash over that (mpiglot/packaging/contents.py does the same).
list(REMOVE_DUPLICATES inputs)
list(SORT inputs)
list(JOIN inputs "\n" lines)
string(SHA256 MPIGLOT_ATLAS "${lines}\n")
string(REGEX REPLACE "([^\n ]+) ([^\n]+)" "  \"\\1\": \"\\2\"" MPIGLOT_INPUTS "${lines}")
string(REPLACE "\n" ",\n" MPIGLOT_INPUTS "${MPIGLOT_INPUTS}")
list(SORT MPIGLOT_LAYERS)
list(JOIN MPIGLOT_LAYERS ", " MPIGLOT_LAYERS)

configure_file(cmake/mpiglot-config-version.cmake.in "${made}/mpiglot-config-version.cmake" @ONLY)
configure_file("${from_templates}/README.md.in" "${made}/README.md" @ONLY)
configure_file("${from_templates}/mpiglot-package.json.in" "${made}/mpiglot-package.json" @ONLY)
install(DIRECTORY include/mpiglot DESTINATION include)
install(DIRECTORY src DESTINATION share/mpiglot)
install(
  FILES
    cmake/mpiglot-config.cmake
    cmake/mpiglot-generate.cmake
    cmake/mpiglot-layer.cmake
    cmake/mpiglot-pmpi.cmake
    cmake/mpiglot-runtime.cmake
    "${made}/mpiglot-config-version.cmake"
  DESTINATION share/cmake/mpiglot
)
install(FILES "${made}/mpiglot-package.json" DESTINATION share/mpiglot)
install(FILES "${made}/README.md" "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION share/doc/mpiglot)
