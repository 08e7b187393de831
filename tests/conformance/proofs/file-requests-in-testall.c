// ranks: 2
// Two requests of files are tested together until they are complete.
#include "defect.h"

int main(void) {
  begin();
  char name[4096] = "", from[2][8];
  if (rank == 0) name_file(name, sizeof name);
  MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
  memset(from, 0, sizeof from);
  MPI_File file;
  MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                MPI_INFO_NULL, &file);
  for (int round = 0; round < 6000; round++) {
    MPI_Request requests[2];
    int done = 0, code = MPI_SUCCESS;
    for (int i = 0; i < 2; i++)
      if (round % 6 == 5)
        MPI_File_iwrite_all(file, from[i], 8, MPI_BYTE, &requests[i]);
      else
        MPI_File_iwrite_at(file, 20 * rank, from[i], 8, MPI_BYTE, &requests[i]);
    while (!done && code == MPI_SUCCESS)
      code = MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
    if (code != MPI_SUCCESS) return is_right(0);
    MPI_File_seek(file, 0, MPI_SEEK_SET);
  }
  MPI_File_close(&file);
  return is_right(1);
}
