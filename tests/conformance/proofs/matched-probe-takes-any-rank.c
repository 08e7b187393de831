// ranks: 1
#include "defect.h"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  int flag;
  MPI_Message message;
  const int code = MPI_Improbe(1, 0, MPI_COMM_SELF, &flag, &message, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return code == MPI_SUCCESS;
}
