/* A function that only this MPI has: what its parameters mean is inferred. */
int MPIX_Comm_cluster(MPI_Comm comm, const char *name, int *size, double *load);
