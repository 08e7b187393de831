# Compiles every mistake of SOURCE: exactly one error, at most 10 lines, with the text that stands
# beside it in the line "error:", which is what an editor shows. A case with "[N lines]" before its text may have N lines: the body of a generic
# lambda, which no template can look at before the compiler does.
# cmake -D COMPILER=... -D FLAGS="..." -D SOURCE=FILE -D FOLDER=OUT -P mistakes.cmake
#
# What the file includes is compiled once, into a precompiled header in FOLDER, and mistakes are
# only looked at, without generating code: a sixth of the time. What is right (0) generates code.

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
list(APPEND flags -std=c++20 -Wall -Wextra -Wno-unused-variable)
set(source "${CMAKE_CURRENT_LIST_DIR}/${SOURCE}")
set(header "${FOLDER}/${SOURCE}.hpp")

# compile(ARGUMENTS...): sets status and message. A compiler that hangs is ended by the processor
# time it has used; the wall time only guards, since the machine may be busy.
function(compile)
  execute_process(
    COMMAND sh -c "ulimit -t 120; exec \"$@\"" sh "${COMPILER}" ${flags} ${ARGN}
    RESULT_VARIABLE status
    ERROR_VARIABLE message
    OUTPUT_VARIABLE message
    TIMEOUT 1500
  )
  set(status "${status}" PARENT_SCOPE)
  set(message "${message}" PARENT_SCOPE)
endfunction()

file(STRINGS "${source}" includes REGEX "^#include <.*>$")
list(JOIN includes "\n" text)
file(WRITE "${header}" "${text}\n")
compile(-x c++-header "${header}" -o "${header}.gch")
if(NOT status EQUAL 0)
  message(FATAL_ERROR "What ${SOURCE} includes does not compile:\n${message}")
endif()

file(STRINGS "${source}" cases REGEX "MISTAKE == ")
foreach(case IN LISTS cases)
  string(REGEX MATCH "MISTAKE == ([0-9]+)  // (.*)" ignored "${case}")
  set(number "${CMAKE_MATCH_1}")
  set(text "${CMAKE_MATCH_2}")
  set(most 10)
  if(text MATCHES "^\\[([0-9]+) lines\\] (.*)")
    set(most "${CMAKE_MATCH_1}")
    set(text "${CMAKE_MATCH_2}")
  endif()
  set(how -fsyntax-only)
  # Fields are counted, and looked at, as code is generated.
  if(number EQUAL 0 OR SOURCE MATCHES "^(reflect|fields)[.]cpp$")
    set(how -S -o /dev/null)
  endif()
  compile(-include "${header}" -Winvalid-pch ${how} -DMISTAKE=${number} "${source}")
  if(number EQUAL 0)
    if(NOT status EQUAL 0 OR message MATCHES "invalid-pch")
      message(SEND_ERROR "What is right does not compile:\n${message}")
    endif()
    continue()
  endif()
  # Where users compile, one file less stands between theirs and the error.
  string(REGEX REPLACE "[^\n]*[.]cpp[.]hpp:[^\n]*\n" "" message "${message}")
  string(REGEX MATCHALL "[0-9]: error:" errors "${message}")
  string(REGEX MATCHALL "\n" lines "${message}")
  list(LENGTH errors errors)
  list(LENGTH lines lines)
  string(REGEX MATCH "[0-9]: error:[^\n]*" first "${message}")
  if(most GREATER 10)
    set(first "${message}") # it is the program's own, and clang's first line names the type
  endif()
  string(FIND "${first}" "${text}" found)
  string(FIND "${message}" "${SOURCE}:" where)
  if(SOURCE STREQUAL "fields.cpp" OR text MATCHES "^field_")
    set(where ${found}) # as code is generated, compilers name the class and the field, and no place
  endif()
  if(NOT errors EQUAL 1 OR lines GREATER most OR found LESS 0 OR where LESS 0)
    message(SEND_ERROR "mistake ${number}: ${errors} errors and ${lines} lines, wanted '${text}':\n${message}")
  endif()
endforeach()
file(REMOVE "${header}.gch") # it is large
