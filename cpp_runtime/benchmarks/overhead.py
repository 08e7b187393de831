#!/usr/bin/env python3
r"""What named parameters cost above plain C: instructions, allocations, compile time, text size.

    cpp_runtime/benchmarks/overhead.py [--compiler g++] [--flags "-O3 -DNDEBUG"] [--compiled] \
        [--plot]

Instructions are counted by callgrind over an MPI that does nothing (stub.c), so the numbers are the
same on every run; with --compiled, in programs that link the compiled part of the runtime. Compile
time is user CPU, the best of a few runs of the two allgatherv examples; it and the text size are
shown for both forms of the runtime, headers only and with the compiled part.
The declarations are MPICH's (`mpicxx.mpich` or MPIGLOT_MPICXX). --plot writes what was found to
docs/figures/overhead.json and draws overhead.svg.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shlex
import subprocess
import tempfile
from pathlib import Path

import picture

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROUNDS = 1000
COMPILED = "-DMPIGLOT_COMPILED"
LIMIT = {"bcast": 10, "isend_wait": 20, "irecv_wait": 20, "recv_by_value": 34, "allgatherv": 34}


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


def instructions(program: Path, folder: Path) -> dict[str, float]:
    """Instructions per call of each function of calls.cpp, with what it calls; what only the first
    call costs (a communicator's state, the loader) is left out."""
    first, all_calls = (counted(program, rounds, folder) for rounds in (1, ROUNDS + 1))
    return {name: (count - first[name]) / ROUNDS for name, count in all_calls.items()}


def counted(program: Path, rounds: int, folder: Path) -> dict[str, int]:
    """Instructions of so many calls of each function."""
    output = folder / "callgrind.out"
    run("valgrind", "--tool=callgrind", f"--callgrind-out-file={output}", program, str(rounds))
    text = run("callgrind_annotate", "--inclusive=yes", "--threshold=100", output)
    found = re.findall(r"^\s*([\d,]+) .*?[:/]((?:plain|named)_\w+)", text, re.MULTILINE)
    return {name: int(count.replace(",", "")) for count, name in found}


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


def make_traps(needs: list[Path], has: Path, traps: Path) -> None:
    """Functions that only run when something fails, and end the program."""
    missing = sorted(set().union(*(symbols(one, "U") for one in needs)) - symbols(has, "T"))
    source = traps.with_suffix(".c")
    source.write_text("".join(f"int {name}(void) {{ __builtin_trap(); }}\n" for name in missing))
    run("gcc", "-fPIC", "-c", source, "-o", traps)


def text_size(binary: Path) -> int:
    return int(run("size", binary).splitlines()[1].split()[0])


def compile_runtime(compile_cpp: list[str], folder: Path) -> list[Path]:
    """The objects of the compiled part."""
    objects = []
    for source in sorted((ROOT / "cpp_runtime/src").glob("*.cpp")):
        objects.append(folder / f"runtime_{source.stem}.o")
        # as cmake/mpiglot-runtime.cmake
        how = ("-fPIC", "-ffunction-sections", "-fdata-sections", "-fno-semantic-interposition")
        run(*compile_cpp, COMPILED, *how, "-c", source, "-o", objects[-1])
    return objects


def show_calls(
    name: str, compile_cpp: list[str], runtime: list[Path], folder: Path
) -> list[dict[str, str | float]]:
    """Instructions and allocations of each call. `runtime`: the objects of the compiled part, which
    then is a shared library, as the MPI is."""
    program = folder / name
    ours = [folder / f"{name}.o", *runtime]
    stub, traps = folder / "stub.o", folder / "traps.o"
    stubs = [folder / f"{part}.o" for part in ("stub_calls", "stub_core")]
    position = ["-fPIC"] if runtime else []
    for source, made in zip(("stub.c", "stub_core.c"), stubs, strict=True):
        run("gcc", "-O2", *position, *includes()[1:], "-c", HERE / source, "-o", made)
    run("ld", "-r", *stubs, "-o", stub)
    run(*compile_cpp, *([COMPILED] if runtime else []), "-c", HERE / f"{name}.cpp", "-o", ours[0])
    make_traps(ours, stub, traps)
    linked = [ours[0], stub, traps]
    if runtime:
        mpi, shared = folder / f"libmpi_{name}.so", folder / f"libruntime_{name}.so"
        run(compile_cpp[0], "-shared", stub, traps, "-o", mpi)
        run(
            compile_cpp[0],
            "-shared",
            "-Wl,-Bsymbolic-functions,-z,now",
            *runtime,
            mpi,
            "-o",
            shared,
        )
        linked = [ours[0], shared, mpi]
    run(compile_cpp[0], *linked, f"-Wl,-z,now,-rpath,{folder}", "-o", program)
    allocations = dict(line.split() for line in run(program).splitlines())
    each_call = instructions(program, folder)
    print(f"{'call':18} {'plain C':>12} {'mpiglot':>12} {'above':>7} {'at most':>8}")
    calls: list[dict[str, str | float]] = []
    for key in (name[6:] for name in each_call if name.startswith("plain_")):
        plain, named = f"plain_{key}", f"named_{key}"
        row = [f"{each_call[n]:.0f} ({allocations[n]})" for n in (plain, named)]
        calls.append(
            {
                "name": key,
                "plain": each_call[plain],
                "named": each_call[named],
                "plain_allocations": float(allocations[plain]),
                "named_allocations": float(allocations[named]),
                "limit": LIMIT.get(key, 8),
            }
        )
        above = each_call[named] - each_call[plain]
        print(f"{key:18} {row[0]:>12} {row[1]:>12} {above:>+7.0f} {LIMIT.get(key, 8):>+8}")
    return calls


def show_example(
    compile_cpp: list[str], runtime: list[Path], folder: Path
) -> dict[str, list[float]]:
    """What the allgatherv example costs to compile, and how large it is."""
    shared, static = folder / "libmpiglot_runtime.so", folder / "libmpiglot_runtime.a"
    run(wrapper(), "-shared", *runtime, "-o", shared)
    run("ar", "rcs", static, *runtime)
    rows: dict[str, list[float]] = {
        "compile CPU s": [], "text, object": [], "linked, shared": [], "linked, static": []
    }  # fmt: skip
    for source, flags in (("plain", []), ("named", []), ("named", [COMPILED])):
        made = folder / f"example{len(rows['text, object'])}.o"
        command = [*compile_cpp, *flags, "-c", str(HERE / f"allgatherv_{source}.cpp")]
        rows["compile CPU s"].append(cpu_seconds(*command, "-o", made))
        rows["text, object"].append(text_size(made))
        for kind, library in (("shared", shared), ("static", static)):
            program = folder / "example"
            linked = [library, "-Wl,--gc-sections"] if flags else []
            run(wrapper(), made, *linked, "-o", program)
            rows[f"linked, {kind}"].append(text_size(program))
    print("\nthe allgatherv example; text in bytes\n")
    print(f"{'':16}{'plain MPI':>10}{'headers only':>18}{'compiled part':>18}")
    for name, (plain, *forms) in rows.items():
        digits = 3 if "CPU" in name else 0
        shown = "".join(f"{form:>10.{digits}f} {form / plain:5.2f}x " for form in forms)
        print(f"{name:16}{plain:>10.{digits}f} {shown}")
    sizes = {one.stem.removeprefix("runtime_"): text_size(one) for one in runtime}
    parts = ", ".join(f"{name} {size}" for name, size in sizes.items())
    print(
        f"\nthe library itself: {text_size(shared)} shared; objects {sum(sizes.values())} ({parts})"
    )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O3 -DNDEBUG")
    parser.add_argument("--compiled", action="store_true", help="count with the compiled part")
    parser.add_argument("--plot", action="store_true")
    options = parser.parse_args()
    compile_cpp = [options.compiler, *shlex.split(options.flags), *includes()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runtime = compile_runtime(compile_cpp, folder)
        form = "with the compiled part" if options.compiled else "headers only"
        print(f"{options.compiler} {options.flags}, {form}: instructions (allocations) per call\n")
        linked = runtime if options.compiled else []
        found = {
            "compiler": f"{options.compiler} {options.flags}, {form}",
            "calls": show_calls("calls", compile_cpp, linked, folder),
            "accesses": show_calls("calls_core", compile_cpp, linked, folder),
            "example": show_example(compile_cpp, runtime, folder),
        }
    if options.plot:
        figure = picture.FIGURES / "overhead.json"
        figure.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        picture.draw()


if __name__ == "__main__":
    main()
