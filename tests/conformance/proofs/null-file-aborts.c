// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  MPI_File none = MPI_FILE_NULL;
  MPI_Offset bytes;
  MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
  return is_right(MPI_File_get_size(none, &bytes) != MPI_SUCCESS);
}
