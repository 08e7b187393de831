"""What a call of the generated C++ layer costs above the same call in C: instructions, allocations.

calls/cpp/calls.cpp is linked with an MPI in which every function does nothing and succeeds, so that
callgrind counts the same on every run and only what the layer adds is a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.subject import ROOT, Subject
from benchmarks.tables import run

ROUNDS = 1000  # as in calls.cpp

_STUB = """\
#include <stddef.h>
extern void *__libc_malloc(size_t);
long allocations = 0;
void *malloc(size_t size) { return ++allocations, __libc_malloc(size); }
"""


@dataclass
class Cost:
    """One call, in C and through the layer; instructions with those of the empty function."""

    name: str
    plain: int
    layer: int
    allocations: int  # of the layer, above C
    holds: bool  # whether it asks if callables have to be held longer (holders.hpp)

    @property
    def above(self) -> int:
        return self.layer - self.plain

    @property
    def limit(self) -> int:
        """Above C at most: 3, with a count of 64 bits that is known only at run time 8.

        g++ 12 keeps a const `std::optional` in memory, which costs 5 more. Who asks whether
        callables have to be held longer, and sets a handle before, needs 4 more.
        """
        usual = 8 if self.name.endswith(("_wide", "_const")) else 3
        return usual + 4 if self.holds else usual


def call_costs(
    subject: Subject,
    compiler: str,
    flags: list[str],
    folder: Path,
    source: Path = ROOT / "benchmarks/calls/cpp/calls.cpp",
) -> list[Cost]:
    """The cost of each pair of calls.cpp, or of another source (every_call.py), by name."""
    calls, stub, program = (folder / name for name in ("calls.o", "stub.o", "calls"))
    run(*subject.compile(compiler, *flags, "-c", source, "-o", calls))
    (folder / "stub.c").write_text(_STUB + "\n".join(_nothing(calls)) + "\n", encoding="utf-8")
    run("gcc", "-O2", "-c", folder / "stub.c", "-o", stub)
    run(compiler, calls, stub, "-o", program)
    allocations = {name: int(n) for name, n in map(str.split, run(program).splitlines())}
    counted = _instructions(program, folder)
    names = sorted(name.removeprefix("plain_") for name in counted if name.startswith("plain_"))
    holding = _holding(subject.layer)
    return [
        Cost(
            name,
            counted[f"plain_{name}"],
            counted[f"layer_{name}"],
            allocations[f"layer_{name}"] - allocations[f"plain_{name}"],
            re.sub("_(wide|const|status)$", "", name) in holding,
        )
        for name in names
    ]


def _nothing(calls: Path) -> Iterator[str]:
    """C for what an object file needs of MPI: functions that succeed, objects for handles."""
    for line in run("nm", "-u", calls).splitlines():
        name = line.split()[-1]
        if re.match(r"P?MPIX?_", name):
            yield f"int {name}(void) {{ return 0; }}"
        elif name.startswith("ompi_"):
            yield f"char {name}[1024];"


def _instructions(program: Path, folder: Path) -> dict[str, int]:
    output = folder / "callgrind.out"
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program)
    text = run("callgrind_annotate", "--inclusive=yes", "--threshold=100", output)
    found = re.findall(r"^\s*([\d,]+) .*?[:/]((?:plain|layer)_\w+)", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) // ROUNDS for count, name in found}


def _holding(layer: Path) -> set[str]:
    """The functions of a layer that ask whether callables have to be held longer."""
    texts = "".join(p.read_text(encoding="utf-8") for p in (layer / "mpiglot/mpi").glob("*.hpp"))
    asks = r"detail::(?:beginning|ending|freeing|inherited|attached|told|kept_for_ever)\("
    bodies = [
        text for text in re.split(r"^}\n", texts, flags=re.MULTILINE) if re.search(asks, text)
    ]
    return {found[1] for text in bodies if (found := re.search(r"^inline .*?(\w+)\(", text, re.M))}
