/* Uses NULL without including what defines it, and a compiler's own words. */
#define MPI_VERSION 3
typedef struct fake_enum *MPI_T_enum;
#define MPI_T_ENUM_NULL ((MPI_T_enum)NULL)
extern int MPI_Init(int *argc, char ***argv) __attribute__((__visibility__("default"), __nothrow__));
__extension__ typedef long long MPI_Count;
typedef __typeof__(sizeof(int)) MPI_Size;
int MPI_Free(void *base) __attribute__((__nonnull__(1)));
extern void *fake_alloc(unsigned long n) __attribute__((__malloc__, __malloc__(MPI_Free, 1)));
