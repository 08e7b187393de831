// ranks: 2
#include "defect.h"

int main(void) {
  begin();
  int memory[2] = {0, 0};
  const int first = 7, second = 8, other = 1 - rank;
  MPI_Win window;
  MPI_Group all, one;
  MPI_Win_create(memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &other, &one);
  for (int time = 0; time < 2; ++time) {
    if (rank == 0) {
      MPI_Win_start(one, 0, window);
      MPI_Put(time == 0 ? &first : &second, 1, MPI_INT, 1, time, 1, MPI_INT, window);
      MPI_Win_complete(window);
    } else {
      MPI_Win_post(one, 0, window);
      MPI_Win_wait(window);
    }
  }
  const int right = rank == 0 || (memory[0] == 7 && memory[1] == 8);
  MPI_Win_free(&window);
  return is_right(right);
}
