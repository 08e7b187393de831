"""What headers of MPI are made of that ours are not: one small header for each construct.

`docs/guide/constructs.md` is the table of them; a test compares it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tests.parser.fake_mpi import PLAIN_HEADER, PLAIN_LIBRARY

_END = "#endif\n"
_BEFORE = "int MPI_Init("
_C_LINKAGE = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
_C_LINKAGE_END = "#ifdef __cplusplus\n}\n#endif\n"


@dataclass(frozen=True)
class Construct:
    """A header with something odd about it."""

    title: str  # as the table has it
    outcome: str  # what becomes of it in C++, as the table has it
    header: str
    library: str = PLAIN_LIBRARY
    left_out: tuple[str, ...] = ()  # by the compiler's check
    omitted: tuple[str, ...] = ()  # by the probe
    unservable: tuple[str, ...] = ()  # named by the generator
    refused: str = ""  # the sentence, where no C++ can be generated


def _plain(more: str = "", *changes: tuple[str, str], linkage: bool = True) -> str:
    """The plain header, changed, with more declarations."""
    text = PLAIN_HEADER
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    if linkage:
        text = text.replace(_BEFORE, _C_LINKAGE + _BEFORE, 1)
        more += _C_LINKAGE_END
    return text.removesuffix(_END) + more + _END


def _library(*names: str) -> str:
    """The plain library, and functions of which only the names matter."""
    symbols = "".join(
        f'__asm__(".globl {n}\\n.type {n},@function\\n{n}: ret\\n");\n' for n in names
    )
    return PLAIN_LIBRARY + symbols


_HANDLES = """\
typedef int MPI_Errhandler;
typedef int MPI_Info;
typedef int MPI_Op;
typedef int MPI_Request;
typedef long MPI_Aint;
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x14000000)
#define MPI_INFO_NULL ((MPI_Info)0x1c000000)
#define MPI_OP_NULL ((MPI_Op)0x18000000)
#define MPI_REQUEST_NULL ((MPI_Request)0x2c000000)
"""

_POINTERS = """\
#ifndef MPI_H
#define MPI_H
#define MPI_VERSION 5
#define MPI_SUBVERSION 0
#define MPI_ABI_VERSION 1
#define MPI_ABI_SUBVERSION 0
#define MPI_MAX_LIBRARY_VERSION_STRING 8192
typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Event *MPI_T_event_registration;
typedef struct MPI_ABI_EventInstance *MPI_T_event_instance;
typedef struct { int MPI_SOURCE, MPI_TAG, MPI_ERROR, MPI_internal[5]; } MPI_Status;
enum { MPI_SUCCESS = 0, MPI_ERR_COMM = 77, MPI_ERR_LASTCODE = 0x3fff };
enum { MPI_THREAD_SINGLE = 7, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
typedef enum {
  MPI_T_CB_REQUIRE_NONE = 3, MPI_T_CB_REQUIRE_MPI_RESTRICTED, MPI_T_CB_REQUIRE_THREAD_SAFE,
  MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE
} MPI_T_cb_safety;
#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_INT ((MPI_Datatype)0x205)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
"""
_ABI_FUNCTIONS = """\
typedef void MPI_T_event_cb_function(MPI_T_event_instance instance,
    MPI_T_event_registration registration, MPI_T_cb_safety safety, void *user_data);
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided);
int MPI_T_event_register_callback(MPI_T_event_registration registration, MPI_T_cb_safety safety,
    int info, void *user_data, MPI_T_event_cb_function function);
int MPI_T_event_callback_get_info(MPI_T_event_registration registration, MPI_T_cb_safety safety,
    int *info);
"""

_FLOOR = """\
#ifndef MPI_H
#define MPI_H
typedef int MPI_Comm;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#define MPI_SUCCESS 0
#define MPI_COMM_WORLD ((MPI_Comm)1)
int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Comm_size(MPI_Comm comm, int *size);
#endif
"""

CONSTRUCTS: dict[str, Construct] = {
    "void_sentinel": Construct(
        "Sentinels for arrays of type `void *`",
        "complete",
        _plain(
            _HANDLES
            + """\
#define MPI_ARGV_NULL ((void *)0)
#define MPI_ERRCODES_IGNORE ((void *)0)
#define MPI_UNWEIGHTED ((void *)2)
int MPI_Comm_spawn(const char *command, char *argv[], int maxprocs, MPI_Info info, int root,
                   MPI_Comm comm, MPI_Comm *intercomm, int array_of_errcodes[]);
int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
    const int sourceweights[], int outdegree, const int destinations[], const int destweights[],
    MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);
"""
        ),
        _library("MPI_Comm_spawn", "MPI_Dist_graph_create_adjacent"),
    ),
    "sentinel_variable": Construct(
        "Sentinels for arrays that are variables of the library",
        "complete",
        _plain(
            _HANDLES
            + """\
extern int MPI_UNWEIGHTED[];
extern int *const MPI_WEIGHTS_EMPTY;
int MPI_Dist_graph_create_adjacent(MPI_Comm comm_old, int indegree, const int sources[],
    const int sourceweights[], int outdegree, const int destinations[], const int destweights[],
    MPI_Info info, int reorder, MPI_Comm *comm_dist_graph);
"""
        ),
        _library("MPI_Dist_graph_create_adjacent")
        + "int MPI_UNWEIGHTED[1]; int *const MPI_WEIGHTS_EMPTY;\n",
    ),
    "names_of_2_1": Construct(
        "Callback types under the names of MPI 2.1 (`MPI_Comm_errhandler_fn`)",
        "complete",
        _plain(
            _HANDLES
            + """\
typedef void MPI_Comm_errhandler_fn(MPI_Comm *, int *, ...);
int MPI_Comm_create_errhandler(MPI_Comm_errhandler_fn *function, MPI_Errhandler *errhandler);
"""
        ),
        _library("MPI_Comm_create_errhandler"),
    ),
    "names_of_1_2": Construct(
        "The functions and callback types of MPI 1.2",
        "what the standard has removed has no name in C++; the rest is complete",
        _plain(
            _HANDLES
            + """\
typedef void MPI_Handler_function(MPI_Comm *, int *, ...);
typedef int MPI_Copy_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Delete_function(MPI_Comm, int, void *, void *);
typedef void MPI_User_function(void *, void *, int *, MPI_Datatype *);
#define MPI_NULL_COPY_FN ((MPI_Copy_function *)0)
#define MPI_DUP_FN MPIR_dup_fn
int MPIR_dup_fn(MPI_Comm, int, void *, void *, void *, int *);
int MPI_Errhandler_create(MPI_Handler_function *function, MPI_Errhandler *errhandler);
int MPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler);
int MPI_Keyval_create(MPI_Copy_function *copy, MPI_Delete_function *del, int *keyval, void *state);
int MPI_Attr_get(MPI_Comm comm, int keyval, void *value, int *flag);
int MPI_Address(void *location, MPI_Aint *address);
int MPI_Type_struct(int count, int *lengths, MPI_Aint *places, MPI_Datatype *types,
                    MPI_Datatype *newtype);
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
"""
        ),
        _library(
            "MPIR_dup_fn",
            "MPI_Errhandler_create",
            "MPI_Errhandler_set",
            "MPI_Keyval_create",
            "MPI_Attr_get",
            "MPI_Address",
            "MPI_Type_struct",
            "MPI_Op_create",
        ),
    ),
    "callbacks_without_prototype": Construct(
        "Callback types without a prototype (`void f()`)",
        "the functions that take them are unavailable",
        _plain(
            _HANDLES
            + """\
typedef void (MPI_Handler_function)();
typedef void (MPI_User_function)();
typedef void (*MPIX_Kr_pointer)();
int MPI_Op_create(MPI_User_function *function, int commute, MPI_Op *op);
int MPIX_Register(MPIX_Kr_pointer function, int how);
"""
        ),
        _library("MPI_Op_create", "MPIX_Register"),
        omitted=("MPI_Handler_function", "MPI_User_function", "MPIX_Kr_pointer"),
        unservable=("MPI_Op_create", "MPIX_Register"),
    ),
    "functions_without_prototype": Construct(
        "Functions without a prototype (`int MPI_Barrier()`)",
        "unavailable, but for those that have no parameters",
        _plain(
            "int MPI_Barrier();\ndouble MPI_Wtime();\nint MPIX_Old();\n",
            ("int MPI_Finalize(void);", "int MPI_Finalize();"),
        ),
        _library("MPI_Barrier", "MPI_Wtime", "MPIX_Old"),
        omitted=("MPI_Barrier", "MPIX_Old"),
    ),
    "enums_of_an_abi_draft": Construct(
        "A draft of the standard ABI whose constants are enumerators, with other values",
        "complete",
        _POINTERS
        + PLAIN_HEADER[PLAIN_HEADER.index(_BEFORE) :]
        .replace(_BEFORE, _C_LINKAGE + _BEFORE)
        .removesuffix(_END)
        + _ABI_FUNCTIONS
        + _C_LINKAGE_END
        + _END,
        _library("MPI_Init_thread"),
    ),
    "abi_version_and_integers": Construct(
        "`MPI_ABI_VERSION` in a header whose handles are integers",
        "complete; it is not taken for the standard ABI",
        _plain("#define MPI_ABI_VERSION 1\n#define MPI_ABI_SUBVERSION 0\n"),
    ),
    "integers_of_32_bits": Construct(
        "`MPI_Aint`, `MPI_Count` and `MPI_Offset` of 32 bits",
        "complete, but for the C++ runtime, which says so",
        _plain(
            """\
typedef int MPI_Aint;
typedef int MPI_Count;
typedef int MPI_Offset;
int MPI_Get_address(const void *location, MPI_Aint *address);
int MPI_Type_create_resized(MPI_Datatype old, MPI_Aint lb, MPI_Aint extent, MPI_Datatype *newtype);
int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size);
int MPI_Send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
               MPI_Comm comm);
"""
        ),
        _library("MPI_Get_address", "MPI_Type_create_resized", "MPI_Type_size_x", "MPI_Send_c"),
    ),
    "functions_as_macros": Construct(
        "Functions that are macros",
        "complete, but for the operations of the C++ runtime, which need an address",
        _plain(
            """\
double fake_time(void);
int fake_barrier(MPI_Comm comm);
#define MPI_Wtime() fake_time()
#define MPI_Barrier(comm) fake_barrier(comm)
#define MPI_Wtick fake_time
"""
        ),
        _library("fake_time", "fake_barrier"),
    ),
    "main_is_a_macro": Construct(
        "`#define main` and other common words",
        "complete",
        _plain("#define main fake_main\n#define unix 1\nint fake_main(int argc, char **argv);\n"),
        PLAIN_LIBRARY.replace("#include <mpi.h>", "#include <mpi.h>\n#undef main")
        + "int main(int count, char **words) { return fake_main(count, words); }\n",
    ),
    "no_extern_c": Construct(
        'A header without `extern "C"`',
        "complete: the generated header adds it",
        _plain(linkage=False),
    ),
    "for_c_only": Construct(
        "Declarations for C only (`#ifndef __cplusplus`)",
        "left out by name, exit code 1",
        _plain(
            """\
#ifndef __cplusplus
#define MPIX_ONLY_IN_C 42
int MPIX_Only_in_c(int x);
int MPI_Barrier(MPI_Comm comm);
#endif
"""
        ),
        _library("MPIX_Only_in_c", "MPI_Barrier"),
        left_out=("MPIX_ONLY_IN_C", "MPIX_Only_in_c", "MPI_Barrier"),
    ),
    "other_in_cpp": Construct(
        "A function that C++ sees with another prototype",
        "left out by name, exit code 1",
        _plain(
            """\
#ifdef __cplusplus
int MPI_Barrier(MPI_Comm comm, int in_cpp, void *too);
#else
int MPI_Barrier(MPI_Comm comm);
#endif
"""
        ),
        _library("MPI_Barrier"),
        left_out=("MPI_Barrier",),
    ),
    "constants_as_enumerators": Construct(
        "Constants that are enumerators, and handles that are an enumeration",
        "complete",
        _plain(
            "",
            ("#define MPI_SUCCESS 0\n", "enum { MPI_SUCCESS = 0, MPI_ERR_COMM = 5 };\n"),
            ("typedef int MPI_Datatype;\n", ""),
            ("#define MPI_INT ((MPI_Datatype)0x4c000405)\n", ""),
            (
                "#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)\n",
                "typedef enum { MPI_DATATYPE_NULL, MPI_INT, MPI_DOUBLE } MPI_Datatype;\n",
            ),
        ),
    ),
    "constants_as_variables": Construct(
        "Constants that are `static const int`",
        "complete",
        _plain(
            "static const int MPI_ANY_TAG = -1;\n",
            ("#define MPI_SUCCESS 0\n", "static const int MPI_SUCCESS = 0;\n"),
        ),
    ),
    "structures_as_handles": Construct(
        "Handles that are structures",
        "refused in one sentence",
        _plain(
            "",
            ("typedef int MPI_Datatype;", "typedef struct { int id; } MPI_Datatype;"),
            ("((MPI_Datatype)0x4c000405)", "fake_int"),
            ("((MPI_Datatype)0x4c00080b)", "fake_double"),
            ("#define MPI_INT", "extern MPI_Datatype fake_int, fake_double;\n#define MPI_INT"),
        ),
        PLAIN_LIBRARY + "MPI_Datatype fake_int, fake_double;\n",
        refused="its MPI_Datatype is a structure",
    ),
    "without_const": Construct(
        "Prototypes of MPI 2.2, without `const` and without names of parameters",
        "complete",
        _plain(
            "int MPI_Ssend(void *, int, MPI_Datatype, int, int, MPI_Comm);\n",
            ("int MPI_Send(const void *buf", "int MPI_Send(void *buf"),
        ),
        _library("MPI_Ssend").replace("const void", "void"),
    ),
    "hardly_anything": Construct(
        "Nothing beyond [the floor](versions.md) and `MPI_Init`",
        "complete; everything else is unavailable",
        _FLOOR,
        """\
#include <mpi.h>
int MPI_Init(int *argc, char ***argv) { return 0; }
int MPI_Initialized(int *flag) { return *flag = 0; }
int MPI_Finalize(void) { return 0; }
int MPI_Abort(MPI_Comm comm, int code) { return 1; }
int MPI_Comm_size(MPI_Comm comm, int *size) { *size = 1; return 0; }
""",
    ),
}
