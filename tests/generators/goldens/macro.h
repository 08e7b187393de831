/* A function that is a macro here: it has no address. */
#define MPI_Comm_c2f(comm) ((MPI_Fint)(comm))
MPI_Comm MPI_Comm_f2c(MPI_Fint comm);
