// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Type_vector_c
  MPI_Datatype type;
  MPI_File file;
  char path[4096];
  name_file(path, sizeof path);
  MPI_Type_vector_c(2, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  const int code = MPI_File_set_view(file, 0, MPI_INT, type, "native", MPI_INFO_NULL);
  MPI_File_close(&file);
  return is_right(code == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}
