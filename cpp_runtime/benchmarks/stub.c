/* An MPI of 4 ranks that does nothing, for counting instructions: every call succeeds at once, the
   counts of all ranks are those of this one, and a message has 8 elements. Counts allocations. */

#include <mpi.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);
extern void __libc_free(void *);

long allocations = 0;

void *malloc(size_t size) { return ++allocations, __libc_malloc(size); }
void *realloc(void *old, size_t size) { return ++allocations, __libc_realloc(old, size); }
void free(void *memory) { __libc_free(memory); }

int MPI_Initialized(int *flag) { return *flag = 1, MPI_SUCCESS; }
int MPI_Finalized(int *flag) { return *flag = 0, MPI_SUCCESS; }
int MPI_Abort(MPI_Comm comm, int code) { (void)comm; (void)code; __builtin_trap(); }
int MPI_Comm_rank(MPI_Comm comm, int *rank) { (void)comm; return *rank = 1, MPI_SUCCESS; }
int MPI_Comm_size(MPI_Comm comm, int *size) { (void)comm; return *size = 4, MPI_SUCCESS; }
int MPI_Comm_free(MPI_Comm *comm) { (void)comm; return MPI_SUCCESS; }
int MPI_Comm_get_name(MPI_Comm comm, char *name, int *length) {
  (void)comm;
  return *name = '\0', *length = 0, MPI_SUCCESS;
}
int MPI_Error_class(int code, int *class) { return *class = code, MPI_SUCCESS; }
int MPI_Error_string(int code, char *text, int *length) {
  (void)code;
  return *text = '\0', *length = 0, MPI_SUCCESS;
}

#define IGNORE8(a, b, c, d, e, f, g, h) \
  ((void)(a), (void)(b), (void)(c), (void)(d), (void)(e), (void)(f), (void)(g), (void)(h))

int MPI_Bcast(void *b, int n, MPI_Datatype t, int r, MPI_Comm c) {
  return IGNORE8(b, n, t, r, c, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Bcast_c(void *b, MPI_Count n, MPI_Datatype t, int r, MPI_Comm c) {
  return IGNORE8(b, n, t, r, c, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Send(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return IGNORE8(b, n, t, to, tag, c, 0, 0), MPI_SUCCESS;
}
int MPI_Send_c(const void *b, MPI_Count n, MPI_Datatype t, int to, int tag, MPI_Comm c) {
  return IGNORE8(b, n, t, to, tag, c, 0, 0), MPI_SUCCESS;
}
int MPI_Recv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) {
  return IGNORE8(b, n, t, from, tag, c, s, 0), MPI_SUCCESS;
}
int MPI_Recv_c(void *b, MPI_Count n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Status *s) {
  return IGNORE8(b, n, t, from, tag, c, s, 0), MPI_SUCCESS;
}
int MPI_Mprobe(int from, int tag, MPI_Comm c, MPI_Message *m, MPI_Status *s) {
  return IGNORE8(from, tag, c, m, s, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Mrecv(void *b, int n, MPI_Datatype t, MPI_Message *m, MPI_Status *s) {
  return IGNORE8(b, n, t, m, s, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Mrecv_c(void *b, MPI_Count n, MPI_Datatype t, MPI_Message *m, MPI_Status *s) {
  return IGNORE8(b, n, t, m, s, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Get_count(const MPI_Status *s, MPI_Datatype t, int *n) {
  return IGNORE8(s, t, 0, 0, 0, 0, 0, 0), *n = 8, MPI_SUCCESS;
}
int MPI_Get_count_c(const MPI_Status *s, MPI_Datatype t, MPI_Count *n) {
  return IGNORE8(s, t, 0, 0, 0, 0, 0, 0), *n = 8, MPI_SUCCESS;
}
int MPI_Isend(const void *b, int n, MPI_Datatype t, int to, int tag, MPI_Comm c, MPI_Request *r) {
  return IGNORE8(b, n, t, to, tag, c, 0, 0), *r = 1, MPI_SUCCESS;
}
int MPI_Isend_c(const void *b, MPI_Count n, MPI_Datatype t, int to, int tag, MPI_Comm c,
                MPI_Request *r) {
  return IGNORE8(b, n, t, to, tag, c, 0, 0), *r = 1, MPI_SUCCESS;
}
int MPI_Irecv(void *b, int n, MPI_Datatype t, int from, int tag, MPI_Comm c, MPI_Request *r) {
  return IGNORE8(b, n, t, from, tag, c, 0, 0), *r = 1, MPI_SUCCESS;
}
int MPI_Irecv_c(void *b, MPI_Count n, MPI_Datatype t, int from, int tag, MPI_Comm c,
                MPI_Request *r) {
  return IGNORE8(b, n, t, from, tag, c, 0, 0), *r = 1, MPI_SUCCESS;
}
int MPI_Wait(MPI_Request *r, MPI_Status *s) {
  return (void)s, *r = MPI_REQUEST_NULL, MPI_SUCCESS;
}
int MPI_Cancel(MPI_Request *r) { return (void)r, MPI_SUCCESS; }
int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u,
                  MPI_Comm c) {
  const size_t size = t == MPI_INT ? sizeof(int) : sizeof(MPI_Count);
  for (int i = 0; i < 4; ++i) memcpy((char *)to + i * (long)size, b, size);
  return IGNORE8(n, m, u, c, 0, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Allgather_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, MPI_Count m,
                    MPI_Datatype u, MPI_Comm c) {
  return (void)n, (void)m, MPI_Allgather(b, 1, t, to, 1, u, c);
}
int MPI_Allgatherv(const void *b, int n, MPI_Datatype t, void *to, const int *counts,
                   const int *displs, MPI_Datatype u, MPI_Comm c) {
  return IGNORE8(b, n, t, to, counts, displs, u, c), MPI_SUCCESS;
}
int MPI_Allgatherv_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, const MPI_Count *counts,
                     const MPI_Aint *displs, MPI_Datatype u, MPI_Comm c) {
  return IGNORE8(b, n, t, to, counts, displs, u, c), MPI_SUCCESS;
}
