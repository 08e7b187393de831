"""The program that calls every function of the C++ layer with a library in front of MPI (echo.py).

    python -m tests.conformance.echo_cpp write mpich-4.0.2 BLUEPRINT GENERATED FOLDER    # its calls
    python -m tests.conformance.echo_cpp run mpich-4.0.2 PROGRAM FOLDER

The calls are written from the headers as they stand, the table of what C must see is echo.py's.
What cannot be called is in no_calls.json; the program fails if it called something of that list, or
did not call something else that this MPI has.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.cli import run as run_command
from mpiglot.generators.c_types import base_type
from mpiglot.generators.cpp.names import SCALARS, identifier
from mpiglot.generators.cpp.target import look_up
from mpiglot.generators.inputs import Inputs, blueprint
from mpiglot.generators.java.names import thing
from mpiglot.generators.model import PlannedFunction
from tests.conformance.echo import Row, Written, launched, rows

HERE = Path(__file__).parent
_HEAD = re.compile(
    r"^(?:template <(?P<template>[^\n]*)>\n)?inline (?P<returns>[^\n]*?) (?P<name>\w+)\("
    r"(?P<parameters>[^;{}]*(?:\{\}[^;{}]*)*)\) noexcept \{\n(?P<body>.*?)^\}",
    re.M | re.S,
)
_RECORD = re.compile(r"^struct (?P<name>\w+_result) \{\n(?P<fields>.*?)^\};", re.M | re.S)
_NUMBERS = frozenset({"int", "count_t", "aint_t", "offset_t", "fint_t", "double"})
_PIECES = 4
_EXPECTED = "expected"


class Cpp:
    """The functions of namespace mpiglot::mpi, as generated for one MPI."""

    def __init__(self, inputs: Inputs, target: str, generated: Path) -> None:
        self.target = look_up(inputs.atlas, inputs.plan, target)
        self.headers = generated / "mpiglot" / "mpi"
        self.enums = {identifier(name) for name in self.target.enums}
        self.letters = {
            thing(t.name): "i" if r.size == 4 else "l"
            for t in inputs.atlas.types
            for r in t.representations
            if t.handle and r.target == target
        }
        self.bodies: dict[int, str] = {}  # of what was written, in its order
        self.records: dict[str, list[str]] = {}

    def written(self) -> Iterator[Written]:
        names = {cpp: c for c, cpp in self.target.function_names.items()}
        for path in sorted(self.headers.glob("*.hpp")):
            text = path.read_text(encoding="utf-8")
            _, found, after = text.partition("namespace nothrow {\n")
            if not found or "// Layer 2:" not in after:
                continue
            for record in _RECORD.finditer(text):
                fields = re.findall(r"(\w+);", record["fields"])
                self.records[record["name"]] = fields
            inside = after.partition("}  // namespace nothrow")[0]
            if len(_HEAD.findall(inside)) != inside.count("\ninline "):
                raise MpiglotError(f"{path} has functions that are not read")
            for one in _HEAD.finditer(inside):
                self.bodies[len(self.bodies)] = one["body"]
                kind = one["returns"].strip()
                pairs = [_pair(p) for p in _split(one["parameters"])]
                yield Written(path.stem, one["name"], names[one["name"]], [(kind, "")], pairs)

    def spelled(self, f: PlannedFunction, c_name: str) -> str:
        return identifier(c_name)

    def is_number(self, kind: str) -> bool:
        return kind in _NUMBERS or kind.removeprefix("mpi::") in self.enums

    def is_array(self, kind: str) -> bool:
        return kind.startswith(("span<", "statuses_out"))

    def is_wide(self, kind: str, c_type: str) -> bool:
        element = re.fullmatch(r"span<(?:const )?(\w+_t)>", kind)
        return element is not None and element[1] != SCALARS.get(base_type(c_type))

    def result(self, method: Written, f: PlannedFunction, c_name: str, only: bool) -> str:
        return "-" if only else identifier(c_name)

    def flag(self, method: Written, f: PlannedFunction, c_name: str) -> str:
        return "flag"

    def called(self, names: str) -> str:
        """Those of C's names that this MPI has as functions."""
        known = [n for n in names.split(",") if self.target.has_function(n)]
        return ",".join(known) or "-"


def _split(parameters: str) -> list[str]:
    """A list of parameters, which have commas within <> only."""
    out, depth = [""], 0
    for c in parameters:
        depth += (c == "<") - (c == ">")
        if c == "," and not depth:
            out.append("")
        else:
            out[-1] += c
    return [" ".join(p.split()) for p in out if p.strip()]


def _pair(parameter: str) -> tuple[str, str]:
    """Type and name."""
    plain = re.sub(r" = \S+$", "", parameter).replace("/*", "").replace("*/", "")
    kind, _, name = plain.rpartition(" ")
    return kind, name


# --------------------------------------------------------------------------- the program


def _type(kind: str) -> str:
    """A type of the headers as the program names it."""
    if re.fullmatch(r"[A-Z]\w*(Fn|FnX|Function)", kind):
        return "callable"
    ours = r"\b(?!(?:const|int|void|char|double|bool|long|unsigned)\b)([a-z]\w*)"
    return re.sub(ours, r"mpi::\1", kind.replace("mpi::", ""))


def _form(row: Row, language: Cpp, throwing: bool) -> str:
    """One of both forms, as a function without captures."""
    method, name = row.method, row.method.name
    lines = [
        f"argument<{_type(kind)}> a{k}(c, {k});" for k, (kind, _) in enumerate(method.parameters)
    ]
    given = ", ".join(f"a{k}.value" for k in range(len(method.parameters)))
    called = f"mpi::{'' if throwing else 'nothrow::'}{name}({given})"
    returns = method.results[0][0]
    wrapped = re.fullmatch(r"result<(.*)>", returns)
    inner = wrapped[1] if wrapped else returns
    if inner in ("", "void"):
        if wrapped and not throwing:
            lines.append(f"c.code({called}.code);")
        else:
            lines.append(f"{called};")
    else:
        lines.append(f"const auto out = {called};")
        value = "out"
        if wrapped and not throwing:
            lines.append("c.code(out.code);")
            value = "out.value"
        if wrapped:
            lines += _results(language, value, inner)
        else:
            lines.append(f'c.got("=", seen({value}));')
    lines.append("c.settle();")
    used = "call& c" if "c" in " ".join(lines) else "call&"
    return "[](" + used + ") {\n    " + "\n    ".join(lines) + "\n  }"


def _results(language: Cpp, value: str, inner: str) -> list[str]:
    """What comes back, by its name."""
    optional = re.fullmatch(r"std::optional<(.*)>", inner)
    kind = (optional[1] if optional else inner).removesuffix("<String>")
    lines = []
    if optional:
        lines += [f"c.got_nothing(!{value}.has_value());", f"if (!{value}.has_value()) return;"]
        value = f"(*{value})"
    if kind in language.records:
        return lines + [f'c.got("{f}", seen({value}.{f}));' for f in language.records[kind]]
    return [*lines, f'c.got("-", seen({value}));']


def _line(row: Row, language: Cpp) -> str:
    """The row for this MPI: only the functions that it has."""
    words = row.line().split(" ")
    words[2] = row.plan.name  # as errors call it
    words[3], words[4] = language.called(words[3]), language.called(words[4])
    if words[6] == "narrow":
        words[4] = "-"  # arrays of `int`: the twin has a form of its own
    if row.plan.returns != "error" and row.method.results[0][0] == "void":
        words[5] = "void"
    return re.sub(
        r":h([A-Z]\w*)", lambda one: f":{language.letters.get(one[1], 'l')}", " ".join(words)
    )


def _call(row: Row, line: str, body: str, language: Cpp) -> str:
    """The call of both forms; `body` is that of the form that does not throw."""
    exists = line.split(" ")[3:5] != ["-", "-"] and "MPI_ERR_UNSUPPORTED" not in body
    forms = [_form(row, language, throwing) for throwing in (False, True)]
    return f'  call("{line}", {"true" if exists else "false"}, {forms[0]}, {forms[1]});'


def _expected(name: str, lines: Sequence[str]) -> str:
    """The functions that are called, and with ! before it those that cannot be."""
    there: set[str] = set()
    for line in lines:
        words = line.split(" ")
        grows = words[6] == "always" or any(re.search(":i:l(:in)?(:|$)", word) for word in words)
        columns = words[4:5] if words[6] == "always" and words[4] != "-" else words[3:4]
        columns += words[4:5] if grows else []
        there |= {n for column in columns for n in column.split(",") if n != "-"}
    data = json.loads((HERE / "no_calls.json").read_text(encoding="utf-8"))
    listed: set[str] = set()
    for one in data["no_calls"]:
        if name in one["mpis"]:
            listed |= set(one["functions"])
    if not listed <= there:
        raise MpiglotError(f"no_calls.json: {sorted(listed - there)} are never called on {name}")
    return "".join(f"{'!' if n in listed else ''}{n}\n" for n in sorted(there))


@click.group()
def group() -> None:
    """Calls every function of the C++ layer."""


@group.command("write")
@click.argument("name")
@click.argument("blueprint_", metavar="BLUEPRINT")
@click.argument("generated", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def write_command(name: str, blueprint_: str, generated: Path, folder: Path) -> None:
    """Write the calls, and which functions of an MPI they must reach."""
    named = blueprint(blueprint_)
    inputs = Inputs.of_known(named)
    language = Cpp(inputs, named.name, generated)
    found = list(rows(language, inputs))
    lines = [_line(row, language) for row in found]
    calls = [
        _call(row, line, language.bodies[number], language)
        for number, (row, line) in enumerate(zip(found, lines, strict=True))
    ]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _EXPECTED).write_text(_expected(name, lines), encoding="utf-8")
    head = "// Code generated by mpiglot. DO NOT EDIT.\n\n#include <echo.hpp>\n\n"
    head += "using namespace echo;\n"
    for piece in range(_PIECES):
        body = "\n".join(calls[piece::_PIECES])
        text = f"{head}\nvoid calls_{piece}();\nvoid calls_{piece}() {{\n{body}\n}}\n"
        (folder / f"calls_{piece}.cpp").write_text(text, encoding="utf-8")
    pieces = [f"calls_{piece}();" for piece in range(_PIECES)]
    text = "\n".join([*(f"void {p}" for p in pieces), "void all_calls();", "void all_calls() {"])
    (folder / "all.cpp").write_text(text + " ".join(pieces) + "}\n", encoding="utf-8")


@group.command("run")
@click.argument("name")
@click.argument("program", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds.")
def run_(name: str, program: Path, folder: Path, timeout: float) -> int:
    """Call every function on an MPI; FOLDER is what `write` wrote."""
    return launched(name, program, (folder / _EXPECTED).read_text(encoding="utf-8"), timeout)


if __name__ == "__main__":
    sys.exit(run_command(group))
