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
int MPI_Abort(MPI_Comm comm, int code) {
  (void)comm;
  (void)code;
  __builtin_trap();
}
int MPI_Comm_rank(MPI_Comm comm, int *rank) {
  (void)comm;
  return *rank = 1, MPI_SUCCESS;
}
int MPI_Comm_size(MPI_Comm comm, int *size) {
  (void)comm;
  return *size = 4, MPI_SUCCESS;
}
int MPI_Comm_free(MPI_Comm *comm) {
  (void)comm;
  return MPI_SUCCESS;
}
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
int MPI_Wait(MPI_Request *r, MPI_Status *s) { return (void)s, *r = MPI_REQUEST_NULL, MPI_SUCCESS; }
int MPI_Cancel(MPI_Request *r) { return (void)r, MPI_SUCCESS; }
int MPI_Allgather(const void *b, int n, MPI_Datatype t, void *to, int m, MPI_Datatype u,
                  MPI_Comm c) {
  const size_t unit = u == MPI_BYTE ? 1 : u == MPI_INT ? sizeof(int) : sizeof(MPI_Count);
  const size_t size = unit * (size_t)m;
  const char *from = b == MPI_IN_PLACE ? (char *)to + size : b; /* this is rank 1 */
  for (size_t i = 0; i < 4; ++i)
    if ((char *)to + i * size != from) memcpy((char *)to + i * size, from, size);
  return IGNORE8(n, t, c, 0, 0, 0, 0, 0), MPI_SUCCESS;
}
int MPI_Allgather_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, MPI_Count m,
                    MPI_Datatype u, MPI_Comm c) {
  return MPI_Allgather(b, (int)n, t, to, (int)m, u, c);
}
int MPI_Allgatherv(const void *b, int n, MPI_Datatype t, void *to, const int *counts,
                   const int *displs, MPI_Datatype u, MPI_Comm c) {
  return IGNORE8(b, n, t, to, counts, displs, u, c), MPI_SUCCESS;
}
int MPI_Allgatherv_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, const MPI_Count *counts,
                     const MPI_Aint *displs, MPI_Datatype u, MPI_Comm c) {
  return IGNORE8(b, n, t, to, counts, displs, u, c), MPI_SUCCESS;
}

static void *attribute = NULL; /* of the only communicator */
int MPI_Comm_create_keyval(MPI_Comm_copy_attr_function *copy, MPI_Comm_delete_attr_function *delete,
                           int *key, void *state) {
  return IGNORE8(copy, delete, state, 0, 0, 0, 0, 0), *key = 1, MPI_SUCCESS;
}
int MPI_Comm_free_keyval(int *key) { return *key = MPI_KEYVAL_INVALID, MPI_SUCCESS; }
int MPI_Comm_get_attr(MPI_Comm c, int key, void *value, int *flag) {
  *(void **)value = attribute;
  return (void)c, (void)key, *flag = attribute != NULL, MPI_SUCCESS;
}
int MPI_Comm_set_attr(MPI_Comm c, int key, void *value) {
  return (void)c, (void)key, attribute = value, MPI_SUCCESS;
}
int MPI_Comm_test_inter(MPI_Comm c, int *flag) { return (void)c, *flag = 0, MPI_SUCCESS; }

/* Not called: nothing here is of a derived datatype. */
#define UNUSED(name, parameters) \
  int MPI_##name parameters { __builtin_trap(); }
UNUSED(Pack, (const void *b, int n, MPI_Datatype t, void *to, int size, int *used, MPI_Comm c))
UNUSED(Pack_c, (const void *b, MPI_Count n, MPI_Datatype t, void *to, MPI_Count size,
                MPI_Count *used, MPI_Comm c))
UNUSED(Pack_size, (int n, MPI_Datatype t, MPI_Comm c, int *size))
UNUSED(Pack_size_c, (MPI_Count n, MPI_Datatype t, MPI_Comm c, MPI_Count *size))
UNUSED(Unpack, (const void *b, int size, int *used, void *to, int n, MPI_Datatype t, MPI_Comm c))
UNUSED(Unpack_c, (const void *b, MPI_Count size, MPI_Count *used, void *to, MPI_Count n,
                  MPI_Datatype t, MPI_Comm c))
UNUSED(Type_get_extent, (MPI_Datatype t, MPI_Aint *lb, MPI_Aint *extent))
UNUSED(Type_get_extent_c, (MPI_Datatype t, MPI_Count *lb, MPI_Count *extent))
UNUSED(Type_size, (MPI_Datatype t, int *size))
UNUSED(Type_size_c, (MPI_Datatype t, MPI_Count *size))
UNUSED(Request_free, (MPI_Request * r))
