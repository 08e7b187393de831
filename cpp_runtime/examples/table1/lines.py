#!/usr/bin/env python3
"""How many lines the programs of the KaMPIng paper take, by the rule of its authors.

    cpp_runtime/examples/table1/lines.py [--check]

Counted is what stands between `// count: NAME` and `// end`, formatted by clang-format in Google's
style; blank lines and lines of comment do not count. The files are kept in that format. --check
fails if mpiglot's programs have grown, or a file is not formatted as clang-format does it.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ALGORITHMS = HERE.parent / "algorithms"
PROGRAMS = ("vector allgather", "sample sort", "BFS")
BINDINGS = {"plain MPI": "plain.hpp", "Boost.MPI": "boost.hpp", "mpiglot": "mpiglot.hpp"}
AT_MOST = {"vector allgather": 1, "sample sort": 14, "BFS": 20}
# Table I of the KaMPIng paper (SC24), counted by the same rule in its authors' programs.
PUBLISHED = {
    "plain MPI": (14, 32, 46),
    "Boost.MPI": (5, 30, 42),
    "KaMPIng": (1, 16, 22),
}
# Its larger programs, in ../algorithms: what counts of a file, at most how much, and what the
# authors count of theirs.
LARGER = {
    "prefix doubling": ("suffix_array.hpp", ("places", "prefix doubling"), 120, 163),
    "DC3": ("suffix_array.hpp", ("places", "DC3"), 350, 1264),
    "label propagation": ("searches.hpp", ("label propagation",), 100, 106),
}


def counted(text: str) -> dict[str, int]:
    """The lines of each counted program in a file."""
    lines: dict[str, int] = {}
    current: str | None = None
    for line in map(str.strip, text.splitlines()):
        if line.startswith("// count: "):
            current = line.removeprefix("// count: ")
            lines[current] = 0
        elif line == "// end":
            current = None
        elif current is not None and line and not line.startswith("//"):
            lines[current] += 1
    return lines


def clang_format() -> str | None:
    """The one beside this Python (ci/requirements.lock), or the system's."""
    beside = shutil.which("clang-format", path=str(Path(sys.executable).parent))
    return beside or shutil.which("clang-format-19") or shutil.which("clang-format")


def unformatted(file: Path, tool: str) -> bool:
    done = subprocess.run(
        [tool, "--style=Google", str(file)], capture_output=True, text=True, timeout=60, check=True
    )
    return done.stdout != file.read_text()


def table() -> dict[str, tuple[int, ...]]:
    rows: dict[str, tuple[int, ...]] = {}
    for binding, name in BINDINGS.items():
        found = counted((HERE / name).read_text())
        rows[binding] = tuple(found[program] for program in PROGRAMS)
    return rows


def larger() -> dict[str, int]:
    """How many lines each larger program takes."""
    lines: dict[str, int] = {}
    for program, (name, pieces, _, _) in LARGER.items():
        found = counted((ALGORITHMS / name).read_text())
        lines[program] = sum(found[piece] for piece in pieces)
    return lines


def complaints() -> list[str]:
    found: list[str] = []
    for program, count in larger().items():
        if count > LARGER[program][2]:
            found.append(f"{program}: {count} lines, at most {LARGER[program][2]}")
    for program, lines in zip(PROGRAMS, table()["mpiglot"], strict=True):
        if lines > AT_MOST[program]:
            found.append(f"{program}: {lines} lines, at most {AT_MOST[program]}")
    tool = clang_format()
    if tool is None:
        return [*found, "clang-format is missing: pip install clang-format"]
    files = [HERE / name for name in BINDINGS.values()]
    files += [ALGORITHMS / name for name in sorted({name for name, *_ in LARGER.values()})]
    return found + [
        f"{file.name}: not in the style of Google" for file in files if unformatted(file, tool)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    if options.check:
        found = complaints()
        if found:
            raise SystemExit("\n".join(found))
        return
    print(f"{'lines':24}" + "".join(f"{program:>18}" for program in PROGRAMS))
    for binding, row in table().items():
        print(f"{binding:24}" + "".join(f"{lines:>18}" for lines in row))
    for binding, row in PUBLISHED.items():
        print(f"{binding + ' (paper)':24}" + "".join(f"{lines:>18}" for lines in row))
    for program, count in larger().items():
        print(f"{program:24}{count:>18}{LARGER[program][3]:>18} (paper)")


if __name__ == "__main__":
    main()
