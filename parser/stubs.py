"""Functions that a library has and that do nothing but say so: found by calling them.

Of SimGrid's 387 functions 88 are such: they end the job, or return success. A vendor's `stubs`
(`vendors.json`) tell what such a function says, and how to start a program so that it is said. Each
function is called with zeros in a process of its own, which is killed after its first line.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from mpiglot.parser.preprocess import INCLUDES
from mpiglot.parser.process import run
from mpiglot.parser.start import Starter
from mpiglot.parser.wrapper import Wrapper

_PROGRAM = """\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
%(includes)s
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
typedef long (*mg_function)(long, long, long, long, long, long, long, long, long, long, long, long,
                            long, long, long, long);
static const struct { const char *name; mg_function call; } mg_functions[] = {
%(rows)s};
static int mg_is_stub(mg_function call)
{
    int ends[2];
    char said[4096];
    size_t length = 0;
    if (pipe(ends) != 0) return 0;
    const pid_t child = fork();
    if (child == 0) {
        alarm(%(seconds)d);
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        call(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        _exit(0);
    }
    close(ends[1]);
    while (child > 0 && length + 1 < sizeof said) {
        const ssize_t more = read(ends[0], said + length, sizeof said - 1 - length);
        if (more <= 0) break;
        length += (size_t)more;
        if (memchr(said, '\\n', length)) break;
    }
    said[length] = 0;
    close(ends[0]);
    if (child > 0) {
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
    }
    return strstr(said, %(said)s) != NULL;
}
int main(void)
{
    for (size_t i = 0; i < sizeof mg_functions / sizeof *mg_functions; ++i) {
        if (mg_is_stub(mg_functions[i].call)) printf("mpiglot S %%s\\n", mg_functions[i].name);
        fflush(stdout);
    }
    return 0;
}
"""
_SECONDS = 2  # for a function that waits for something


def find(
    wrapper: Wrapper, starter: Starter, rule: Mapping[str, Any], functions: Iterable[str]
) -> set[str]:
    """Those of `functions`, which all link, that are stubs by the vendor's `rule`."""
    text = _PROGRAM % {
        "includes": INCLUDES,
        "rows": "".join(f'    {{"{name}", (mg_function){name}}},\n' for name in sorted(functions)),
        "said": '"' + rule["said"] + '"',
        "seconds": _SECONDS,
    }
    with tempfile.TemporaryDirectory(prefix="mpiglot-") as folder:
        source, program = Path(folder) / "stubs.c", Path(folder) / "stubs"
        source.write_text(text, encoding="utf-8")
        command = [*wrapper.command, *wrapper.compile_flags, "-w", "-fPIC", str(source)]
        command += ["-o", str(program), *wrapper.link_flags]
        if not run(command, cwd=Path(folder), env={**wrapper.env(), "TMPDIR": folder}).ok:
            return set()
        said = starter.start(wrapper, program, rule["options"]).out
    return {line[10:] for line in said.splitlines() if line.startswith("mpiglot S ")}
