# find_package(mpiglot): the generated C++ layer for the MPI that CMake finds, and the runtime.
#
#   mpiglot::mpi       the generated layer alone (component mpi)
#   mpiglot::mpiglot   the runtime on top of it (component mpiglot), with its compiled part
#   mpiglot::headers   the runtime without compiled part: headers only
#   mpiglot::pmpi      the PMPI library, with component pmpi only: mpiglot-pmpi.cmake
#   mpiglot_LAYER      folder of the layer that was chosen
#
# MPI is found as CMake's FindMPI does it, unless the project has done so before. Which layer is
# taken, and how it can be influenced: mpiglot-layer.cmake beside this file.
set(mpiglot_NOT_FOUND_MESSAGE "")
foreach(component IN LISTS mpiglot_FIND_COMPONENTS)
  if(component MATCHES "^(mpi|mpiglot|pmpi)$")
    set(mpiglot_${component}_FOUND TRUE)
  elseif(mpiglot_FIND_REQUIRED_${component})
    set(mpiglot_NOT_FOUND_MESSAGE "mpiglot has the components mpi, mpiglot and pmpi, and none called ${component}.")
  endif()
endforeach()

if(NOT CMAKE_CXX_COMPILER_LOADED)
  set(mpiglot_NOT_FOUND_MESSAGE "mpiglot is C++: enable CXX in project() before finding it.")
endif()

if(mpiglot_NOT_FOUND_MESSAGE STREQUAL "" AND NOT TARGET mpiglot::mpi)
  include("${CMAKE_CURRENT_LIST_DIR}/mpiglot-layer.cmake")
  get_filename_component(_mpiglot_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
  mpiglot_find_mpi(_mpiglot_target)
  if(NOT _mpiglot_target)
    set(
      mpiglot_NOT_FOUND_MESSAGE
      "CMake found no MPI; put its mpicxx on PATH, or pass \
-DMPI_CXX_COMPILER=WRAPPER and -DMPIEXEC_EXECUTABLE=LAUNCHER."
    )
  else()
    mpiglot_choose_layer(mpiglot_LAYER mpiglot_NOT_FOUND_MESSAGE
      ${_mpiglot_target} "${mpiglot_VERSION}" "${_mpiglot_prefix}/share/mpiglot/layers"
    )
  endif()
  if(mpiglot_NOT_FOUND_MESSAGE STREQUAL "")
    add_library(mpiglot::mpi INTERFACE IMPORTED)
    target_include_directories(mpiglot::mpi INTERFACE "${mpiglot_LAYER}")
    target_compile_features(mpiglot::mpi INTERFACE cxx_std_20)
    target_compile_definitions(mpiglot::mpi INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
    target_link_libraries(mpiglot::mpi INTERFACE ${_mpiglot_target})
    add_library(mpiglot::headers INTERFACE IMPORTED)
    target_include_directories(mpiglot::headers INTERFACE "${_mpiglot_prefix}/include")
    target_link_libraries(mpiglot::headers INTERFACE mpiglot::mpi)
    include("${CMAKE_CURRENT_LIST_DIR}/mpiglot-runtime.cmake")
    mpiglot_headers_for_ranks(mpiglot::headers)
    # Imported, so that libraries which use it can be exported: it is built where it is needed.
    add_library(mpiglot::mpiglot INTERFACE IMPORTED)
    if(MPIGLOT_HEADERS_ONLY)
      target_link_libraries(mpiglot::mpiglot INTERFACE mpiglot::headers)
    else()
      if(NOT TARGET mpiglot_runtime)
        mpiglot_add_runtime("${_mpiglot_prefix}/share/mpiglot/src" mpiglot::headers)
        set_target_properties(mpiglot_runtime PROPERTIES EXCLUDE_FROM_ALL ON)
      endif()
      target_link_libraries(mpiglot::mpiglot INTERFACE mpiglot_runtime)
    endif()
  endif()
  unset(_mpiglot_target)
  unset(_mpiglot_prefix)
endif()

if(mpiglot_NOT_FOUND_MESSAGE STREQUAL "" AND "pmpi" IN_LIST mpiglot_FIND_COMPONENTS)
  include("${CMAKE_CURRENT_LIST_DIR}/mpiglot-pmpi.cmake")
  mpiglot_find_mpi(_mpiglot_target)
  mpiglot_add_pmpi(_mpiglot_problem
    "${MPIGLOT_CHOSEN_LAYER}" ${_mpiglot_target} "${mpiglot_VERSION}"
  )
  if(_mpiglot_problem)
    set(mpiglot_pmpi_FOUND FALSE)
    if(mpiglot_FIND_REQUIRED_pmpi)
      set(mpiglot_NOT_FOUND_MESSAGE "${_mpiglot_problem}")
    endif()
  endif()
  unset(_mpiglot_target)
  unset(_mpiglot_problem)
endif()

if(NOT mpiglot_NOT_FOUND_MESSAGE STREQUAL "")
  set(mpiglot_FOUND FALSE)
endif()
