#!/usr/bin/env python3
r"""What named parameters cost above plain C: instructions, allocations, compile time, text size.

    cpp_runtime/benchmarks/overhead.py [--compiler g++] [--flags "-O3 -DNDEBUG"] [--checks light] \
        [--compiled] [--plot]

Instructions are counted by counting.py, without checks or at the default level; with --compiled,
in programs that link the compiled part of the runtime. Compile time is user CPU, the best of a few
runs of the two allgatherv examples; it and the text size are shown for both forms of the runtime,
headers only and with the compiled part.
The declarations are MPICH's (`mpicxx.mpich` or MPIGLOT_MPICXX). --plot writes what was found to
docs/figures/overhead.json and draws overhead.svg.
"""

from __future__ import annotations

import argparse
import json
import resource
import shlex
import tempfile
from pathlib import Path

import picture
from counting import (
    CHECKS,
    COMPILED,
    HERE,
    ROOT,
    count_calls,
    goals,
    includes,
    limits,
    run,
    wrapper,
)

# The calls of the picture.
DRAWN = (
    "send",
    "recv",
    "isend",
    "irecv",
    "recv_by_value",
    "bcast",
    "gather",
    "allreduce",
    "alltoall",
    "allgatherv",
    "allgatherv_inferred",
)
DRAWN_ACCESSES = (
    "put",
    "get",
    "accumulate",
    "fetch_and_op",
    "compare_and_swap",
    "write_at",
    "read_at",
)


def cpu_seconds(*command: str | Path, times: int = 5) -> float:
    """User CPU of the fastest of several runs."""
    best = float("inf")
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        run(*command)
        best = min(best, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    return best


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
    compile_cpp: list[str], runtime: list[Path], folder: Path, checks: str
) -> dict[str, dict[str, str | float]]:
    """Instructions and allocations of each call, by its name."""
    optimised = next((flag for flag in reversed(compile_cpp) if flag.startswith("-O")), "-O0")
    held, wanted = limits(compile_cpp[0], optimised, checks), goals(checks)
    calls: dict[str, dict[str, str | float]] = {}
    print(f"{'call':28} {'plain C':>12} {'mpiglot':>12} {'above':>7} {'at most':>8} {'goal':>6}")
    for one in count_calls([*compile_cpp, *CHECKS[checks]], runtime, folder):
        plain, named = (
            f"{count} ({made})"
            for count, made in (
                (one.plain, one.plain_allocations),
                (one.named, one.named_allocations),
            )
        )
        limit = held.get(one.name)
        shown = "" if limit is None else f"{limit:+}"
        goal = wanted.get(one.name, "")
        print(f"{one.name:28} {plain:>12} {named:>12} {one.above:>+7} {shown:>8} {goal:>6}")
        calls[one.name] = {
            "name": one.name,
            "plain": one.plain,
            "named": one.named,
            "plain_allocations": one.plain_allocations,
            "named_allocations": one.named_allocations,
            "limit": one.above if limit is None else limit,
        }
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
    parser.add_argument("--checks", choices=CHECKS, default="off")
    parser.add_argument("--compiled", action="store_true", help="count with the compiled part")
    parser.add_argument("--plot", action="store_true")
    options = parser.parse_args()
    compile_cpp = [options.compiler, *shlex.split(options.flags), *includes()]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runtime = compile_runtime(compile_cpp, folder)
        form = "with the compiled part" if options.compiled else "headers only"
        form += f", checks {options.checks}"
        print(f"{options.compiler} {options.flags}, {form}: instructions (allocations) per call\n")
        linked = runtime if options.compiled else []
        calls = show_calls(compile_cpp, linked, folder, options.checks)
        found = {
            "compiler": f"{options.compiler} {options.flags}, {form}",
            "calls": [calls[name] for name in DRAWN],
            "accesses": [calls[name] for name in DRAWN_ACCESSES],
            "example": show_example(compile_cpp, runtime, folder),
        }
    if options.plot:
        figure = picture.FIGURES / "overhead.json"
        figure.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        picture.draw()


if __name__ == "__main__":
    main()
