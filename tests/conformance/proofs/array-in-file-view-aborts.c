// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  char path[1000];
  name_file(path, sizeof path);
  MPI_File file;
  MPI_Datatype columns;
  const int whole[] = {3, 4}, part[] = {3, 2}, start[] = {0, 2};
  MPI_Type_create_subarray(2, whole, part, start, MPI_ORDER_C, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
  MPI_File_open(MPI_COMM_SELF, path, mode, MPI_INFO_NULL, &file);
  const int viewed = MPI_File_set_view(file, 0, MPI_INT, columns, "native", MPI_INFO_NULL);
  MPI_File_close(&file);
  MPI_Type_free(&columns);
  return is_right(viewed == MPI_SUCCESS);
}
