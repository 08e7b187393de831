// ranks: 1
#include "defect.h"

int main(int argc, char** argv) {
  (void)argc;
  setenv("I_MPI_FABRICS", "shm", 1);  // what Intel MPI takes on most machines
  begin();
  MPI_Comm parent, children;
  MPI_Comm_get_parent(&parent);
  if (parent != MPI_COMM_NULL) {
    MPI_Comm_disconnect(&parent);
    return is_right(1);
  }
  if (MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children,
                     MPI_ERRCODES_IGNORE) != MPI_SUCCESS)
    return is_right(0);
  MPI_Comm_disconnect(&children);
  return is_right(1);
}
