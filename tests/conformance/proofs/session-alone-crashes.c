// ranks: 1
#include "defect.h"

// A message to itself, of a process that has a session and never called MPI_Init.
int main(void) {
#ifdef HAVE_MPI_Session_init
  MPI_Session session;
  MPI_Group group;
  MPI_Comm comm;
  MPI_Request requests[2];
  int one = 1, got = 0, done = 0;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "proof", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
  MPI_Group_free(&group);
  MPI_Isend(&one, 1, MPI_INT, 0, 0, comm, &requests[0]);
  MPI_Irecv(&got, 1, MPI_INT, 0, 0, comm, &requests[1]);
  while (!done) MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&comm);
  MPI_Session_finalize(&session);
  return got == 1 ? 0 : 1;
#else
  begin();
  return is_right(1);
#endif
}
