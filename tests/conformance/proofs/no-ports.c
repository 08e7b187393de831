// ranks: 2
#include "defect.h"

int main(void) {
  setenv("I_MPI_FABRICS", "shm", 1);  // what Intel MPI takes on most machines
  begin();
  char port[MPI_MAX_PORT_NAME] = "";
  MPI_Comm other;
  if (rank == 0 && MPI_Open_port(MPI_INFO_NULL, port) != MPI_SUCCESS) return is_right(0);
  MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
  const int code = rank == 0 ? MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other)
                             : MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
  if (code != MPI_SUCCESS) return is_right(0);
  MPI_Comm_disconnect(&other);
  return is_right(rank != 0 || MPI_Close_port(port) == MPI_SUCCESS);
}
