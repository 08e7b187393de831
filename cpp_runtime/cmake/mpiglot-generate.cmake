# Generates a C++ layer while CMake configures, with the command `mpiglot`: probes the MPI that was
# found, and generates for what the probe has measured. Where it cannot, one sentence says why.
include_guard()

# mpiglot_find_command(COMMAND PROBLEM VERSION): how to call a mpiglot of this version, as a list, if
# there may be generated at all; otherwise COMMAND is empty and PROBLEM a sentence.
function(mpiglot_find_command command problem version)
  set(${command} "" PARENT_SCOPE)
  if(NOT MPIGLOT_GENERATE)
    set(${problem} "MPIGLOT_GENERATE is OFF." PARENT_SCOPE)
    return()
  endif()
  find_program(
    MPIGLOT_COMMAND
    mpiglot
    HINTS "${PROJECT_SOURCE_DIR}/.venv/bin"
    DOC "The command mpiglot, which generates a C++ layer if none at hand fits"
  )
  set(python "${MPIGLOT_PYTHON}")
  if(NOT python)
    set(python "${Python3_EXECUTABLE}")
  endif()
  if(NOT python)
    set(python python3)
  endif()
  set(tried "")
  foreach(candidate IN ITEMS "${MPIGLOT_COMMAND}" "${python};-m;mpiglot")
    list(GET candidate 0 program)
    if(NOT program)
      continue()
    endif()
    execute_process(COMMAND ${candidate} --version RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_QUIET TIMEOUT 60)
    if(NOT failed EQUAL 0 OR NOT said MATCHES "^mpiglot ([0-9.]+)")
      continue()
    endif()
    set(its_version "${CMAKE_MATCH_1}")
    string(REGEX MATCH "^[0-9]+\\.[0-9]+" wanted "${version}")
    if(its_version MATCHES "^${wanted}(\\.|$)")
      set(${command} "${candidate}" PARENT_SCOPE)
      return()
    endif()
    string(APPEND tried "; ${program} is mpiglot ${its_version}")
  endforeach()
  set(
    ${problem}
    "mpiglot ${version} is needed for that and was not found${tried}; \
pip install mpiglot==${version}, or name it with -DMPIGLOT_COMMAND=... or -DMPIGLOT_PYTHON=..., or \
generate elsewhere and pass -DMPIGLOT_GENERATED=FOLDER."
    PARENT_SCOPE
  )
endfunction()

# The C wrapper that stands beside the C++ one, as probing compiles C, with the flags that FindMPI
# gives it: Intel's is one for the standard ABI with -mpi-abi.
function(mpiglot_find_wrapper result)
  if(MPIGLOT_MPICC)
    set(${result} "${MPIGLOT_MPICC}" PARENT_SCOPE)
    return()
  endif()
  set(${result} "" PARENT_SCOPE)
  foreach(language IN ITEMS CXX C)
    get_filename_component(folder "${MPI_${language}_COMPILER}" DIRECTORY)
    get_filename_component(name "${MPI_${language}_COMPILER}" NAME)
    string(REGEX REPLACE "^mpi(cxx|c\\+\\+|CC|cc)" "mpicc" name "${name}")
    string(REGEX REPLACE "^mpiicp([xc])" "mpiic\\1" name "${name}")
    if(name MATCHES "^mpii?c" AND EXISTS "${folder}/${name}")
      set(wrapper "${folder}/${name}")
      if(MPI_${language}_COMPILER_FLAGS)
        set(wrapper "'${wrapper}' ${MPI_${language}_COMPILER_FLAGS}")
      endif()
      set(${result} "${wrapper}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()

# mpiglot_generate_layer(LAYER PROBLEM MPI_TARGET IDENTITY VERSION DESCRIPTION)
function(
  mpiglot_generate_layer
  layer
  problem
  mpi
  identity
  version
  description
)
  set(${layer} "" PARENT_SCOPE)
  mpiglot_find_command(command complaint "${version}")
  if(NOT command)
    set(${problem} "${complaint}" PARENT_SCOPE)
    return()
  endif()
  mpiglot_find_wrapper(wrapper)
  if(NOT wrapper)
    set(
      ${problem}
      "this MPI has no compiler wrapper that mpiglot could ask; name the C one with \
-DMPIGLOT_MPICC=..."
      PARENT_SCOPE
    )
    return()
  endif()
  list(JOIN command " " shown)
  string(SUBSTRING "${description}unknown" 0 12 key)
  set(folder "${CMAKE_BINARY_DIR}/mpiglot/${identity}-${key}")
  mpiglot_say("no C++ layer at hand fits ${identity}; generating one with ${shown}")
  file(MAKE_DIRECTORY "${folder}")
  mpiglot_run(failed ${command} probe --mpicc "${wrapper}" -o "${folder}/blueprint.json")
  if(NOT failed)
    mpiglot_run(failed ${command} generate cpp
      --blueprint "${folder}/blueprint.json" -o "${folder}/layer"
    )
  endif()
  if(failed)
    set(${problem} "${failed}" PARENT_SCOPE)
    return()
  endif()
  mpiglot_check_layer(complaint ${mpi} "${folder}/layer")
  if(complaint)
    set(${problem} "what ${shown} generated for ${wrapper} does not fit: ${complaint}" PARENT_SCOPE)
    return()
  endif()
  mpiglot_say("probed ${wrapper} and generated ${folder}/layer")
  set(${layer} "${folder}/layer" PARENT_SCOPE)
endfunction()

# mpiglot_run(PROBLEM COMMAND...): empty, or what the command said last.
function(mpiglot_run problem)
  execute_process(
    COMMAND ${ARGN}
    RESULT_VARIABLE code
    OUTPUT_QUIET
    ERROR_VARIABLE said
    ERROR_STRIP_TRAILING_WHITESPACE
    TIMEOUT 600
  )
  set(${problem} "" PARENT_SCOPE)
  if(NOT code EQUAL 0)
    string(REGEX REPLACE "^.*\n" "" last "${said}")
    string(REGEX REPLACE "^mpiglot: " "" last "${last}")
    if(last STREQUAL "")
      list(JOIN ARGN " " shown)
      set(last "`${shown}` ended with ${code}.")
    endif()
    set(${problem} "${last}" PARENT_SCOPE)
  endif()
endfunction()
