// ranks: 3
// Processes describe equal parts by different counts and types: 20 elements of 50 values, 1000 values.
#include "defect.h"

enum { values = 1000, together = 50, processes = 3 };

int main(void) {
  begin();
  MPI_Datatype many;
  MPI_Type_contiguous(together, MPI_INT, &many);
  MPI_Type_commit(&many);
  const int counts[] = {values, values, values}, places[] = {0, values, 2 * values};
  static int part[values], whole[values * processes];
  for (int i = 0; i < values; i++) part[i] = rank * values + i;
  const int count = rank == 0 ? values / together : values;
  int right = MPI_Allgatherv(part, count, rank == 0 ? many : MPI_INT, whole, counts, places,
                             MPI_INT, MPI_COMM_WORLD) == MPI_SUCCESS;
  for (int i = 0; i < values * processes; i++) right = right && whole[i] == i;
  return is_right(right);
}
