// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int mine = 5, counts[] = {1}, places[] = {1};
  int all[] = {-1, -1};
  MPI_Allgatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  return is_right(all[0] == -1 && all[1] == 5);
}
