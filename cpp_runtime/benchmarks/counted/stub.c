/* The functions of an MPI of 4 ranks, of which this is rank 1, whose results matter where instructions
   are counted: the counts of all ranks are those of this one, and a message has 8 elements. The
   functions that only succeed are written by stubs.py. Counts allocations. */

#include <mpi.h>
#include <stddef.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

long allocations = 0;

void *malloc(size_t size) { return ++allocations, __libc_malloc(size); }
void *realloc(void *old, size_t size) { return ++allocations, __libc_realloc(old, size); }
void *aligned_alloc(size_t alignment, size_t size) {
  return ++allocations, __libc_memalign(alignment, size);
}
void free(void *memory) { __libc_free(memory); }

#define UNUSED __attribute__((unused))

int MPI_Initialized(int *flag) { return *flag = 1, MPI_SUCCESS; }
int MPI_Finalized(int *flag) { return *flag = 0, MPI_SUCCESS; }
/* A library without known defects. */
int MPI_Get_library_version(char *text, int *length) {
  *text = '\0';
  return *length = 0, MPI_SUCCESS;
}
int MPI_Comm_rank(UNUSED MPI_Comm c, int *rank) { return *rank = 1, MPI_SUCCESS; }
int MPI_Comm_size(UNUSED MPI_Comm c, int *size) { return *size = 4, MPI_SUCCESS; }
int MPI_Comm_test_inter(UNUSED MPI_Comm c, int *flag) { return *flag = 0, MPI_SUCCESS; }
int MPI_Topo_test(UNUSED MPI_Comm c, int *kind) { return *kind = MPI_CART, MPI_SUCCESS; }
int MPI_Cartdim_get(UNUSED MPI_Comm c, int *dimensions) { return *dimensions = 2, MPI_SUCCESS; }

static void *attribute = NULL; /* of the only communicator */
int MPI_Comm_create_keyval(UNUSED MPI_Comm_copy_attr_function *copy,
                           UNUSED MPI_Comm_delete_attr_function *delete, int *key,
                           UNUSED void *state) {
  return *key = 1, MPI_SUCCESS;
}
int MPI_Comm_get_attr(UNUSED MPI_Comm c, UNUSED int key, void *value, int *flag) {
  *(void **)value = attribute;
  return *flag = attribute != NULL, MPI_SUCCESS;
}
int MPI_Comm_set_attr(UNUSED MPI_Comm c, UNUSED int key, void *value) {
  return attribute = value, MPI_SUCCESS;
}

int MPI_Comm_free_keyval(int *key) { return *key = MPI_KEYVAL_INVALID, MPI_SUCCESS; }
int MPI_Comm_delete_attr(UNUSED MPI_Comm c, UNUSED int key) {
  return attribute = NULL, MPI_SUCCESS;
}
int MPI_Comm_free(MPI_Comm *c) { return *c = MPI_COMM_NULL, MPI_SUCCESS; }

int MPI_Request_free(MPI_Request *r) { return *r = MPI_REQUEST_NULL, MPI_SUCCESS; }

int MPI_Get_count(UNUSED const MPI_Status *s, UNUSED MPI_Datatype t, int *n) {
  return *n = 8, MPI_SUCCESS;
}
int MPI_Get_count_c(UNUSED const MPI_Status *s, UNUSED MPI_Datatype t, MPI_Count *n) {
  return *n = 8, MPI_SUCCESS;
}
int MPI_Op_create(UNUSED MPI_User_function *f, UNUSED int commute, MPI_Op *op) {
  return *op = MPI_SUM, MPI_SUCCESS;
}
/* A persistent request stays: it is made as 2, the others as 1. */
int MPI_Wait(MPI_Request *r, UNUSED MPI_Status *s) {
  if (*r == 1) *r = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

static size_t size_of(MPI_Datatype type) {
  return type == MPI_BYTE ? 1 : type == MPI_INT ? sizeof(int) : sizeof(MPI_Count);
}
/* What this rank gives stands in every place. */
int MPI_Allgather(const void *b, UNUSED int n, UNUSED MPI_Datatype t, void *to, int m,
                  MPI_Datatype u, UNUSED MPI_Comm c) {
  const size_t size = size_of(u) * (size_t)m;
  const char *from = b == MPI_IN_PLACE ? (char *)to + size : b;
  for (size_t i = 0; i < 4; ++i)
    if ((char *)to + i * size != from) memcpy((char *)to + i * size, from, size);
  return MPI_SUCCESS;
}
int MPI_Allgather_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, MPI_Count m,
                    MPI_Datatype u, MPI_Comm c) {
  return MPI_Allgather(b, (int)n, t, to, (int)m, u, c);
}
int MPI_Alltoall(const void *b, UNUSED int n, UNUSED MPI_Datatype t, void *to, int m,
                 MPI_Datatype u, UNUSED MPI_Comm c) {
  if (b != to) memcpy(to, b, 4 * size_of(u) * (size_t)m);
  return MPI_SUCCESS;
}
int MPI_Alltoall_c(const void *b, MPI_Count n, MPI_Datatype t, void *to, MPI_Count m,
                   MPI_Datatype u, MPI_Comm c) {
  return MPI_Alltoall(b, (int)n, t, to, (int)m, u, c);
}
