// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_File_write_c
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  MPI_File file;
  int memory = 0;
  char path[4096];
  name_file(path, sizeof path);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  const int code = MPI_File_write_c(file, &memory, (MPI_Count)5000000000, empty, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  return is_right(code == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}
