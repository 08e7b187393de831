# The target mpiglot::pmpi: libmpiglot_pmpi.so for the MPI in use. Preloaded, it sends every MPI call
# of a program through the generated C++ layer and reports them (docs/guide/pmpi.md). Its sources come with
# the layer in a package; for another layer the command `mpiglot` generates them.
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/mpiglot-generate.cmake")

# mpiglot_add_pmpi(PROBLEM LAYER MPI_TARGET VERSION): built when it is asked for, or when something
# depends on it; PROBLEM is empty, or a sentence that says why there are no sources.
function(mpiglot_add_pmpi problem layer mpi version)
  set(${problem} "" PARENT_SCOPE)
  if(TARGET mpiglot_pmpi)
    return()
  endif()
  set(folder "${layer}")
  if(NOT EXISTS "${layer}/pmpi/exports.map")
    mpiglot_generate_pmpi(folder complaint "${layer}" "${version}")
    if(NOT folder)
      set(
        ${problem}
        "there are no sources of the PMPI library beside the layer ${layer}, and none \
could be generated: ${complaint}"
        PARENT_SCOPE
      )
      return()
    endif()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS "${folder}/pmpi/*.cpp")
  add_library(mpiglot_pmpi SHARED EXCLUDE_FROM_ALL ${sources})
  add_library(mpiglot::pmpi ALIAS mpiglot_pmpi)
  target_include_directories(mpiglot_pmpi PRIVATE "${folder}")
  target_compile_features(mpiglot_pmpi PRIVATE cxx_std_20)
  target_compile_definitions(mpiglot_pmpi PRIVATE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  # As pmpi/build has them.
  target_compile_options(
    mpiglot_pmpi
    PRIVATE
      $<$<CONFIG:>:-O2>
      -fvisibility-inlines-hidden
      -fno-semantic-interposition
      -ftls-model=initial-exec
      -fno-strict-aliasing
  )
  target_link_options(mpiglot_pmpi PRIVATE "LINKER:--version-script,${folder}/pmpi/exports.map" "LINKER:-z,now")
  target_link_libraries(mpiglot_pmpi PRIVATE ${mpi} ${CMAKE_DL_LIBS})
  set_target_properties(
    mpiglot_pmpi
    PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET default FUNCTIONS "${folder}/pmpi/functions.json"
  )
endfunction()

# mpiglot_generate_pmpi(FOLDER PROBLEM LAYER VERSION): sources for the MPI that a layer is for.
function(mpiglot_generate_pmpi result problem layer version)
  set(${result} "" PARENT_SCOPE)
  mpiglot_find_command(command complaint "${version}")
  if(NOT command)
    set(${problem} "${complaint}" PARENT_SCOPE)
    return()
  endif()
  mpiglot_name_of_layer(name "${layer}")
  set(for_what --target "${name}")
  if(EXISTS "${layer}/../blueprint.json") # as mpiglot_generate_layer leaves it
    set(for_what --blueprint "${layer}/../blueprint.json")
  endif()
  set(folder "${CMAKE_BINARY_DIR}/mpiglot/${name}-pmpi")
  mpiglot_run(failed ${command} generate pmpi ${for_what} -o "${folder}")
  if(failed)
    set(${problem} "${failed}" PARENT_SCOPE)
    return()
  endif()
  mpiglot_say("generated the PMPI library's sources for ${name}")
  set(${result} "${folder}" PARENT_SCOPE)
endfunction()
