"""Instructions and allocations of mpiglot's calls and of the same calls in plain C (counted/*.cpp).

callgrind counts over an MPI that does nothing (counted/stub.c, counted/stubs.py): the numbers are
the same on every run with the same compiler.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
COUNTED = HERE / "counted"
COMPILED = "-DMPIGLOT_COMPILED"
ROUNDS = 200
CHECKS = {"off": ["-DMPIGLOT_CHECKS_OFF"], "light": []}  # the flags of a level
BLUEPRINT = ROOT / "blueprints/known/mpich-4.0.2.json"

sys.path.insert(0, str(COUNTED))
from stubs import quiet  # noqa: E402


@dataclass(frozen=True)
class Count:
    """One call in both forms, for a call."""

    name: str
    plain: int
    named: int
    plain_allocations: int
    named_allocations: int

    @property
    def above(self) -> int:
        return self.named - self.plain


def run(*command: str | Path) -> str:
    """The output of a program; it must succeed within 5 minutes."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def wrapper() -> str:
    return os.environ.get("MPIGLOT_MPICXX", "mpicxx.mpich")


def includes() -> list[str]:
    flags = [flag for flag in shlex.split(run(wrapper(), "-show")) if flag.startswith("-I")]
    layer = os.environ.get("MPIGLOT_GENERATED", str(ROOT / "generated/cpp/mpich-4.0.2"))
    return ["-std=c++20", *flags, f"-I{layer}", f"-I{ROOT / 'cpp_runtime/include'}"]


def count_calls(compile_cpp: list[str], runtime: list[Path], folder: Path) -> list[Count]:
    """Every pair of counted/*.cpp. `runtime`: the objects of the compiled part, which then is a
    shared library, as the MPI is; empty: headers only."""
    program = build(compile_cpp, runtime, folder)
    allocations = {name: int(n) for name, n in map(str.split, run(program).splitlines())}
    first, all_calls = (counted(program, rounds, folder) for rounds in (1, ROUNDS + 1))

    def each(name: str) -> int:  # what only the first call costs is left out
        return round((all_calls[name] - first[name]) / ROUNDS)

    return [
        Count(
            name,
            *(each(f"{kind}_{name}") for kind in ("plain", "named")),
            *(allocations[f"{kind}_{name}"] for kind in ("plain", "named")),
        )
        for name in (one.removeprefix("plain_") for one in allocations if one.startswith("plain_"))
    ]


def build(compile_cpp: list[str], runtime: list[Path], folder: Path) -> Path:
    program, stub = folder / "counted", folder / "stub.o"
    sources = sorted(COUNTED.glob("*.cpp"))
    objects = [folder / f"counted_{source.stem}.o" for source in sources]
    flags = [COMPILED] if runtime else []
    for source, made in zip(sources, objects, strict=True):
        run(*compile_cpp, *flags, "-c", source, "-o", made)
    make_stub(compile_cpp, sources, [*objects, *runtime], stub, folder)
    linked = [*objects, stub]
    if runtime:
        mpi, shared = folder / "libmpi_counted.so", folder / "libruntime_counted.so"
        run(compile_cpp[0], "-shared", stub, "-o", mpi)
        bound = "-Wl,-Bsymbolic-functions,-z,now"
        run(compile_cpp[0], "-shared", bound, *runtime, mpi, "-o", shared)
        linked = [*objects, shared, mpi]
    run(compile_cpp[0], *linked, f"-Wl,-z,now,-rpath,{folder}", "-o", program)
    return program


def make_stub(
    compile_cpp: list[str], sources: list[Path], needs: list[Path], stub: Path, folder: Path
) -> None:
    """An MPI: what stub.c defines; what plain C calls, which only succeeds; and what runs only when
    something fails, which ends the program."""
    special, plain, traps = (folder / f"stub_{name}.c" for name in ("special", "plain", "traps"))
    special.write_text((COUNTED / "stub.c").read_text())
    compile_c(special)
    needed = set().union(*(symbols(one, "U") for one in needs))
    missing = needed - symbols(special.with_suffix(".o"), "T")
    called = called_by_plain(compile_cpp, sources)
    plain.write_text(quiet(BLUEPRINT, {one for one in missing if one.removesuffix("_c") in called}))
    compile_c(plain)
    missing -= symbols(plain.with_suffix(".o"), "T")
    ending = "(void) { __builtin_trap(); }\n"
    traps.write_text("".join(f"int {name}{ending}" for name in sorted(missing)))
    compile_c(traps)
    run("ld", "-r", *(one.with_suffix(".o") for one in (special, plain, traps)), "-o", stub)


def compile_c(source: Path) -> None:
    headers = [flag for flag in includes() if flag.startswith("-I")]
    run("gcc", "-O2", "-fPIC", "-w", *headers, "-c", source, "-o", source.with_suffix(".o"))


def called_by_plain(compile_cpp: list[str], sources: list[Path]) -> set[str]:
    """MPI's functions that the plain halves call."""
    text = "".join(run(*compile_cpp, "-E", "-P", source) for source in sources)
    bodies = re.findall(
        r"void plain_\w+\(\[\[maybe_unused\]\] data& d\)(.*?)extern \"C\"", text, re.S
    )
    return set(re.findall(r"\b(MPI_\w+)\(", "".join(bodies)))


def symbols(object_file: Path, kind: str) -> set[str]:
    """MPI's functions that an object file defines ("T") or needs ("U")."""
    lines = (line.split() for line in run("nm", object_file).splitlines())
    return {line[-1] for line in lines if line[-2] == kind and line[-1].startswith("MPI")}


def counted(program: Path, rounds: int, folder: Path) -> dict[str, int]:
    """Instructions of so many calls of each function, with what it calls."""
    output = folder / "callgrind.out"
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program, str(rounds))
    text = run("callgrind_annotate", "--inclusive=yes", "--threshold=100", output)
    found = re.findall(r"^\s*([\d,]+) .*?[:/]((?:plain|named)_\w+)", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) for count, name in found}


def limits(compiler: str, optimised: str, checks: str) -> dict[str, int]:
    """The most instructions above C, by the name of the call, where they are held."""
    return _columns().get(f"{compiler} {optimised}, checks {checks}", {})


def goals(checks: str) -> dict[str, int]:
    """What calls are to cost above C with either compiler, where that is said."""
    return _columns().get(f"goal, checks {checks}", {})


def _columns() -> dict[str, dict[str, int]]:
    columns: dict[str, dict[str, int]] = json.loads((COUNTED / "limits.json").read_text())
    return columns
