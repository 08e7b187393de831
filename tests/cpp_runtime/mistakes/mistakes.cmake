# Compiles every mistake of SOURCE: exactly one error, at most 10 lines, with the text that
# stands beside it. cmake -D COMPILER=... -D FLAGS="..." -D SOURCE=FILE -P mistakes.cmake

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(source "${CMAKE_CURRENT_LIST_DIR}/${SOURCE}")
file(STRINGS "${source}" cases REGEX "MISTAKE == ")
foreach(case IN LISTS cases)
  string(REGEX MATCH "MISTAKE == ([0-9]+)  // (.*)" ignored "${case}")
  set(number "${CMAKE_MATCH_1}")
  set(text "${CMAKE_MATCH_2}")
  execute_process(
    COMMAND "${COMPILER}" ${flags} -std=c++20 -Wall -Wextra -Wno-unused-variable -S -o /dev/null
      -DMISTAKE=${number} "${source}"
    RESULT_VARIABLE status ERROR_VARIABLE message OUTPUT_VARIABLE message TIMEOUT 60)
  if(number EQUAL 0)
    if(NOT status EQUAL 0)
      message(SEND_ERROR "What is right does not compile:\n${message}")
    endif()
    continue()
  endif()
  string(REGEX MATCHALL "error:" errors "${message}")
  string(REGEX MATCHALL "\n" lines "${message}")
  list(LENGTH errors errors)
  list(LENGTH lines lines)
  string(FIND "${message}" "${text}" found)
  string(FIND "${message}" "${SOURCE}:" where)
  if(NOT errors EQUAL 1 OR lines GREATER 10 OR found LESS 0 OR where LESS 0)
    message(SEND_ERROR
      "mistake ${number}: ${errors} errors and ${lines} lines, wanted '${text}':\n${message}")
  endif()
endforeach()
