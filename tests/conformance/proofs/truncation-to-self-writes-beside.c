// ranks: 1
// What a posted receive has no room for is not written.
#include "defect.h"

enum { sent = 1000, room = 10 };

int main(void) {
  begin();
  int from[sent] = {0}, into[sent];
  for (int i = 0; i < sent; i++) into[i] = -1;
  MPI_Request in, out;
  MPI_Irecv(into, room, MPI_INT, 0, 0, MPI_COMM_SELF, &in);
  MPI_Isend(from, sent, MPI_INT, 0, 0, MPI_COMM_SELF, &out);
  MPI_Wait(&in, MPI_STATUS_IGNORE);
  MPI_Wait(&out, MPI_STATUS_IGNORE);
  for (int i = room; i < sent; i++)
    if (into[i] != -1) return is_right(0);
  return is_right(1);
}
