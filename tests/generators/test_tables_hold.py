"""The tables by which Go and Java know the libraries, held against each library's own header.

Neither has a header to assert anything with when it is built, so it is done here: a C program for
each MPI compares every size, offset and constant that the generated files have for it.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from mpiglot.ci.environment import of_installation
from mpiglot.ci.matrix import matrix
from mpiglot.ci.obtain import Installation, locate

ROOT = Path(__file__).parents[2]
JAVA = ROOT / "generated/java/src/main/resources/dev/mpiglot/low/libraries"
GO = ROOT / "generated/go/tables.go"
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
    text = GO.read_text(encoding="utf-8")
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


LIBRARIES = [path.stem for path in sorted(JAVA.glob("*.txt")) if path.stem != "index"]


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


def _run(installation: Installation, text: str, to: Path) -> subprocess.CompletedProcess[str]:
    environment = of_installation(installation, ci=True).applied(os.environ)
    source = to.with_suffix(".c")
    source.write_text(text, encoding="utf-8")
    built = subprocess.run(
        [installation.cc, "-w", source, "-o", to, "-ldl"],
        capture_output=True, text=True, timeout=100, check=False, env=environment,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    return subprocess.run(
        [to], capture_output=True, text=True, timeout=60, check=False, env=environment
    )
