# Writes all calls of an operation, and has a compiler look at them: each is right, or refused with the
# expected verdict.
# cmake -D COMPILER=... -D FLAGS="..." -D PYTHON=... -D GENERATOR=generate.py -D OPERATION=... -D FOLDER=...
#       -D HEADERS=FOLDER -P every.cmake

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(source "${FOLDER}/${OPERATION}.cpp")
file(MAKE_DIRECTORY "${FOLDER}")
execute_process(COMMAND "${PYTHON}" "${GENERATOR}" "${OPERATION}" "${source}" COMMAND_ERROR_IS_FATAL ANY TIMEOUT 600)
execute_process(
  COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -w ${flags} -I "${HEADERS}" -I "${HEADERS}/../../cpp" "${source}"
  RESULT_VARIABLE failed
  ERROR_VARIABLE errors
  TIMEOUT 900
)
if(failed)
  string(SUBSTRING "${errors}" 0 20000 errors)
  message(FATAL_ERROR "a call is wrong, or has another verdict than generate.py says:\n${errors}")
endif()
