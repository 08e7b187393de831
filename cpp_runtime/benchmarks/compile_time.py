#!/usr/bin/env python3
"""What programs with named parameters cost to compile, beside the same in plain MPI.

    cpp_runtime/benchmarks/compile_time.py [--compiler g++] [--flags "-O3 -DNDEBUG"] [--times 9]

User CPU of the fastest of several runs, taken in turns: the ratio holds on a busy machine, too.
The programs: the allgatherv example, sample sort and breadth-first search (examples/table1), and
what each further allgatherv of another type costs.
"""

from __future__ import annotations

import argparse
import shlex
import tempfile
from pathlib import Path

from counting import COMPILED, HERE, includes
from overhead import cpu_seconds

TABLE1 = HERE.parent / "examples" / "table1"
TYPES = 16
PLAIN = """template <class T>
std::vector<T> everybody(const std::vector<T>& mine, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  const int n = static_cast<int>(mine.size() * sizeof(T));
  std::vector<int> counts(static_cast<std::size_t>(size)), displs(static_cast<std::size_t>(size));
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm);
  std::exclusive_scan(counts.begin(), counts.end(), displs.begin(), 0);
  std::vector<T> all(static_cast<std::size_t>(counts.back() + displs.back()) / sizeof(T));
  MPI_Allgatherv(mine.data(), n, MPI_BYTE, all.data(), counts.data(), displs.data(), MPI_BYTE,
                 comm);
  return all;
}
"""
NAMED = """template <class T>
std::vector<T> everybody(const std::vector<T>& mine, const mpiglot::communicator& comm) {
  return comm.allgatherv(mpiglot::send_buf(mine));
}
"""


def many(form: str, types: int) -> str:
    """A program that gathers vectors of so many types."""
    lines = [
        "#include <mpi.h>\n#include <numeric>\n#include <vector>\n" + PLAIN
        if form == "plain"
        else "#include <mpiglot/communicator.hpp>\n" + NAMED
    ]
    comm = "MPI_Comm" if form == "plain" else "const mpiglot::communicator&"
    for i in range(1, types + 1):
        lines.append(f"struct type{i} {{ double values[{i}]; }};")
        lines.append(
            f"std::vector<type{i}> gather{i}(const std::vector<type{i}>& mine, {comm} comm)"
            " { return everybody(mine, comm); }"
        )
    return "\n".join(lines) + "\n"


def measure(commands: dict[str, list[str]], times: int) -> dict[str, float]:
    """The fastest of several runs of each command, which take turns."""
    best = dict.fromkeys(commands, float("inf"))
    for _ in range(times):
        for name, command in commands.items():
            best[name] = min(best[name], cpu_seconds(*command, times=1))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--flags", default="-O3 -DNDEBUG")
    parser.add_argument("--times", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        begin = [options.compiler, *shlex.split(options.flags), *includes(), "-c"]
        end = ["-o", str(folder / "made.o")]
        commands: dict[str, list[str]] = {}
        for form, flags in (("plain", []), ("mpiglot", [COMPILED])):
            example = HERE / f"allgatherv_{'plain' if form == 'plain' else 'named'}.cpp"
            programs = f'-DPROGRAMS="{form}.hpp"'
            check = [programs, f"-I{TABLE1}", str(TABLE1 / "check.cpp")]
            commands[f"{form} allgatherv"] = [*begin, *flags, str(example), *end]
            commands[f"{form} sort and search"] = [*begin, *flags, *check, *end]
            for types in (1, TYPES):
                source = folder / f"{form}{types}.cpp"
                source.write_text(many(form, types), encoding="utf-8")
                commands[f"{form} {types} types"] = [*begin, *flags, str(source), *end]
        best = measure(commands, options.times)
    print(f"{options.compiler} {options.flags}, with the compiled part: user CPU in seconds\n")
    print(f"{'':18}{'plain MPI':>10}{'mpiglot':>10}{'ratio':>8}")
    for key in ("allgatherv", "sort and search", "1 types", f"{TYPES} types"):
        plain, named = best[f"plain {key}"], best[f"mpiglot {key}"]
        print(f"{key:18}{plain:>10.3f}{named:>10.3f}{named / plain:>7.2f}x")
    further = {
        form: (best[f"{form} {TYPES} types"] - best[f"{form} 1 types"]) / (TYPES - 1)
        for form in ("plain", "mpiglot")
    }
    ratio = further["mpiglot"] / further["plain"]
    print(
        f"{'a further type':18}{further['plain']:>10.3f}{further['mpiglot']:>10.3f}{ratio:>7.2f}x"
    )


if __name__ == "__main__":
    main()
