// ranks: 1
#include "defect.h"

static void note(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  (void)code;
}

int main(void) {
  begin();
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(note, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  const int value = 1;
  return is_right(MPI_Send(&value, 1, MPI_INT, 99, 0, MPI_COMM_WORLD) != MPI_SUCCESS);
}
