// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  static int many[1024];
  for (int time = 0; time < 50; ++time) {
    for (int i = 0; i < 1024; ++i) many[i] = i;
    if (rank == 1)
      MPI_Reduce(MPI_IN_PLACE, many, 1024, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
    else
      MPI_Reduce(many, NULL, 1024, MPI_INT, MPI_SUM, 1, MPI_COMM_WORLD);
  }
  return is_right(rank != 1 || many[1023] == 2 * 1023);
}
