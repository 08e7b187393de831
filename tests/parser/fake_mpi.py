"""Tiny MPIs made on the fly: a header, a library built from a few lines of C, and an `mpicc`."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.limits import guard

TIMEOUT = 60

WRAPPER = """\
#!/bin/sh
# An mpicc: says what it would do with -show, does it otherwise.
case " $* " in *" -show "*) show=echo ;; *) show= ;; esac
for word; do shift; [ "$word" = -show ] || set -- "$@" "$word"; done
$show {compiler} -I{include} "$@" -L{lib} -Wl,-rpath -Wl,{lib} -lfake
"""

NO_SHOW = """\
#!/bin/sh
case " $* " in *" -show"*|*" --show"*) echo "no such option" >&2; exit 1 ;; esac
exec {compiler} -I{include} "$@" -L{lib} -Wl,-rpath -Wl,{lib} -lfake
"""


@dataclass(frozen=True)
class FakeMpi:
    """A folder with `include/mpi.h`, `lib/libfake.so` and `bin/mpicc`."""

    prefix: Path

    @property
    def mpicc(self) -> Path:
        return self.prefix / "bin" / "mpicc"

    @property
    def header(self) -> Path:
        return self.prefix / "include" / "mpi.h"


def build(
    prefix: Path,
    header: str,
    library: str | None = "",
    *,
    wrapper: str = WRAPPER,
    compiler: str = "gcc",
    extensions: str | None = None,
) -> FakeMpi:
    """Makes a fake MPI; `library` is C that defines its functions, None for no library at all."""
    for folder in ("include", "lib", "bin"):
        (prefix / folder).mkdir(parents=True, exist_ok=True)
    made = FakeMpi(prefix)
    made.header.write_text(header, encoding="utf-8")
    if extensions is not None:
        (prefix / "include" / "mpi-ext.h").write_text(extensions, encoding="utf-8")
    text = wrapper.format(compiler=compiler, include=prefix / "include", lib=prefix / "lib")
    made.mpicc.write_text(text, encoding="utf-8")
    made.mpicc.chmod(0o755)
    if library is not None:
        source = prefix / "lib" / "fake.c"
        source.write_text(library, encoding="utf-8")
        target = prefix / "lib" / "libfake.so"
        command = ["gcc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{target.name}", str(source)]
        subprocess.run(
            [*command, "-I", str(prefix / "include"), "-o", str(target)],
            check=True,
            timeout=guard(TIMEOUT),
        )
    return made


PLAIN_HEADER = """\
#ifndef MPI_H
#define MPI_H
#define MPI_VERSION 3
#define MPI_SUBVERSION 1
typedef int MPI_Comm;
#define MPI_COMM_NULL ((MPI_Comm)0x04000000)
#define MPI_COMM_WORLD ((MPI_Comm)0x44000000)
#define MPI_MAX_LIBRARY_VERSION_STRING 64
typedef int MPI_Datatype;
typedef struct MPI_Status { int MPI_SOURCE, MPI_TAG, MPI_ERROR; } MPI_Status;
#define MPI_SUCCESS 0
#define MPI_INT ((MPI_Datatype)0x4c000405)
#define MPI_DOUBLE ((MPI_Datatype)0x4c00080b)
int MPI_Init(int *argc, char ***argv);
int MPI_Initialized(int *flag);
int MPI_Finalize(void);
int MPI_Abort(MPI_Comm comm, int errorcode);
int MPI_Comm_rank(MPI_Comm comm, int *rank);
int MPI_Comm_size(MPI_Comm comm, int *size);
int MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm);
int MPI_Recv(void *b, int n, MPI_Datatype t, int source, int tag, MPI_Comm c, MPI_Status *s);
int MPI_Type_size(MPI_Datatype datatype, int *size);
int MPI_Get_library_version(char *version, int *resultlen);
#endif
"""

PLAIN_LIBRARY = """\
#include <string.h>
#include <mpi.h>
int MPI_Init(int *argc, char ***argv) { return 0; }
int MPI_Finalize(void) { return 0; }
int MPI_Comm_rank(MPI_Comm comm, int *rank) { *rank = 0; return 0; }
int MPI_Initialized(int *flag) { return 1; }
int MPI_Abort(MPI_Comm comm, int code) { return 1; }
int MPI_Comm_size(MPI_Comm comm, int *size) { return 1; }
int MPI_Send(const void *b, int n, MPI_Datatype t, int dest, int tag, MPI_Comm c) { return 1; }
int MPI_Recv(void *b, int n, MPI_Datatype t, int s, int g, MPI_Comm c, MPI_Status *o) { return 1; }
int MPI_Type_size(MPI_Datatype datatype, int *size) { return 1; }
int MPI_Get_library_version(char *version, int *length)
{
    strcpy(version, "Fake MPI 1.0");
    *length = 12;
    return 0;
}
"""
