/* Constants of every kind, and macros that are none. */
#include <stddef.h>
#define MPI_VERSION 1
typedef int MPI_Datatype;
typedef struct fake_op *MPI_Op;
typedef long MPI_Aint;
struct fake_op { int code; };
extern struct fake_op fake_op_sum, fake_op_max;
extern int *const MPI_UNWEIGHTED;
extern int MPI_F_STATUS_IGNORE[];
MPI_Datatype fake_datatype(void);
int MPI_Init(int *argc, char ***argv);
enum { MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE = 3, MPI_COMBINER_LAST = -7 };
typedef enum MPI_T_cb_safety { MPI_T_CB_REQUIRE_NONE = 0x10, MPI_T_CB_REQUIRE_SAFE } MPI_T_cb_safety;
enum QMPI_Functions { MPI_INIT_T, MPIX_OTHER_T, QMPI_LAST };
#define MPI_THREAD_SINGLE MPI_THREAD_SINGLE
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x0c000000)
#define MPI_LONG_LONG_INT ((MPI_Datatype)0x4c000809)
#define MPI_LONG_LONG MPI_LONG_LONG_INT
#define MPI_COMPUTED fake_datatype()
#define MPI_SUM ((MPI_Op)((void *)&(fake_op_sum)))
#define MPI_OP_NULL ((MPI_Op)0)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_BOTTOM NULL
#define MPI_ANY_TAG (-1)
#define MPI_BIG 0x7fffffffffffL
#define MPI_SIZED ((MPI_Aint)sizeof(MPI_Aint))
#define MPI_FMT "%l" "d"
#define MPI_Fint int
#define MPI_Other_aint MPI_Aint
#define MPI_RATE 0.5
#define MPI_EMPTY
#define MPI_BEGIN {
#define MPI_STATEMENT do { } while (0)
#define MPI_GONE 3
#undef MPI_GONE
#define MPI_TWICE 1
#undef MPI_TWICE
#define MPI_TWICE 2
