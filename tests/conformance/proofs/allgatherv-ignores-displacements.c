// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const int mine = 5, counts[] = {1}, places[] = {1};
  int all[] = {-1, -1}, later[] = {-1, -1};
  MPI_Allgatherv(&mine, 1, MPI_INT, all, counts, places, MPI_INT, MPI_COMM_WORLD);
  MPI_Request request;
  MPI_Iallgatherv(&mine, 1, MPI_INT, later, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(all[0] == -1 && all[1] == 5 && later[0] == -1 && later[1] == 5);
}
