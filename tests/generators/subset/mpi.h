/* A part of MPI 2.2 for programs of one process, which the tests hold the floor with
   (docs/guide/new-release.md): no MPI_Count, no MPI_Offset, no MPI_Finalized. */
#ifndef SUBSET_MPI_H
#define SUBSET_MPI_H

#include <stddef.h>

#define MPI_VERSION 2
#define MPI_SUBVERSION 2

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Request;
typedef int MPI_Op;
typedef ptrdiff_t MPI_Aint;

typedef struct MPI_Status {
  int MPI_SOURCE;
  int MPI_TAG;
  int MPI_ERROR;
  int length;
} MPI_Status;

/* Numbers and texts of every kind. MPI_Request has no name of its own in some libraries. */
#define MPIX_LINES "one\n\t\"two\" \\ \a three"
#define MPIX_UTF8 "Stra\u00dfe \xe2\x9c\x93"
#define MPIX_LATIN "\xe9t\xe9"
#define MPIX_BIG 0xFFFFFFFFFFFFFFF0ULL
#define MPIX_EVERY (~0ULL)
#define MPIX_HALF 0x80000000u
#define MPIX_LEAST (-0x7FFFFFFFFFFFFFFFLL - 1)
static const int MPIX_LIMIT = 17;
static const unsigned long long MPIX_WIDE = 0x9000000000000000ULL;

#define MPI_SUCCESS 0
#define MPI_ERR_COMM 1
#define MPI_ERR_COUNT 2
#define MPI_ERR_TYPE 3
#define MPI_ERR_TAG 4
#define MPI_ERR_RANK 5
#define MPI_ERR_TRUNCATE 6
#define MPI_ERR_OTHER 7
#define MPI_ERR_LASTCODE 7

#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)
#define MPI_COMM_SELF ((MPI_Comm)2)

#define MPI_DATATYPE_NULL ((MPI_Datatype)0)
#define MPI_CHAR ((MPI_Datatype)1)
#define MPI_BYTE ((MPI_Datatype)2)
#define MPI_INT ((MPI_Datatype)3)
#define MPI_LONG ((MPI_Datatype)4)
#define MPI_DOUBLE ((MPI_Datatype)5)

#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_SUM ((MPI_Op)1)

#define MPI_REQUEST_NULL ((MPI_Request)0)

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG (-2)
#define MPI_PROC_NULL (-3)
#define MPI_UNDEFINED (-4)
#define MPI_MAX_PROCESSOR_NAME 128
#define MPI_STATUS_IGNORE ((MPI_Status *)0)

#ifdef __cplusplus
extern "C" {
#endif

int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode);
double MPI_Wtime(void);
int MPI_Get_processor_name(char *name, int *resultlen);
int MPI_Get_version(int *version, int *subversion);

int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Barrier(MPI_Comm comm);

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status);
int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count);
int MPI_Type_size(MPI_Datatype datatype, int *size);
int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm);

#ifdef __cplusplus
}
#endif

#endif
