// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#if defined(HAVE_MPI_Bcast_init) || defined(HAVE_MPIX_Bcast_init)
  int data[9];
  MPI_Datatype type;
  MPI_Request request;
  MPI_Type_vector(3, 1, 3, MPI_INT, &type);
  MPI_Type_commit(&type);
#ifdef HAVE_MPI_Bcast_init
  MPI_Bcast_init(data, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#else
  MPIX_Bcast_init(data, 1, type, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
#endif
  MPI_Type_free(&type);
  MPI_Datatype others[50];
  for (int i = 0; i < 50; ++i) {
    MPI_Type_vector(2, 2, 2 + i, MPI_DOUBLE, &others[i]);
    MPI_Type_commit(&others[i]);
  }
  for (int time = 1; time < 4; ++time) {
    for (int i = 0; i < 9; ++i) data[i] = rank == 0 ? 10 * time + i : -1;
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < 9; ++i)
      if (data[i] != (rank == 0 || i % 3 == 0 ? 10 * time + i : -1)) return is_right(0);
  }
  MPI_Request_free(&request);
  for (int i = 0; i < 50; ++i) MPI_Type_free(&others[i]);
#endif
  return is_right(1);
}
