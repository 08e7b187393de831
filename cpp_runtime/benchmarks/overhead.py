#!/usr/bin/env python3
"""What named parameters cost above plain C: instructions, allocations, compile time, text size.

    cpp_runtime/benchmarks/overhead.py [--compiler g++] [--flags "-O3 -DNDEBUG"]

Instructions are counted by callgrind over an MPI that does nothing (stub.c), so the numbers are the
same on every run. Compile time is user CPU, the best of a few runs of the two allgatherv examples.
The declarations are MPICH's (`mpicxx.mpich` or MPIGLOT_MPICXX).
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS = 1000
LIMIT = {"isend_wait": 20, "irecv_wait": 20, "recv_by_value": 34, "allgatherv": 34}


def run(*command: str | Path) -> str:
    """The output of a program; it must succeed within 5 minutes."""
    done = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, timeout=300, check=False
    )
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def includes() -> list[str]:
    wrapper = os.environ.get("MPIGLOT_MPICXX", "mpicxx.mpich")
    flags = [flag for flag in shlex.split(run(wrapper, "-show")) if flag.startswith("-I")]
    layer = os.environ.get("MPIGLOT_GENERATED", str(ROOT / "generated/cpp/mpich-4.0.2"))
    return ["-std=c++20", *flags, f"-I{layer}", f"-I{ROOT / 'cpp_runtime/include'}"]


def instructions(program: Path, folder: Path) -> dict[str, float]:
    """Instructions per call of each function of calls.cpp, with what it calls."""
    output = folder / "callgrind.out"
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program)
    text = run("callgrind_annotate", "--inclusive=yes", "--threshold=100", output)
    found = re.findall(r"^\s*([\d,]+) .*?[:/]((?:plain|named)_\w+)", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) / ROUNDS for count, name in found}


def cpu_seconds(*command: str | Path, times: int = 5) -> float:
    """User CPU of the fastest of several runs."""
    best = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run(*command)
        best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return best


def symbols(object_file: Path, kind: str) -> set[str]:
    """MPI's functions that an object file defines ("T") or needs ("U")."""
    lines = (line.split() for line in run("nm", object_file).splitlines())
    return {line[-1] for line in lines if line[-2] == kind and line[-1].startswith("MPI")}


def make_traps(needs: Path, has: Path, traps: Path) -> None:
    """Functions that only run when something fails, and end the program."""
    missing = sorted(symbols(needs, "U") - symbols(has, "T"))
    source = traps.with_suffix(".c")
    source.write_text("".join(f"int {name}(void) {{ __builtin_trap(); }}\n" for name in missing))
    run("gcc", "-c", source, "-o", traps)


def text_size(binary: Path) -> int:
    return int(run("size", binary).splitlines()[1].split()[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O3 -DNDEBUG")
    options = parser.parse_args()
    compile_cpp = [options.compiler, *shlex.split(options.flags), *includes()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        run("gcc", "-O2", *includes()[1:], "-c", HERE / "stub.c", "-o", folder / "stub.o")
        program = folder / "calls"
        objects = [folder / "calls.o", folder / "stub.o", folder / "traps.o"]
        run(*compile_cpp, "-c", HERE / "calls.cpp", "-o", objects[0])
        make_traps(objects[0], objects[1], objects[2])
        run(options.compiler, *objects, "-o", program)
        allocations = dict(line.split() for line in run(program).splitlines())
        counted = instructions(program, folder)
        print(f"{options.compiler} {options.flags}: instructions (allocations) per call\n")
        print(f"{'call':18} {'plain C':>12} {'mpiglot':>12} {'above':>7} {'at most':>8}")
        for key in (name[6:] for name in counted if name.startswith("plain_")):
            plain, named = f"plain_{key}", f"named_{key}"
            row = [f"{counted[n]:.0f} ({allocations[n]})" for n in (plain, named)]
            above = counted[named] - counted[plain]
            print(f"{key:18} {row[0]:>12} {row[1]:>12} {above:>+7.0f} {LIMIT.get(key, 8):>+8}")

        print("\nthe allgatherv example\n")
        seconds = {}
        sizes = {}
        for form in ("plain", "named"):
            source = HERE / f"allgatherv_{form}.cpp"
            object_file = folder / f"{form}.o"
            seconds[form] = cpu_seconds(*compile_cpp, "-c", source, "-o", object_file)
            sizes[form] = text_size(object_file)
        ratio = seconds["named"] / seconds["plain"]
        print(f"compile CPU s      {seconds['plain']:.3f}  {seconds['named']:.3f}  {ratio:.2f}x")
        ratio = sizes["named"] / sizes["plain"]
        print(f"text, bytes        {sizes['plain']}  {sizes['named']}  {ratio:.2f}x")


if __name__ == "__main__":
    main()
