/* A count that is narrower than the standard's MPI_Count: it is checked, not cut off. */
int MPI_Psend_init(const void *buf, int partitions, int count, MPI_Datatype datatype, int dest,
                   int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request);
