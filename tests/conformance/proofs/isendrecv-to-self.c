// ranks: 2
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Isendrecv_c
  const MPI_Count many = 5000000000;
  int mine[2] = {1, 2}, theirs[2] = {3, 4};
  MPI_Datatype empty;
  MPI_Request request;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  for (int time = 0; time < 5; ++time) {
    MPI_Isendrecv_c(mine, many, empty, rank, 0, theirs, many, empty, rank, 0, MPI_COMM_WORLD,
                    &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
#endif
  return is_right(1);
}
