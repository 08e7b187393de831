// ranks: 1
#include "defect.h"

int main(void) {
  begin();
  const char sent[3] = "ab";
  double got[1];
  MPI_Request request;
  MPI_Irecv(got, 1, MPI_DOUBLE, 0, 0, MPI_COMM_SELF, &request);
  MPI_Send(sent, 3, MPI_BYTE, 0, 0, MPI_COMM_SELF);  // three bytes are no whole number
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return is_right(1);
}
