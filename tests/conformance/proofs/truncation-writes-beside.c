// ranks: 2
// What a posted receive has no room for is not written.
#include "defect.h"

enum { sent = 30000, room = 10 };

int main(void) {
  begin();
  static long long from[sent], into[sent];
  for (int i = 0; i < sent; i++) into[i] = -1;
  MPI_Request in, out;
  MPI_Irecv(into, room, MPI_LONG_LONG, 1 - rank, 1, MPI_COMM_WORLD, &in);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Isend(from, sent, MPI_LONG_LONG, 1 - rank, 1, MPI_COMM_WORLD, &out);
  MPI_Wait(&in, MPI_STATUS_IGNORE);
  MPI_Wait(&out, MPI_STATUS_IGNORE);
  for (int i = room; i < sent; i++)
    if (into[i] != -1) return is_right(0);
  return is_right(1);
}
