// ranks: 1
#include "defect.h"

int main(void) {
#ifdef HAVE_MPI_Session_init
  for (int time = 0; time < 2; ++time) {
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return 1;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "mpiglot", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    if (MPI_Session_finalize(&session) != MPI_SUCCESS) return 1;
  }
#endif
  return 0;
}
