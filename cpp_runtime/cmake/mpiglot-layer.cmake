# Finds the generated C++ layer for the MPI that CMake has found: one of the layers at hand, or one
# that the command `mpiglot` generates now. Used by the source tree and by the installed package.
#
#   MPIGLOT_GENERATED   folder of a generated layer: this one or none
#   MPIGLOT_GENERATE    OFF: never run the command
#   MPIGLOT_COMMAND     the command `mpiglot`; default: the one on PATH
#   MPIGLOT_PYTHON      a Python that has mpiglot, where there is no command; default: python3
#   MPIGLOT_MPICC       C compiler wrapper of this MPI; default: beside MPI_CXX_COMPILER
include_guard()
include("${CMAKE_CURRENT_LIST_DIR}/mpiglot-generate.cmake")

set(MPIGLOT_GENERATED "" CACHE PATH "Folder of the generated C++ layer for this MPI; empty: the one at hand that fits")
option(MPIGLOT_GENERATE "Generate a C++ layer with the command mpiglot if none at hand fits" ON)

# mpiglot_find_mpi(TARGET): finds MPI unless the project has, and gives the target to link. C++'s
# if there is one; compilers with a wrapper for C only are as good, since no function of MPI's own
# C++ bindings is used. Not MPI_CXX_SKIP_MPICXX: with it FindMPI forgets what the wrapper defines,
# and `mpicxx_abi` without -DMPI_ABI is another ABI.
macro(mpiglot_find_mpi target)
  mpiglot_usable_mpi(${target})
  if(NOT ${target})
    find_package(MPI QUIET COMPONENTS CXX)
    mpiglot_usable_mpi(${target})
  endif()
  get_property(_mpiglot_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(NOT ${target} AND "C" IN_LIST _mpiglot_languages)
    find_package(MPI QUIET COMPONENTS C)
    mpiglot_usable_mpi(${target})
  endif()
endmacro()

# FindMPI makes a target even if no program can be built with it.
macro(mpiglot_usable_mpi target)
  set(${target} "")
  foreach(_mpiglot_language IN ITEMS C CXX)
    if(
      TARGET MPI::MPI_${_mpiglot_language}
      AND (NOT DEFINED MPI_${_mpiglot_language}_FOUND OR MPI_${_mpiglot_language}_FOUND)
    )
      set(${target} MPI::MPI_${_mpiglot_language})
    endif()
  endforeach()
endmacro()

function(mpiglot_say sentence)
  if(NOT mpiglot_FIND_QUIETLY)
    message(STATUS "mpiglot: ${sentence}")
  endif()
endfunction()

# mpiglot_choose_layer(LAYER PROBLEM MPI_TARGET VERSION FOLDERS...): the layer's folder, or one
# sentence that says why there is none. FOLDERS hold the layers at hand, VERSION is mpiglot's.
function(mpiglot_choose_layer layer problem mpi version)
  set(${layer} "" PARENT_SCOPE)
  set(${problem} "" PARENT_SCOPE)
  mpiglot_describe_mpi(description ${mpi} "${version}" ${ARGN})
  if(description AND description STREQUAL MPIGLOT_CHOSEN_FOR AND EXISTS "${MPIGLOT_CHOSEN_LAYER}/mpiglot-manifest.json")
    set(${layer} "${MPIGLOT_CHOSEN_LAYER}" PARENT_SCOPE)
    return()
  endif()

  mpiglot_identify_mpi(identity ${mpi})
  if(NOT identity)
    set(
      ${problem}
      "no program can be built with the MPI that CMake found (${mpi}): \
see ${CMAKE_BINARY_DIR}/CMakeFiles."
      PARENT_SCOPE
    )
    return()
  endif()
  if(MPIGLOT_GENERATED)
    mpiglot_check_layer(complaint ${mpi} "${MPIGLOT_GENERATED}")
    if(complaint)
      set(
        ${problem}
        "MPIGLOT_GENERATED is ${MPIGLOT_GENERATED}, which does not fit the MPI that \
CMake found, ${identity}: ${complaint}"
        PARENT_SCOPE
      )
      return()
    endif()
    set(found "${MPIGLOT_GENERATED}")
    mpiglot_say("the C++ layer of MPIGLOT_GENERATED, ${found}, for ${identity}")
  else()
    mpiglot_fitting_layer(found refused ${mpi} "${identity}" ${ARGN})
    if(NOT found)
      mpiglot_names_of_layers(names ${ARGN})
      mpiglot_generate_layer(found complaint ${mpi} "${identity}" "${version}" "${description}")
      if(NOT found)
        set(
          ${problem}
          "there is no C++ layer for the MPI that CMake found, ${identity} (at hand: \
${names}${refused}), and none could be generated: ${complaint}"
          PARENT_SCOPE
        )
        return()
      endif()
    endif()
  endif()
  set(MPIGLOT_CHOSEN_FOR "${description}" CACHE INTERNAL "The MPI for which a layer was chosen")
  set(MPIGLOT_CHOSEN_LAYER "${found}" CACHE INTERNAL "The C++ layer chosen for it")
  set(${layer} "${found}" PARENT_SCOPE)
endfunction()

# What a choice depends on; empty if nobody can know whether <mpi.h> has changed.
function(mpiglot_describe_mpi result mpi)
  get_target_property(folders ${mpi} INTERFACE_INCLUDE_DIRECTORIES)
  unset(header)
  find_file(header mpi.h PATHS ${folders} NO_DEFAULT_PATH NO_CACHE)
  if(NOT header)
    set(${result} "" PARENT_SCOPE)
    return()
  endif()
  file(SHA256 "${header}" hash)
  get_target_property(definitions ${mpi} INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(options ${mpi} INTERFACE_COMPILE_OPTIONS)
  set(generated "")
  if(MPIGLOT_GENERATED AND EXISTS "${MPIGLOT_GENERATED}/mpiglot-manifest.json")
    file(SHA256 "${MPIGLOT_GENERATED}/mpiglot-manifest.json" generated)
  endif()
  string(
    SHA256 description
    "${folders}|${hash}|${definitions}|${options}|${CMAKE_CXX_COMPILER}|\
${CMAKE_CXX_FLAGS}|${MPI_CXX_COMPILER}|${MPIGLOT_GENERATED}|${generated}|${ARGN}"
  )
  set(${result} "${description}" PARENT_SCOPE)
endfunction()

# mpiglot_identify_mpi(IDENTITY MPI_TARGET): what <mpi.h> says it is, in the words in which layers
# are named: "mpich-4.0.2", "abi-1"; "unknown-0" for an MPI that has no macro we know. Read out of
# a program that is not run, so that it works for another machine too.
function(mpiglot_identify_mpi result mpi)
  set(source "${CMAKE_BINARY_DIR}/CMakeFiles/mpiglot/identity.cpp")
  file(
    WRITE "${source}"
    [[
#include <mpi.h>
#define MPIGLOT_TEXT_OF(x) #x
#define MPIGLOT_TEXT(x) MPIGLOT_TEXT_OF(x)
#if defined(MPI_ABI_VERSION)
#define MPIGLOT_IDENTITY "abi-" MPIGLOT_TEXT(MPI_ABI_VERSION)
#elif defined(I_MPI_VERSION)
#define MPIGLOT_IDENTITY "intelmpi-" I_MPI_VERSION
#elif defined(MPICH_VERSION)
#define MPIGLOT_IDENTITY "mpich-" MPICH_VERSION
#elif defined(OMPI_MAJOR_VERSION)
#define MPIGLOT_IDENTITY "openmpi-" MPIGLOT_TEXT(OMPI_MAJOR_VERSION) "." \
  MPIGLOT_TEXT(OMPI_MINOR_VERSION) "." MPIGLOT_TEXT(OMPI_RELEASE_VERSION)
#else
#define MPIGLOT_IDENTITY "unknown-0"
#endif
const char identity[] = "mpiglot-identity<" MPIGLOT_IDENTITY ">";
int main(int argc, char**) { return identity[argc]; }
]]
  )
  set(program "${CMAKE_BINARY_DIR}/CMakeFiles/mpiglot/identity")
  try_compile(
    built
    "${CMAKE_BINARY_DIR}/CMakeFiles/mpiglot"
    "${source}"
    COMPILE_DEFINITIONS -DMPICH_SKIP_MPICXX -DOMPI_SKIP_MPICXX
    LINK_LIBRARIES ${mpi}
    COPY_FILE "${program}"
  )
  set(identity "")
  if(built)
    file(STRINGS "${program}" identity REGEX "mpiglot-identity<[^>]*>")
    string(REGEX MATCH "mpiglot-identity<([^>]*)>" identity "${identity}")
    set(identity "${CMAKE_MATCH_1}")
  endif()
  set(${result} "${identity}" PARENT_SCOPE)
endfunction()

# mpiglot_check_layer(COMPLAINT MPI_TARGET FOLDER [HEADER]): empty if the layer's own assertions
# (vendor, series, types, sizes, offsets, values) hold for this <mpi.h>, and HEADER compiles.
function(mpiglot_check_layer result mpi folder)
  set(header mpiglot/mpi/native.hpp)
  if(ARGC GREATER 3)
    set(header "${ARGV3}")
  endif()
  if(NOT EXISTS "${folder}/${header}")
    set(${result} "it holds no generated C++ layer." PARENT_SCOPE)
    return()
  endif()
  set(source "${CMAKE_BINARY_DIR}/CMakeFiles/mpiglot/fits.cpp")
  file(WRITE "${source}" "#include <${header}>\nint main() {}\n")
  try_compile(
    fits
    "${CMAKE_BINARY_DIR}/CMakeFiles/mpiglot"
    "${source}"
    CMAKE_FLAGS "-DINCLUDE_DIRECTORIES=${folder}"
    LINK_LIBRARIES ${mpi}
    OUTPUT_VARIABLE said
    CXX_STANDARD 20
    CXX_STANDARD_REQUIRED ON
  )
  set(complaint "")
  if(NOT fits)
    set(complaint "it does not compile with this <mpi.h>.")
    set(start "These mpiglot bindings were generated for [^,\n]*,")
    if(said MATCHES "${start} but <mpi.h> is another MPI's")
      set(complaint "${CMAKE_MATCH_0}.")
    elseif(said MATCHES "${start} and <mpi.h> is of another series")
      set(complaint "${CMAKE_MATCH_0}.")
    elseif(said MATCHES "__is_same\\(([A-Za-z_0-9]+, [a-z ]+)\\) differs from the MPI that")
      string(REPLACE "," " is not" which "${CMAKE_MATCH_1}")
      set(complaint "${which}, unlike in the MPI that it was generated for.")
    elseif(said MATCHES "[A-Za-z_0-9()]+ differs from the MPI that")
      set(complaint "${CMAKE_MATCH_0} it was generated for.")
    endif()
  endif()
  set(${result} "${complaint}" PARENT_SCOPE)
endfunction()

# The name of the MPI that a layer was generated for, as its manifest says.
function(mpiglot_name_of_layer result folder)
  file(READ "${folder}/mpiglot-manifest.json" manifest)
  string(JSON name ERROR_VARIABLE none GET "${manifest}" target)
  set(${result} "${name}" PARENT_SCOPE)
endfunction()

function(mpiglot_names_of_layers result)
  set(names "")
  foreach(folder IN LISTS ARGN)
    file(GLOB manifests "${folder}/*/mpiglot-manifest.json")
    foreach(manifest IN LISTS manifests)
      get_filename_component(one "${manifest}" DIRECTORY)
      mpiglot_name_of_layer(name "${one}")
      list(APPEND names "${name}")
    endforeach()
  endforeach()
  list(SORT names COMPARE NATURAL)
  list(JOIN names ", " text)
  if(text STREQUAL "")
    set(text "none")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# mpiglot_fitting_layer(LAYER REFUSED MPI_TARGET IDENTITY FOLDERS...): among the layers at hand the
# one for this release, else one for another release of the same series (the nearest older first),
# else nothing; REFUSED says why the first was not taken. The assertions of the one taken have been
# compiled with this <mpi.h>; of another release all of it, since that may lack a function.
function(mpiglot_fitting_layer result refused mpi identity)
  set(${result} "" PARENT_SCOPE)
  set(${refused} "" PARENT_SCOPE)
  string(REGEX MATCH "^([a-z]+)-(.*)$" matched "${identity}")
  set(vendor "${CMAKE_MATCH_1}")
  set(version "${CMAKE_MATCH_2}")
  string(REGEX MATCH "^[0-9]+\\.[0-9]+" series "${version}")
  set(exact "")
  set(older "")
  set(newer "")
  foreach(place IN LISTS ARGN)
    file(GLOB manifests "${place}/*/mpiglot-manifest.json")
    foreach(manifest IN LISTS manifests)
      get_filename_component(folder "${manifest}" DIRECTORY)
      mpiglot_name_of_layer(name "${folder}")
      string(REGEX MATCH "^([a-z]+)-([^-]*)(-abi)?$" matched "${name}")
      set(of "${CMAKE_MATCH_1}")
      set(number "${CMAKE_MATCH_2}")
      set(abi "${CMAKE_MATCH_3}")
      string(REGEX MATCH "^[0-9]+\\.[0-9]+" its_series "${number}")
      if(vendor STREQUAL "abi")
        if(abi)
          list(APPEND older "${number}|${folder}")
        endif()
      elseif(abi)
      elseif(vendor STREQUAL "unknown")
        if(NOT of MATCHES "^(mpich|intelmpi|openmpi)$")
          list(APPEND older "${number}|${folder}")
        endif()
      elseif(NOT of STREQUAL vendor)
      elseif(number STREQUAL version)
        list(APPEND exact "${number}|${folder}")
      elseif(its_series STREQUAL series AND NOT number VERSION_GREATER version)
        list(APPEND older "${number}|${folder}")
      elseif(its_series STREQUAL series)
        list(APPEND newer "${number}|${folder}")
      endif()
    endforeach()
  endforeach()
  list(SORT older COMPARE NATURAL)
  list(REVERSE older)
  if(vendor STREQUAL "abi")
    list(REVERSE older) # MPICH's has the lower number: the implementation the standard comes from
  endif()
  list(SORT newer COMPARE NATURAL)
  set(first "")
  foreach(candidate IN LISTS exact older newer)
    string(REGEX REPLACE "^[^|]*[|]" "" folder "${candidate}")
    mpiglot_name_of_layer(name "${folder}")
    set(header "")
    if(NOT candidate IN_LIST exact)
      set(header mpiglot/mpi.hpp)
    endif()
    mpiglot_check_layer(complaint ${mpi} "${folder}" ${header})
    if(NOT complaint)
      mpiglot_say("the C++ layer ${name} for ${identity}")
      set(${result} "${folder}" PARENT_SCOPE)
      return()
    endif()
    if(NOT first)
      string(REGEX REPLACE "\\.$" "" first "; ${name} does not fit: ${complaint}")
      set(${refused} "${first}" PARENT_SCOPE)
    endif()
  endforeach()
endfunction()
