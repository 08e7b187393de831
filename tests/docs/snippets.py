"""Turns the C++ snippets of pages into one program that runs them all.

    python3 snippets.py OUT.cpp PAGE...

A block fenced as `cpp` is the body of a function: it sees `comm`, a communicator of all ranks, and
everything that blocks marked `<!-- snippet: scope -->` define (types, functions). Each body is run
by every rank, and what it says with `assert` is checked. Blocks of other languages, `c++` among
them, are not looked at: that is what shows other libraries.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"^(?P<mark><!-- snippet: (?P<kind>\w+) -->\n)?```cpp\n(?P<text>.*?)^```$", re.M | re.S
)
HEADERS = """\
#undef NDEBUG
#include <cassert>
#include <cstdio>
#include <mpiglot/communicator.hpp>
#include <mpiglot/environment.hpp>
"""


@dataclass(frozen=True)
class Snippet:
    """A block of a page: where its text starts, and whether it is a body or definitions."""

    line: int
    kind: str
    text: str


def snippets(page: str) -> list[Snippet]:
    found = []
    for match in BLOCK.finditer(page):
        line = page.count("\n", 0, match.start("text")) + 1
        found.append(Snippet(line, match["kind"] or "body", match["text"]))
    return found


def program(pages: Mapping[str, str]) -> str:
    """The program for pages: their texts by their file names."""
    includes: dict[str, None] = {}
    parts: list[str] = []
    bodies: list[str] = []
    for name, page in pages.items():
        for snippet in snippets(page):
            lines = snippet.text.splitlines()
            for number, text in enumerate(lines):
                if text.startswith("#include"):
                    includes[text] = None
                    lines[number] = ""
            text = f'#line {snippet.line} "{name}"\n' + "\n".join(lines) + "\n"
            if snippet.kind == "scope":
                parts.append(text)
            else:
                bodies.append(f"snippet_{len(bodies) + 1}")
                head = f"static void {bodies[-1]}([[maybe_unused]] const communicator& comm) {{\n"
                parts.append(head + text + "}\n")
    calls = "".join(f"  {body}(comm);\n  comm.barrier();\n" for body in bodies)
    return (
        HEADERS
        + "".join(f"{line}\n" for line in includes)
        + "\nusing namespace mpiglot;\n\n"
        + "\n".join(parts)
        + "\nint main(int argc, char** argv) {\n"
        + "  const environment environment(argc, argv);\n  const communicator comm;\n"
        + calls
        + f'  if (comm.rank() == 0) std::printf("{len(bodies)} snippets ran\\n");\n}}\n'
    )


def main() -> None:
    out, *pages = map(Path, sys.argv[1:])
    text = program({str(page): page.read_text(encoding="utf-8") for page in pages})
    if not out.exists() or out.read_text(encoding="utf-8") != text:
        out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
