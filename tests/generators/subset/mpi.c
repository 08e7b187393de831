/* The library of mpi.h: one process, which sends to itself; messages wait until they are received. */
#include "mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Message {
  struct Message *next;
  int tag;
  int length;
  char bytes[];
} Message;

static int started;
static Message *waiting;

static int size_of(MPI_Datatype datatype) {
  static const int sizes[] = {0, sizeof(char), 1, sizeof(int), sizeof(long), sizeof(double)};
  return datatype >= MPI_CHAR && datatype <= MPI_DOUBLE ? sizes[datatype] : 0;
}

static int check(int count, MPI_Datatype datatype, MPI_Comm comm) {
  if (!started) return MPI_ERR_OTHER;
  if (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF) return MPI_ERR_COMM;
  if (count < 0) return MPI_ERR_COUNT;
  return size_of(datatype) == 0 ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv) {
  (void)argc;
  (void)argv;
  if (started) return MPI_ERR_OTHER;
  started = 1;
  return MPI_SUCCESS;
}

int MPI_Initialized(int *flag) {
  *flag = started;
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  while (waiting != NULL) {
    Message *const gone = waiting;
    waiting = gone->next;
    free(gone);
  }
  return MPI_SUCCESS;
}

int MPI_Abort(MPI_Comm comm, int errorcode) {
  (void)comm;
  exit(errorcode);
}

double MPI_Wtime(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

int MPI_Get_processor_name(char *name, int *resultlen) {
  *resultlen = sprintf(name, "subset");
  return MPI_SUCCESS;
}

int MPI_Get_version(int *version, int *subversion) {
  *version = MPI_VERSION;
  *subversion = MPI_SUBVERSION;
  return MPI_SUCCESS;
}

int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  *rank = 0;
  return check(0, MPI_BYTE, comm);
}

int MPI_Comm_size(MPI_Comm comm, int *size) {
  *size = 1;
  return check(0, MPI_BYTE, comm);
}

int MPI_Barrier(MPI_Comm comm) { return check(0, MPI_BYTE, comm); }

int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm) {
  const int code = check(count, datatype, comm);
  if (code != MPI_SUCCESS) return code;
  if (dest == MPI_PROC_NULL) return MPI_SUCCESS;
  if (dest != 0) return MPI_ERR_RANK;
  if (tag < 0) return MPI_ERR_TAG;
  const int length = count * size_of(datatype);
  Message *const sent = malloc(sizeof(Message) + (size_t)length);
  if (sent == NULL) return MPI_ERR_OTHER;
  sent->next = NULL;
  sent->tag = tag;
  sent->length = length;
  if (length > 0) memcpy(sent->bytes, buf, (size_t)length);
  Message **last = &waiting;
  while (*last != NULL) last = &(*last)->next;
  *last = sent;
  return MPI_SUCCESS;
}

int MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
             MPI_Status *status) {
  const int code = check(count, datatype, comm);
  if (code != MPI_SUCCESS) return code;
  if (source != 0 && source != MPI_ANY_SOURCE) return MPI_ERR_RANK;
  Message **at = &waiting;
  while (*at != NULL && tag != MPI_ANY_TAG && (*at)->tag != tag) at = &(*at)->next;
  Message *const found = *at;
  if (found == NULL) return MPI_ERR_OTHER; /* nobody else could send it */
  const int room = count * size_of(datatype);
  const int length = found->length < room ? found->length : room;
  const int is_whole = found->length <= room;
  if (length > 0) memcpy(buf, found->bytes, (size_t)length);
  if (status != MPI_STATUS_IGNORE) {
    status->MPI_SOURCE = 0;
    status->MPI_TAG = found->tag;
    status->length = length;
  }
  *at = found->next;
  free(found);
  return is_whole ? MPI_SUCCESS : MPI_ERR_TRUNCATE;
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count) {
  const int size = size_of(datatype);
  if (size == 0) return MPI_ERR_TYPE;
  *count = status->length % size == 0 ? status->length / size : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int MPI_Type_size(MPI_Datatype datatype, int *size) {
  *size = size_of(datatype);
  return *size == 0 ? MPI_ERR_TYPE : MPI_SUCCESS;
}

int MPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                  MPI_Comm comm) {
  const int code = check(count, datatype, comm);
  if (code != MPI_SUCCESS) return code;
  if (op != MPI_SUM) return MPI_ERR_OTHER;
  memcpy(recvbuf, sendbuf, (size_t)count * (size_t)size_of(datatype));
  return MPI_SUCCESS;
}
