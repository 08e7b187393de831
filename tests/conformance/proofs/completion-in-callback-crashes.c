// ranks: 1
#include "defect.h"

static MPI_Request request;

static int query(void *state, MPI_Status *status) {
  (void)state;
  status->MPI_SOURCE = status->MPI_TAG = 0;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  return MPI_Status_set_cancelled(status, 1);
}

static int end(void *state) {
  (void)state;
  return MPI_SUCCESS;
}

static int cancel(void *state, int complete) {
  (void)state;
  return complete ? MPI_SUCCESS : MPI_Grequest_complete(request);
}

int main(void) {
  begin();
  int done = 0;
  MPI_Grequest_start(query, end, cancel, NULL, &request);
  MPI_Cancel(&request);
  MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  return is_right(done);
}
