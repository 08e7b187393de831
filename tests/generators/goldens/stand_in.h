/* An extension that stands in for the function of the standard that was made of it. */
int MPIX_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request);
