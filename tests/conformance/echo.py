"""What each C function must be given, and must give back, when Go's or Java's is called.

    python -m tests.conformance.echo table java TABLE     # one line for each method
    python -m tests.conformance.echo run java mpich-4.0.2 build/test/java/echo
    python -m tests.conformance.echo go FOLDER    # the program in Go, with a list of functions
    python -m tests.conformance.echo run go mpich-4.0.2 build/test/go/echo

`run` starts the program (`dev.mpiglot.low.Echo`, see java_runtime/build-tests; go/echo, see
go/build) on one process of an MPI. It calls every function of the generated layer, with a library
(`echo.c`) in front of the MPI that keeps what one function is given, writes what it is told to its
outputs, and returns what it is told: so every function reports an error once, and no two arguments
or outputs can be exchanged without being noticed. The table comes from the C prototypes and from
the names of parameters in the sources of Go and Java, not from how their generators lower a
function.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import click

from mpiglot.blueprints.model import Function, Parameter
from mpiglot.cli import run as run_command
from mpiglot.generators.go import names as go_names
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.java import names
from mpiglot.generators.model import Atlas, AtlasFunction, PlannedFunction
from mpiglot.provision import launch
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import installed
from tests.conformance.counter import ROOT, compiled

SOURCE = Path(__file__).with_name("echo.c")
_POINTED = frozenset({"MPI_Request *"})
_RULE = re.compile(r"(comm_size|local_size|indegree|outdegree|cartdim|sum|last)\(")
_WIDE = frozenset({"MPI_Count", "MPI_Aint", "MPI_Offset", "int64_t"})


@dataclass(frozen=True)
class Written:
    """A method or a function as it stands in the sources."""

    chapter: str
    name: str
    function: str
    results: list[tuple[str, str]]  # type, name; Java has one, without a name
    parameters: list[tuple[str, str]]  # type, name


class Language(Protocol):
    """What differs between the sources of Go and Java."""

    def written(self) -> Iterator[Written]:
        """All methods or functions that call a C function."""

    def spelled(self, f: PlannedFunction, c_name: str) -> str:
        """C's name of a parameter, as it is called here."""

    def is_number(self, kind: str) -> bool:
        """Whether a parameter of this type is an integer."""

    def is_array(self, kind: str) -> bool:
        """Whether a parameter of this type has elements."""

    def is_wide(self, kind: str, c_type: str) -> bool:
        """Whether its elements are those of the twin; `c_type` is what the function has."""

    def result(self, method: Written, f: PlannedFunction, c_name: str, only: bool) -> str:
        """Where an output is found; `only`: if there is no other, but for a flag."""

    def flag(self, method: Written, f: PlannedFunction, c_name: str) -> str:
        """How it says that a flag tells whether there are other outputs."""


class Java:
    """The methods of dev.mpiglot.low."""

    sources = ROOT / "generated" / "java" / "src" / "main" / "java" / "dev" / "mpiglot" / "low"
    pattern = re.compile(
        r"/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*(?:@\w+(?:\([^)]*\))?\s*)*"
        r"public static (?P<returns>[\w<>\[\]]+) (?P<name>\w+)\((?P<parameters>[^)]*)\) \{",
        re.S,
    )

    def written(self) -> Iterator[Written]:
        for path in sorted(self.sources.glob("*.java")):
            for found in self.pattern.finditer(path.read_text(encoding="utf-8")):
                called = re.search(r"\{@code (MPIX?_\w+)\}\s", found["doc"])
                if called and path.stem in names.CHAPTERS.values():
                    pairs = [p.split() for p in found["parameters"].split(",") if p]
                    parameters = [(kind, name) for kind, name in pairs]
                    results = [(found["returns"], "")]
                    yield Written(path.stem, found["name"], called[1], results, parameters)

    def spelled(self, f: PlannedFunction, c_name: str) -> str:
        return names.parameter(c_name)

    def is_number(self, kind: str) -> bool:
        return kind in ("int", "long")

    def is_array(self, kind: str) -> bool:
        return "[]" in kind

    def is_wide(self, kind: str, c_type: str) -> bool:
        return "long[]" in kind and _letter(c_type) == "i"

    def result(self, method: Written, f: PlannedFunction, c_name: str, only: bool) -> str:
        return "-" if only else names.parameter(c_name)

    def flag(self, method: Written, f: PlannedFunction, c_name: str) -> str:
        return "flag"


class Go:
    """The functions of package low."""

    sources = ROOT / "go_runtime" / "low"
    pattern = re.compile(
        r"^// (?P<name>[A-Z]\w*) is (?P<function>MPIX?_\w*[a-z]\w*)[^\n]*\n(?://[^\n]*\n)*"
        r"func (?P=name)\((?P<parameters>[^)]*)\) (?:\((?P<several>[^)]*)\)|(?P<one>\w+)) \{",
        re.M,
    )
    others = frozenset(
        {"bool", "string", "uintptr", "float64", "unsafe.Pointer", "Buffer", "*Status", "error"}
    )

    def __init__(self) -> None:
        types = Inputs.of_known().atlas.types
        self.handles = {go_names.exported(t.name) for t in types if t.handle}

    def written(self) -> Iterator[Written]:
        for path in sorted(self.sources.glob("*.go")):
            for found in self.pattern.finditer(path.read_text(encoding="utf-8")):
                results = self._pairs(found["several"] or found["one"])
                parameters = self._pairs(found["parameters"])
                yield Written(path.stem, found["name"], found["function"], results, parameters)

    def _pairs(self, text: str) -> list[tuple[str, str]]:
        """Types and names of a list in which neighbours share a type; or one without a name."""
        out: list[tuple[str, str]] = []
        kind = ""
        for one in reversed([part for part in re.split(r",\s+", text) if part]):
            words = one.split(" ")
            kind = words[1] if len(words) == 2 else kind
            out.insert(0, (kind, words[0]) if kind else (one, ""))
        return out

    def spelled(self, f: PlannedFunction, c_name: str) -> str:
        wanted = [a.name for a in f.arguments if a.kind != "main_arguments"]
        return go_names.parameters(wanted + [r.name for r in f.results]).get(c_name, "")

    def is_number(self, kind: str) -> bool:
        plain = kind[:1].isupper() and kind not in self.handles and not kind.endswith(_FUNCTIONS)
        return kind == "int" or (plain and kind not in self.others)

    def is_array(self, kind: str) -> bool:
        return "[]" in kind or kind == "*int"

    def is_wide(self, kind: str, c_type: str) -> bool:
        return False  # there is one form

    def result(self, method: Written, f: PlannedFunction, c_name: str, only: bool) -> str:
        name = self.spelled(f, c_name)
        known = [own for _, own in method.results]
        return str(next(known.index(n) for n in (name, name + "Text", "ok") if n in known))

    def flag(self, method: Written, f: PlannedFunction, c_name: str) -> str:
        return f"flag:{self.result(method, f, c_name, False)}"


_LANGUAGES: dict[str, type[Language]] = {"go": Go, "java": Java}
_FUNCTIONS = ("Function", "FunctionC", "FunctionX")


@dataclass(frozen=True)
class Row:
    """How a C function is to be called by a method."""

    language: Language
    method: Written
    plan: PlannedFunction
    small: Function
    large: Function | None
    sets: dict[str, dict[str, int]]  # value sets: constants and their values of the standard ABI
    all: list[Written]

    def line(self) -> str:
        """As the programs read it."""
        f = self.plan
        both = [",".join([f.name, *f.alternatives])]
        both.append(",".join([f.large, *f.large_alternatives]) if f.large else "-")
        types = ",".join(kind.replace(" ", "_") for kind, _ in self.method.parameters) or "-"
        mode = "always" if f.dispatch == "large" else "fits"
        if f.dispatch == "overload" and not self._same():
            mode = "always" if self._wide() else "narrow"
        slots = [self._slot(i, p) for i, p in enumerate(self.small.parameters)]
        kind = {"MPI_T_": "tool"}.get(f.name[:6], "error") if f.returns == "error" else "value"
        head = [self.method.chapter, self.method.name, types, *both, kind, mode]
        return " ".join([*head, *self._arrays(), "|", *slots])

    def _place(self, c_name: str) -> int | None:
        """Which parameter has the name of C's, in the language's spelling."""
        wanted = self.language.spelled(self.plan, c_name)
        known = [name for _, name in self.method.parameters]
        return known.index(wanted) if wanted in known else None

    def _wide(self) -> bool:
        """Whether this is the form of 64 bits, of two that differ in arrays."""
        large = self.large.parameters if self.large else []
        for p, q in zip(self.small.parameters, large, strict=False):
            if p.type != q.type and self.language.is_wide(self._kind(p), p.type):
                return True
        return False

    def _same(self) -> bool:
        """Whether there is only one form."""
        return sum(other.function == self.method.function for other in self.all) == 1

    def _arrays(self) -> list[str]:
        """How long arrays are: a rule, a number, or a name that some of them share."""
        out = []
        for a in self.plan.arguments:
            place = self._place(a.name)
            if place is None or not self.language.is_array(self.method.parameters[place][0]):
                continue
            told = next(p.length for p in self.small.parameters if p.name == a.name)
            group = min(self._together(a.name))
            if isinstance(told, str) and re.fullmatch(r"\w+", told) and not self._is_passed(told):
                group = told
            length = a.length if isinstance(a.length, str) else ""
            known = _RULE.match(length)
            rule = known[1] if known else f"of_{group}"
            out.append(f"{place}={'1' if a.kind == 'scalar_ref' else rule}")
        return out

    def _is_passed(self, name: str) -> bool:
        return self._place(name) is not None

    def _together(self, name: str) -> set[str]:
        """Arrays that are as long as one."""
        found: set[str] = set()
        more = {name}
        while more:
            found |= more
            shared = {b for a in self.plan.arguments if a.name in more for b in a.shares_length}
            sharing = {a.name for a in self.plan.arguments if more & set(a.shares_length)}
            more = (shared | sharing) - found
        return found

    def _types(self, at: int, p: Parameter) -> tuple[str, str]:
        """The C types of a parameter in the function and in its twin."""
        large = self.large.parameters if self.large else []
        same = len(large) == len(self.small.parameters)
        return p.type, large[at].type if same else p.type

    def _slot(self, at: int, p: Parameter) -> str:
        place = self._place(p.name)
        letters = ":".join(_letter(t) for t in self._types(at, p))
        if place is not None:
            return self._given(p, place, self.method.parameters[place][0], letters)
        sized = [
            k
            for k, q in enumerate(self.small.parameters)
            if q.length == p.name and self.language.is_array(self._kind(q))
        ]
        if sized and p.direction == "in":
            return f"length:{self._place(self.small.parameters[sized[0]].name)}"
        result = next((r for r in self.plan.results if r.name == p.name), None)
        if result is None:
            return "size" if p.type == "int *" else "any"
        flags = {r.when for r in self.plan.results}
        if p.name in flags:
            return self.language.flag(self.method, self.plan, p.name)
        shown = [r for r in self.plan.results if r.name not in flags]
        name = self.language.result(self.method, self.plan, p.name, len(shown) == 1)
        if result.kind == "string":
            return f"text:{name}"
        return f"result:{name}:{letters}{self._constant(p)}"

    def _kind(self, p: Parameter) -> str:
        place = self._place(p.name)
        return self.method.parameters[place][0] if place is not None else ""

    def _given(self, p: Parameter, place: int, kind: str, letters: str) -> str:
        if self.language.is_number(kind) and "*" not in p.type:
            return f"number:{place}:{letters}{self._constant(p)}{_set(p)}"
        way = p.direction or "in"
        if way == "in" and p.type in _POINTED:
            way = "at"
        if self.language.is_array(kind):
            return f"array:{place}:{letters}:{way}{self._constant(p)}{_set(p)}"
        return f"given:{place}:{letters}:{way}"

    def _constant(self, p: Parameter) -> str:
        """A named value for this place, another one for each; none where there are too few."""
        known = list(self.sets.get(p.values or "", {}).items())
        number = [q for q in self.small.parameters if q.values == p.values].index(p)
        return f":{known[number][0]}={known[number][1]}" if number < len(known) else ""


def _set(p: Parameter) -> str:
    """Which named values may stand there."""
    return f":of.{p.values}" if p.values else ""


def _letter(c_type: str) -> str:
    """What an argument or what it leads to is: i int, l 64 bits, d double, h a handle, - else."""
    plain = c_type.replace("const ", "").rstrip("[]0123456789 *").strip()
    if plain in ("int", "MPI_Fint") or plain.startswith("MPI_T_cb_safety"):
        return "i"
    if plain in _WIDE or plain == "void":
        return "l"
    if plain == "double":
        return "d"
    if plain in ("char", "MPI_Status", "MPI_F08_status") or "function" in plain:
        return "-"
    return "i" if plain in ("MPI_T_source_order",) else "h" + names.thing(plain)


def rows(language: Language, inputs: Inputs) -> Iterator[Row]:
    """Every method of the layer."""
    entries: dict[str, AtlasFunction] = {e.function.name: e for e in inputs.atlas.functions}
    plans = {f.name: f for f in inputs.plan.functions}
    values = {c.name: c.abi_value for c in inputs.atlas.constants}
    sets: dict[str, dict[str, int]] = {}
    for one in inputs.atlas.value_sets:
        known = {name: values.get(name) for name in one.constants}
        sets[one.name] = {name: v for name, v in known.items() if isinstance(v, int)}
    methods = list(language.written())
    for method in methods:
        plan = plans[method.function]
        large = entries[plan.large].function if plan.large else None
        yield Row(language, method, plan, entries[plan.name].function, large, sets, methods)


def table(name: str) -> str:
    """All lines; for Go first those of libraries and sets, whose values its package hides."""
    inputs = Inputs.of_known()
    lines = [*_libraries(inputs.atlas), *_sets(inputs.atlas)] if name == "go" else []
    lines += [row.line() for row in rows(_LANGUAGES[name](), inputs)]
    return "\n".join(lines) + "\n"


def _libraries(atlas: Atlas) -> Iterator[str]:
    """What constants are on each library, how large a status is, and which handles have 32 bits."""
    for target in atlas.targets:
        words = ["library", target.name]
        for c in atlas.constants:
            own = next((v.value for v in c.values if v.target == target.name), None)
            if c.cls in ("integer", "sentinel") and isinstance(own, int):
                words.append(f"{c.name}={own}")
        for t in atlas.types:
            own = next((r.size for r in t.representations if r.target == target.name), 0)
            if t.name == "MPI_Status" or (t.handle and own == 4):
                words.append(f"{names.thing(t.name)}={own}")
        yield " ".join(words)


def _sets(atlas: Atlas) -> Iterator[str]:
    """The named values beside which others may stand, with their values in Go."""
    values = {c.name: c.abi_value for c in atlas.constants}
    for one in atlas.value_sets:
        if one.kind == "open":
            known = [f"{n}={values[n]}" for n in one.constants if isinstance(values.get(n), int)]
            yield " ".join(["set", one.name, *known])


def _functions() -> str:
    """The functions of Go by name, which Go cannot find itself."""
    lines = [f'\t"{one.name}": low.{one.name},' for one in Go().written()]
    head = ["// Code generated by mpiglot. DO NOT EDIT.", "", "package main", ""]
    head += ['import "mpiglot.dev/mpi/low"', "", "var functions = map[string]any{"]
    return "\n".join([*head, *lines, "}"]) + "\n"


@click.group()
def group() -> None:
    """Checks what Go and Java pass to C, function by function."""


@group.command("table")
@click.argument("language", type=click.Choice(sorted(_LANGUAGES)))
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
def table_command(language: str, path: Path) -> None:
    """Write the table."""
    path.write_text(table(language), encoding="utf-8")


@group.command("go")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def go_command(folder: Path) -> None:
    """Write the program in Go."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted((Path(__file__).parent / "go" / "echo").glob("*.go")):
        shutil.copyfile(path, folder / path.name)
    (folder / "functions.go").write_text(_functions(), encoding="utf-8")


@group.command("run")
@click.argument("language", type=click.Choice(sorted(_LANGUAGES)))
@click.argument("name")
@click.argument("program", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds.")
def run_(language: str, name: str, program: Path, timeout: float) -> int:
    """Call every function on an MPI."""
    return launched(name, program, table(language), timeout)


def launched(name: str, program: Path, lines: str, timeout: float) -> int:
    """Runs a program on an MPI with the library in front of it, and says how it ended."""
    found = installed(matrix().get(name))
    folder = ROOT / "build" / "counter" / name
    library = compiled(SOURCE, name, folder, folder / "libmpiglot_echo.so").absolute()
    with TemporaryDirectory() as temporary:
        path = Path(temporary) / "table"
        path.write_text(lines, encoding="utf-8")
        # What is given back is overwritten, so that whoever reads it all the same is found.
        words = ["env", f"LD_PRELOAD={library}", "MALLOC_PERTURB_=85"]
        words += [str(program.absolute()), str(path)]
        environment = of_installation(found, ci=True).applied(os.environ)
        code: int = launch.run(
            found.mpi.vendor,
            found.launcher,
            1,
            words,
            limit=timeout,
            environment=environment,
        )
        return code


if __name__ == "__main__":
    sys.exit(run_command(group))
