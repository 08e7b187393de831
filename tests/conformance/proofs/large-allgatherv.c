// ranks: 3
#include "defect.h"

int main(void) {
  begin();
#ifdef HAVE_MPI_Allgatherv_c
  MPI_Datatype nothing;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  const MPI_Count many = 5000000000;
  const MPI_Count counts[3] = {many, many, many};
  const MPI_Aint displs[3] = {0, many, 2 * many};
  int sent = 0, received = 0;
  return is_right(MPI_Allgatherv_c(&sent, many, nothing, &received, counts, displs, nothing,
                                   MPI_COMM_WORLD) == MPI_SUCCESS);
#else
  return is_right(1);
#endif
}
