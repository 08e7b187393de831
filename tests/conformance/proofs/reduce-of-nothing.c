// ranks: 3
#include "defect.h"

static void keep(void *in, void *inout, int *n, MPI_Datatype *type) {
  (void)in, (void)inout, (void)n, (void)type;
}

int main(void) {
  begin();
  MPI_Datatype nothing;
  MPI_Op op;
  MPI_Type_contiguous(0, MPI_INT, &nothing);
  MPI_Type_commit(&nothing);
  MPI_Op_create(keep, 1, &op);
  int sent = 0, received = 0;
  return is_right(MPI_Allreduce(&sent, &received, 3, nothing, op, MPI_COMM_WORLD) == MPI_SUCCESS);
}
