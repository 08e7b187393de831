// ranks: 3
// Processes describe equal parts by different counts and types: 5 elements of 4 values, 20 values.
#include "defect.h"

enum { values = 20, processes = 3 };

int main(void) {
  begin();
  MPI_Datatype four;
  MPI_Type_contiguous(4, MPI_SHORT, &four);
  MPI_Type_commit(&four);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  short part[values], whole[values * processes];
  for (int i = 0; i < values; i++) part[i] = (short)(rank * 100 + i);
  for (int i = 0; i < values * processes; i++) whole[i] = -1;
  int right = 1;
  if (rank == 0)
    right = MPI_Allgather(part, values / 4, four, whole, values, MPI_SHORT, MPI_COMM_WORLD) == 0;
  else
    right = MPI_Allgather(part, values, MPI_SHORT, whole, values, MPI_SHORT, MPI_COMM_WORLD) == 0;
  for (int i = 0; i < values * processes; i++)
    right = right && whole[i] == i / values * 100 + i % values;
  return is_right(right);
}
