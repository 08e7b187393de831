# Writes all triples of the table of calls, and has a compiler look at them: each call is right, or
# refused with the expected verdict.
# cmake -D COMPILER=... -D FLAGS="..." -D PYTHON=... -D GENERATOR=generate.py -D SOURCE=FILE -D HEADERS=FOLDER
#       -P triples.cmake

separate_arguments(flags UNIX_COMMAND "${FLAGS}")
get_filename_component(folder "${SOURCE}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${PYTHON}" "${GENERATOR}" triples "${SOURCE}" COMMAND_ERROR_IS_FATAL ANY TIMEOUT 600)
execute_process(
  COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -w ${flags} -I "${HEADERS}" -I "${HEADERS}/../../cpp" "${SOURCE}"
  RESULT_VARIABLE failed
  ERROR_VARIABLE errors
  TIMEOUT 2400
)
if(failed)
  string(SUBSTRING "${errors}" 0 20000 errors)
  message(FATAL_ERROR "a call is wrong, or has another verdict than generate.py says:\n${errors}")
endif()
