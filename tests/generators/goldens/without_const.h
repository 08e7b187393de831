/* Prototypes of MPI 2, which lack `const`. */
int MPI_Send(void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Info_get_nthkey(MPI_Info info, int n, char *key);
