// ranks: 4
#include "defect.h"

int main(void) {
  begin();
  static long mine[1000], sum[1000];
  for (int number = 1; number <= 1000; number *= 10)
    for (int time = 0; time < 30; ++time)
      for (int root = 0; root < size; ++root)
        MPI_Reduce(mine, rank == root ? sum : NULL, number, MPI_LONG, MPI_SUM, root,
                   MPI_COMM_WORLD);
  return is_right(1);
}
