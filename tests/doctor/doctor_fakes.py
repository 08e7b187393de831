"""A small MPI made for the occasion: header, library, wrapper and launcher in one folder.

It says whose it is by its header and version string, and misbehaves on demand (`FAKE_...`
variables), so that what cannot be set up with real MPIs can be shown to the doctor.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mpiglot.doctor import Diagnosis, Finding
from tests.limits import guard

HEADER = """
#ifndef FAKE_MPI_H
#define FAKE_MPI_H
#define MPI_VERSION 4
#define MPI_SUBVERSION 0
{macros}
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_THREAD_SINGLE 0
#define MPI_THREAD_FUNNELED 1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE 3
#define MPI_COMM_WORLD 1
#define MPI_INT 2
#define MPI_SUM 3
#define MPI_STATUS_IGNORE ((MPI_Status *)1)
typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef struct {{ int MPI_SOURCE; }} MPI_Status;
#ifdef __cplusplus
extern "C" {{
#endif
int MPI_Init(int *, char ***);
int MPI_Init_thread(int *, char ***, int, int *);
int MPI_Finalize(void);
int MPI_Get_library_version(char *, int *);
int MPI_Get_version(int *, int *);
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Comm_size(MPI_Comm, int *);
int MPI_Sendrecv(const void *, int, MPI_Datatype, int, int, void *, int, MPI_Datatype, int, int,
                 MPI_Comm, MPI_Status *);
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
#ifdef __cplusplus
}}
#endif
#endif
"""

LIBRARY = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int number(const char *name, int otherwise) {{
    const char *text = getenv(name);
    return text != NULL ? atoi(text) : otherwise;
}}
static int asked(const char *where) {{
    const char *text = getenv("FAKE_TROUBLE");
    return text != NULL && strcmp(text, where) == 0;
}}
int MPI_Init(int *c, char ***v) {{
    (void)c; (void)v;
    if (asked("hang")) {{ for (;;) {{ sleep(1); }} }}
    if (asked("die")) {{ fprintf(stderr, "Fatal error in MPIDU_bc_table_create\\n"); exit(15); }}
    return 0;
}}
int PMPI_Init(int *c, char ***v) {{ return MPI_Init(c, v); }}
int MPI_Init_thread(int *c, char ***v, int r, int *p) {{ *p = r; return MPI_Init(c, v); }}
int MPI_Finalize(void) {{ if (asked("die late")) {{ abort(); }} return 0; }}
int MPI_Get_library_version(char *t, int *n) {{ strcpy(t, "{says}"); *n = strlen(t); return 0; }}
int MPI_Get_version(int *a, int *b) {{ *a = 4; *b = 0; return 0; }}
int MPI_Comm_rank(MPI_Comm c, int *r) {{ (void)c; *r = number("FAKE_RANK", 0); return 0; }}
int MPI_Comm_size(MPI_Comm c, int *s) {{ (void)c; *s = number("FAKE_SIZE", 1); return 0; }}
int MPI_Sendrecv(const void *o, int n, MPI_Datatype d, int to, int t, void *i, int m,
                 MPI_Datatype e, int from, int u, MPI_Comm c, MPI_Status *s) {{
    (void)d; (void)to; (void)t; (void)m; (void)e; (void)u; (void)c; (void)s;
    for (int k = 0; k < n; ++k) {{
        ((int *)i)[k] = ((const int *)o)[k] + 7 * (from - number("FAKE_RANK", 0));
    }}
    if (asked("wrong")) {{ ((int *)i)[0] += 1; }}
    return 0;
}}
int MPI_Allreduce(const void *a, void *b, int n, MPI_Datatype d, MPI_Op o, MPI_Comm c) {{
    (void)a; (void)n; (void)d; (void)o; (void)c;
    int size = number("FAKE_SIZE", 1);
    *(int *)b = size * (size - 1) / 2;
    return 0;
}}
"""

WRAPPER = """\
#!/bin/sh
flags="-I{root}/include -L{root}/lib -Wl,-rpath,{root}/lib -lmpi"
if [ "$1" = -show ]; then
    echo "{compiler} $flags"
    exit 0
fi
exec {compiler} "$@" $flags
"""

LAUNCHER = """\
#!/bin/sh
if [ "$1" = --version ]; then
    printf '%s\\n' '{says}'
    exit 0
fi
shift
ranks=$1
shift
{extra}
i=0
while [ $i -lt $ranks ]; do
    {give} "$@" &
    pids="$pids $!"
    i=$((i + 1))
done
code=0
for pid in $pids; do
    wait $pid || code=$?
done
exit $code
"""


@dataclass(frozen=True)
class Kind:
    """Whose MPI a fake one is."""

    macros: str
    library: str
    launcher: str


KINDS = {
    "mpich": Kind(
        '#define MPICH_VERSION "9.8.7"',
        "MPICH Version:\\t9.8.7",
        "HYDRA build details:\n    Version:   9.8.7",
    ),
    "intelmpi": Kind(
        '#define MPICH_VERSION "3.4"\n#define I_MPI_VERSION "2099.1.0"',
        "Intel(R) MPI Library 2099.1.0 for Linux* OS",
        "Intel(R) MPI Library for Linux* OS, Version 2099.1.0 Build 1",
    ),
    "openmpi": Kind(
        "#define OMPI_MAJOR_VERSION 9\n#define OMPI_MINOR_VERSION 8\n"
        "#define OMPI_RELEASE_VERSION 7",
        "Open MPI v9.8.7, package: fake",
        "mpiexec (Open MPI) 9.8.7",
    ),
}


def fake_mpi(root: Path, kind: str = "mpich", compiler: str = "gcc") -> Path:
    """Puts a fake MPI into a folder; the answer is its wrapper."""
    who = KINDS[kind]
    for name in ("bin", "include", "lib"):
        (root / name).mkdir(parents=True)
    (root / "include" / "mpi.h").write_text(HEADER.format(macros=who.macros))
    source = root / "fake.c"
    source.write_text(LIBRARY.format(says=who.library))
    words = ["gcc", "-shared", "-fPIC", "-Wl,-soname,libmpi.so.12", f"-I{root}/include"]
    library = root / "lib" / "libmpi.so.12"
    subprocess.run([*words, str(source), "-o", str(library)], check=True, timeout=guard(60))
    (root / "lib" / "libmpi.so").symlink_to("libmpi.so.12")
    give = "FAKE_RANK=$i FAKE_SIZE=$ranks"
    script(root / "bin" / "mpiexec", LAUNCHER.format(says=who.launcher, extra="", give=give))
    return script(root / "bin" / "mpicc", WRAPPER.format(root=root, compiler=compiler))


def fake_launcher(path: Path, kind: str, *, extra: str = "", give: str = "") -> Path:
    """A launcher of this vendor that starts every rank alone (or as `give` has it)."""
    return script(path, LAUNCHER.format(says=KINDS[kind].launcher, extra=extra, give=give))


def script(path: Path, text: str) -> Path:
    """An executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    path.chmod(0o755)
    return path


def tools(folder: Path, *names: str) -> Path:
    """A folder for PATH that holds these programs and nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        found = shutil.which(name)
        assert found is not None, name
        (folder / name).symlink_to(found)
    return folder


PROGRAM = """\
#include <mpi.h>
int main(int c, char **v) {
  MPI_Init(&c, &v);
  return MPI_Finalize();
}
"""


@dataclass
class Typed:
    """What became of commands that were typed into a shell."""

    env: dict[str, str]
    out: str
    code: int


def typed(
    found: Diagnosis | Finding,
    wanted: str,
    env: Mapping[str, str],
    folder: Path,
    *,
    limit: float = 60,
) -> Typed:
    """Types the commands of the finding of this kind into a shell in `folder`.

    `./program` is there if `with_program` made it. A command that does not end within the limit is
    stopped; its code is then 124. The answer has the variables that the shell has afterwards.
    """
    findings = [found] if isinstance(found, Finding) else found.findings
    finding = next(one for one in findings if one.id == wanted)
    assert finding.commands, f"{wanted} has nothing to type"
    return type_lines(finding.commands, env, folder, limit=limit)


def type_lines(
    commands: Sequence[str], env: Mapping[str, str], folder: Path, *, limit: float = 60
) -> Typed:
    """The same for any commands."""
    after = folder / "typed"
    text = "\n".join(["set -e", *commands, f"/usr/bin/env -0 > {after}"])
    words = ["/usr/bin/timeout", "-k", "1", str(limit), "/bin/sh", "-c", text]
    done = subprocess.run(
        words,
        cwd=folder, env=dict(env), capture_output=True, text=True, errors="replace",
        stdin=subprocess.DEVNULL, timeout=guard(limit + 5), check=False,
    )  # fmt: skip
    kept = dict(env)
    if done.returncode == 0:
        pairs = (one.split("=", 1) for one in after.read_text().split("\0") if one)
        kept = {name: value for name, value in pairs if name not in ("_", "PWD", "SHLVL", "OLDPWD")}
    return Typed(kept, done.stdout + done.stderr, done.returncode)


def with_program(wrapper: Sequence[str], env: Mapping[str, str], folder: Path) -> None:
    """Puts `./program` of a user into the folder."""
    source = folder / "program.c"
    source.write_text(PROGRAM)
    command = [*wrapper, str(source), "-o", str(folder / "program")]
    subprocess.run(command, env=dict(env), check=True, timeout=guard(60))


def commands_of_users(folder: Path) -> Path:
    """A folder for PATH with `mpiglot` and with a `sudo` that asks for no password."""
    script(folder / "mpiglot", f'#!/bin/sh\nexec {sys.executable} -m mpiglot "$@"\n')
    script(folder / "sudo", '#!/bin/sh\nexec "$@"\n')
    return folder


def in_namespace(env: Mapping[str, str], *lines: str) -> subprocess.CompletedProcess[str] | None:
    """Runs lines where mounts are seen by nobody else; None where that is not allowed."""
    namespace = ["unshare", "-m", "sh", "-ec"]
    try:
        tried = subprocess.run(
            [*namespace, "mount -t tmpfs -o size=1m tmpfs /dev/shm"],
            capture_output=True, timeout=guard(30), check=False,
        )  # fmt: skip
    except OSError:
        return None
    if tried.returncode != 0:
        return None
    return subprocess.run(
        [*namespace, "\n".join(lines)],
        env={**os.environ, **env}, capture_output=True, text=True, timeout=guard(240), check=False,
    )  # fmt: skip
