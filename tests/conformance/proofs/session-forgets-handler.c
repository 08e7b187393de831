// ranks: 1
#include "defect.h"

int main(void) {
#ifdef HAVE_MPI_Session_init
  MPI_Session session;
  MPI_Errhandler handler;
  begin();
  if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS) return 1;
  MPI_Session_get_errhandler(session, &handler);
  MPI_Session_finalize(&session);
  return is_right(handler == MPI_ERRORS_RETURN);
#endif
  return 0;
}
