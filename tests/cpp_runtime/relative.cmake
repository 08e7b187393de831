# Prepares a folder in which CTest runs programs that were built for another MPI of the same ABI
# family: their tests, and the libraries under the names that the programs ask for.
# cmake -D TESTS=BUILD-FOLDER -D LIBRARY=FILE -D FOLDER=OUT -P relative.cmake

file(MAKE_DIRECTORY "${FOLDER}/lib")
file(WRITE "${FOLDER}/CTestTestfile.cmake" "subdirs(\"${TESTS}\")\n")
# All of the library's folder, since it looks for its own parts beside itself.
get_filename_component(source "${LIBRARY}" DIRECTORY)
file(GLOB entries "${source}/*")
foreach(entry IN LISTS entries)
  get_filename_component(name "${entry}" NAME)
  file(CREATE_LINK "${entry}" "${FOLDER}/lib/${name}" SYMBOLIC)
endforeach()
if(LIBRARY MATCHES "libmpi[.]so[.]12$") # Debian's name for MPICH
  file(CREATE_LINK "${LIBRARY}" "${FOLDER}/lib/libmpich.so.12" SYMBOLIC)
endif()
