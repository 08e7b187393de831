"""Writes docs/errors.md: what the compiler says about each mistake of the compile-fail tests.

    .venv/bin/python tests/docs/errors.py

The mistakes are those of tests/cpp_runtime/mistakes/mistakes.cpp, which CTest compiles; this page
shows the whole message of g++ for each, with the paths shortened.
"""

from __future__ import annotations

import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "tests/cpp_runtime/mistakes/mistakes.cpp"
PAGE = ROOT / "docs/errors.md"
CASE = re.compile(
    r"^#(?:el)?if MISTAKE == (\d+)  // ([^\n]*)\n(.*?)(?=^#(?:elif|endif))", re.M | re.S
)


@dataclass(frozen=True)
class Mistake:
    """A wrong call, and the words that its message must have."""

    number: int
    words: str
    code: str


def mistakes() -> list[Mistake]:
    found = CASE.findall(SOURCE.read_text(encoding="utf-8"))
    return [
        Mistake(int(number), words, "\n".join(line[2:] for line in code.rstrip().splitlines()))
        for number, words, code in found
        if number != "0"
    ]


def message(mistake: Mistake) -> str:
    """All that g++ says, on a machine with Debian's MPICH."""
    shown = subprocess.run(
        ["mpicxx.mpich", "-show"], capture_output=True, text=True, timeout=60, check=True
    )
    includes = [word for word in shlex.split(shown.stdout) if word.startswith("-I")]
    layer = f"-I{ROOT / 'generated/cpp/mpich-4.0.2'}"
    runtime = f"-I{ROOT / 'cpp_runtime/include'}"
    command = ["g++", "-std=c++20", "-fsyntax-only", f"-DMISTAKE={mistake.number}", str(SOURCE)]
    done = subprocess.run(
        [*command, *includes, layer, runtime],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    text = done.stderr.replace(f"{ROOT}/cpp_runtime/include/", "").replace(f"{SOURCE}", "app.cpp")
    return text.replace(f"{SOURCE.parent}/", "").rstrip()


def page() -> str:
    lines = [
        "# Compiler errors",
        "",
        "<!-- Made by tests/docs/errors.py from the compile-fail tests. DO NOT EDIT. -->",
        "",
        "A mistake in a call is one error of at most ten lines. What is wrong, with which",
        "parameter of which operation, is the name in the last note:",
        "`wrong::...<keys::..., operations::...>`. These are the compile-fail tests with all that",
        "g++ 12 says; clang says the same words.",
        "",
    ]
    for mistake in mistakes():
        name = mistake.words.split("<")[0].replace("_", " ")
        lines += [f"## {name}", "", "```c++", mistake.code, "```", ""]
        lines += ["```text", message(mistake), "```", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
