// ranks: 2
// The part of rank 1 is longer than the part before it.
#include "defect.h"

enum { first = 100000, second = 200000 };

int main(void) {
  begin();
  const int counts[] = {first, second};
  static int values[first + second];
  for (int i = 0; i < first + second; i++) values[i] = i;
  MPI_Reduce_scatter(MPI_IN_PLACE, values, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  int right = 1;
  for (int i = 0; i < counts[rank]; i++) right = right && values[i] == 2 * (rank * first + i);
  return is_right(right);
}
