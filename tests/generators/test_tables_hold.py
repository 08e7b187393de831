"""The tables by which Go and Java know the libraries, held against each library's own header.

Neither has a header to assert anything with when it is built, so it is done here: a C program for
each MPI compares every size, offset and constant that the generated files have for it. The files
have every constant, and one that is not the same everywhere is translated where it is passed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from mpiglot.generators.inputs import blueprint
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation, locate
from tests.limits import guard

ROOT = Path(__file__).parents[2]
JAVA = ROOT / "generated/java/src/main/resources/dev/mpiglot/low/libraries"
GO = ROOT / "go_runtime/low/tables.go"
HEAD = r"""
#define _GNU_SOURCE
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

static int wrong, compared;

static void same(const char *what, uint64_t here, uint64_t there, size_t size) {
  uint64_t mask = size < 8 ? (UINT64_C(1) << 8 * size) - 1 : UINT64_MAX;
  compared++;
  if ((here & mask) == (there & mask)) return;
  wrong = 1;
  printf("%s is %#llx, not %#llx\n", what, (unsigned long long)here, (unsigned long long)there);
}

#define WORD(x) ((uint64_t)(intptr_t)(x))
#define ADDRESS(name) WORD(dlsym(RTLD_DEFAULT, #name))
#define CONSTANT(x, there) same(#x, WORD(x), (uint64_t)(there), sizeof(x))
"""

Table = dict[str, str]  # "MPI_ANY_SOURCE" or "sizeof MPI_Comm" -> a number, &symbol, or *symbol


def _rows_of_go() -> str:
    """The tables of Go, each row on one line."""
    return re.sub(r",\n\t\t", ", ", GO.read_text(encoding="utf-8"))


def java_table(library: str) -> Table:
    out: Table = {}
    for line in (JAVA / f"{library}.txt").read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        name, _, value = rest.partition(" ")
        if kind == "constant":
            out[name] = value
        elif kind == "size" and not name.startswith("macro."):
            structure, _, field = name.partition(".")
            at_field = f"offsetof {structure} {field}"
            out[f"sizeof {structure}" if field in ("", "size") else at_field] = value
    return out


def go_tables() -> dict[str, Table]:
    """By library."""
    text = _rows_of_go()
    row = r'^\t\{name: "([^"]+)".*statusSize: (\d+), source: (\d+), tag: (\d+), err: (\d+)'
    rows = re.findall(row, text, re.MULTILINE)
    tables: dict[str, Table] = {}
    for name, size, *offsets in rows:
        fields = zip(("MPI_SOURCE", "MPI_TAG", "MPI_ERROR"), offsets, strict=True)
        tables[name] = {f"offsetof MPI_Status {f}": at for f, at in fields}
        tables[name]["sizeof MPI_Status"] = size
    by_bit = {1 << i: name for i, name in enumerate(tables)}

    def put(constant: str, mask: str, value: str) -> None:
        for bit, name in by_bit.items():
            if int(mask, 0) & bit:
                assert constant not in tables[name], f"{constant} is twice there for {name}"
                tables[name][constant] = value

    for constant, natives in re.findall(r'^\t\{"(\w+)", -?\d+, \[\]native\{(.*)\}\},$', text, re.M):
        for value, mask in re.findall(r"\{(-?\d+), (0x\w+)\}", natives):
            put(constant, mask, value)
    for constant, words in re.findall(r'^\t\{"(\w+)", .*\[\]word\{(.*)\}\},$', text, re.M):
        for mask, value in re.findall(r"\{mask: (0x\w+), value: (0x\w+)\}", words):
            put(constant, mask, value)
        for mask, symbol, load in re.findall(
            r'\{mask: (0x\w+), symbol: "(\w+)"(, load: true)?\}', words
        ):
            put(constant, mask, ("*" if load else "&") + symbol)
    return tables


def program(table: Table) -> str:
    lines = []
    for name, value in sorted(table.items()):
        kind, _, rest = name.partition(" ")
        if kind == "sizeof":
            lines.append(f'same("{name}", sizeof({rest}), {value}, 8);')
        elif kind == "offsetof":
            at = f"offsetof({', '.join(rest.split())})"
            lines.append(f'same("{name}", {at}, {value}, 8);')
        elif value[0] in "&*":
            address = f"ADDRESS({value[1:]})"
            there = address if value[0] == "&" else f"*(uint64_t *){address}"
            lines.append(f"CONSTANT({name}, {there});")
        else:
            lines.append(f"CONSTANT({name}, {value}LL);")
    body = "\n  ".join([*lines, r'printf("compared %d\n", compared);', "return wrong;"])
    return f"{HEAD}\nint main(void) {{\n  {body}\n}}\n"


NO_LIBRARIES = {"index", "families"}  # what lies beside the tables
LIBRARIES = [path.stem for path in sorted(JAVA.glob("*.txt")) if path.stem not in NO_LIBRARIES]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_size_offset_and_constant_is_that_of_the_header(library: str, tmp_path: Path) -> None:
    installation = locate(matrix().get(library))
    if installation is None:
        pytest.skip(f"{library} is not installed")
    for language, table in (("java", java_table(library)), ("go", go_tables()[library])):
        assert len(table) > 250, language
        said = _run(installation, program(table), tmp_path / language)
        assert said.stdout.split()[-2:] == ["compared", str(len(table))], said.stdout + said.stderr
        assert said.returncode == 0, f"{language}: {said.stdout}"


def test_both_languages_know_the_same_libraries() -> None:
    assert sorted(go_tables()) == sorted(LIBRARIES)


def test_variables_of_go_get_the_handle_that_they_are_named_after() -> None:
    text = (ROOT / "go_runtime/low/handles.go").read_text("utf-8")
    said = re.findall(r"^\t// (\w+) is (MPIX?_[A-Z0-9_]+)\.\n\t\1 (\w+)$", text, re.M)
    types = {variable: (constant, kind) for variable, constant, kind in said}
    row = r'^\t\{"(\w+)", handle\(&(\w+)\), (?:handle\(&(\w+)\)|nil), '
    rows = re.findall(row, _rows_of_go(), re.M)
    assert len(rows) > 100
    assert {variable for _, variable, _ in rows} == types.keys()
    for constant, variable, null in rows:
        assert types[variable][0] == constant
        if null:
            assert types[null][0].endswith("_NULL"), constant
            assert types[null][1] == types[variable][1], constant


def test_sentinels_of_go_have_the_numbers_that_its_c_half_knows() -> None:
    text = (ROOT / "go_runtime/low/constants.h").read_text("utf-8")
    known = dict(re.findall(r"^  MPG_(\w+) = (\d+),$", text, re.M))
    rows = re.findall(r'^\t\{"MPI_(\w+)", (\d+), \[\]word', _rows_of_go(), re.M)
    named = [(name, number) for name, number in rows if name in known]
    assert len(named) >= 9
    assert all(known[name] == number for name, number in named)


# Limits, versions and Fortran's numbers are told to programs; nobody passes them to a call.
TOLD = re.compile(r"MPI_(MAX_|F_|VERSION|SUBVERSION|BSEND_OVERHEAD|ERR_LASTCODE)")
JAVA_SETS = ROOT / "generated/java/src/main/java/dev/mpiglot/low/Sets.java"
JAVA_NUMBERS = ROOT / "generated/java/src/main/java/dev/mpiglot/low/MpiConstants.java"
GO_NUMBERS = ROOT / "go_runtime/low/constants.go"
GO_SETS = ROOT / "go_runtime/low/sets.go"


def numbers() -> dict[str, dict[str, int]]:
    """The integers with a name as programs see them, by the file that has them."""
    table = re.findall(r'^\t\{"(\w+)", (-?\d+), \[\]native', _rows_of_go(), re.M)
    text = GO_NUMBERS.read_text("utf-8")
    go = re.findall(r"^\t// \w+ is (MPIX?_\w+)\.\n\t\w+(?: \w+)? = (-?\d+)$", text, re.M)
    java = re.findall(
        r"\{@code (\w+)\}[^*]*\*/\n    public static final (?:int|long) \w+ = (-?\d+)L?;",
        JAVA_NUMBERS.read_text("utf-8"),
    )
    found = {"Go's table": table, "constants.go": go, "Mpi.java": java}
    return {file: {name: int(value) for name, value in pairs} for file, pairs in found.items()}


def test_integers_are_those_of_the_libraries_of_the_abi() -> None:
    forum = json.loads((ROOT / "tests/data/forum_abi.json").read_text("utf-8"))["constants"]
    tables = go_tables()
    of_abi = [tables[name] for name in LIBRARIES if name.endswith("-abi")]
    known = numbers()
    for file, values in known.items():
        compared = 0
        for name, value in values.items():
            there = {int(table[name]) for table in of_abi if name in table}
            if there and not TOLD.match(name):
                expected = {forum[name]} if name in forum else there
                assert expected == {value}, f"{name} in {file}"
                compared += 1
            assert value == known["Go's table"].get(name, value), f"{name} in {file}"
        assert compared > 200, file


@pytest.mark.parametrize("library", LIBRARIES)
def test_all_constants_of_a_header_are_in_the_tables(library: str) -> None:
    """But texts (how C prints an address), types, and in Go Fortran's statuses and functions."""
    constants = [c for c in blueprint(library).blueprint.constants if c.links]
    everywhere = {c.name for c in constants if c.cls in ("integer", "handle")}
    sentinels = {c.name for c in constants if c.cls == "sentinel"}
    functions = {c.name for c in constants if c.cls == "function"}
    assert everywhere | sentinels | functions <= java_table(library).keys()
    fortran = {name for name in sentinels if name.startswith(("MPI_F_", "MPI_F08_"))}
    assert everywhere | sentinels - fortran <= go_tables()[library].keys()
    assert everywhere


def test_integers_that_differ_are_translated() -> None:
    rows = numbers()["Go's table"]
    names = list(rows)
    indices = re.findall(r"integers\[(\d+)\]", GO_SETS.read_text("utf-8"))
    named = re.findall(r'"(\w+)", (?:\(int\) )?MpiConstants\.', JAVA_SETS.read_text("utf-8"))
    tables = go_tables().values()
    for language, translated in (("go", {names[int(i)] for i in indices}), ("java", set(named))):
        for name, number in rows.items():
            values = {int(table[name]) for table in tables if name in table}
            if values != {number} and not TOLD.match(name):
                assert name in translated, language


def _run(installation: Installation, text: str, to: Path) -> subprocess.CompletedProcess[str]:
    environment = of_installation(installation, ci=True).applied(os.environ)
    source = to.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    built = subprocess.run(
        [installation.cc, "-w", source, "-o", to, "-ldl"],
        capture_output=True, text=True, timeout=guard(100), check=False, env=environment,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return subprocess.run(
        [to], capture_output=True, text=True, timeout=guard(60), check=False, env=environment
    )
