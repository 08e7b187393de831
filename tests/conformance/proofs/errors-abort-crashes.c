// ranks: 1
#include "defect.h"

int main(void) {
  begin();
#ifdef MPI_ERRORS_ABORT
  MPI_Errhandler handler;
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ABORT);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &handler);
  return is_right(handler == MPI_ERRORS_ABORT);
#endif
  return is_right(1);
}
