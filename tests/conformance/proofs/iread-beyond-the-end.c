// ranks: 1
// A nonblocking read that reaches beyond the end of the file is complete in the end.
#include "defect.h"

int main(void) {
  begin();
  char name[4096], into[16];
  name_file(name, sizeof name);
  MPI_File file;
  MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  MPI_File_set_size(file, 100);
  for (int way = 0; way < 4; way++) {
    MPI_Request request;
    int done = 0;
    MPI_File_seek(file, 96, MPI_SEEK_SET);
    MPI_File_seek_shared(file, 96, MPI_SEEK_SET);
    if (way == 0) MPI_File_iread_at(file, 96, into, 8, MPI_BYTE, &request);
    if (way == 1) MPI_File_iread(file, into, 8, MPI_BYTE, &request);
    if (way == 2) MPI_File_iread_all(file, into, 8, MPI_BYTE, &request);
    if (way == 3) MPI_File_iread_shared(file, into, 8, MPI_BYTE, &request);
    const double start = MPI_Wtime();
    while (!done && MPI_Wtime() - start < 2) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) {
      fprintf(stderr, "way %d\n", way);
      unlink(name);
      return is_right(0);
    }
  }
  MPI_File_close(&file);
  return is_right(1);
}
