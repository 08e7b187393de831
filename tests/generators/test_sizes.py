"""A language is its templates and little else: lines of Python, and length of generated lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# Lines of Python for each language. A limit goes down when a language gets smaller, never up: what
# every language needs belongs into the plan (generators/facts.py), the language's text into its
# templates. A new chapter of Java's upper package may raise its limit: 690 has the collective
# operations, whose counts, places and roots point-to-point operations do not have, and what
# groups, communicators and hints are asked; the rest up to 740 has persistent collective
# operations and those among neighbours; up to 830 accesses to windows, whose buffers have another
# end elsewhere; up to 890 reads and writes of files, which tell how much they moved; up to 937 the
# table of exceptions, and interfaces for chapters. Java has up to 1800 with the limits of texts
# that libraries cut. C++ has up to 1034 with what headers declare in their own way: sentinels,
# callback types, linkage.
PYTHON = {"cpp": 1034, "go": 1610, "java": 1800, "java/upper": 937}


@pytest.mark.parametrize("language", PYTHON)
def test_a_language_has_no_more_python_than_before(language: str) -> None:
    files = sorted((ROOT / "generators" / language).glob("*.py"))
    assert len(files) > 1
    lines = sum(len(f.read_text(encoding="utf-8").splitlines()) for f in files)
    assert lines <= PYTHON[language]


def test_statements_of_generated_chapters_in_cpp_fit_the_width() -> None:
    chapters = [
        f
        for tree in sorted((ROOT / "generated/cpp").iterdir())
        for f in sorted((tree / "mpiglot/mpi").rglob("*.hpp"))
        if "// Layer 1: one call of MPI each" in f.read_text(encoding="utf-8")
        or f.parent.name == "calls"
        or f.name == "callbacks.hpp"
    ]
    assert len(chapters) > 50
    long = {
        f"{f.name}:{number}"
        for f in chapters
        for number, line in enumerate(f.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 100
    }
    assert long == set()


def _generated_go() -> list[Path]:
    files = sorted(
        f for f in (ROOT / "go_runtime/low").iterdir() if f.suffix in (".go", ".h", ".c")
    )
    return [f for f in files if "DO NOT EDIT" in f.read_text(encoding="utf-8")[:200]]


def test_no_line_of_generated_go_and_its_c_is_longer_than_160() -> None:
    files = _generated_go()
    assert len(files) > 60
    long = {
        f"{f.name}:{number}"
        for f in files
        for number, line in enumerate(f.read_text(encoding="utf-8").splitlines(), 1)
        if len(line.expandtabs(4)) > 160
    }
    assert long == set()


def test_no_function_of_generated_go_and_its_c_is_longer_than_60_lines() -> None:
    function = re.compile(r"^(?:func |(?:static )?[\w ]+[ *]\w+\()[^;{]*\{$.*?^\}", re.M | re.S)
    found = [(f, m) for f in _generated_go() for m in function.finditer(f.read_text("utf-8"))]
    assert len(found) > 1000
    assert {f"{f.name}: {m[0][:60]}" for f, m in found if m[0].count("\n") >= 60} == set()


def test_generated_java_of_the_upper_package_reads_as_written() -> None:
    files = sorted((ROOT / "generated/java/src/upper").rglob("*.java"))
    assert len(files) > 2
    method = re.compile(r"^    (?:public|default) [^;{]*\{$.*?^    \}", re.M | re.S)
    for f in files:
        text = f.read_text(encoding="utf-8")
        assert max(map(len, text.splitlines())) <= 120, f.name
        found = method.findall(text)
        assert found and max(m.count("\n") for m in found) < 60, f.name


def test_no_line_of_generated_java_is_longer_than_160() -> None:
    files = sorted((ROOT / "generated/java").rglob("*.java"))
    assert len(files) > 100
    long = {
        f"{f.name}:{number}"
        for f in files
        for number, line in enumerate(f.read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > 160
    }
    assert long == set()
