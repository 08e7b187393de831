/* A function that is declared but does not link, and (not here) one that this MPI lacks. */
int MPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm);
