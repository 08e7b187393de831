"""What each C function must be given, and must give back, when a method of Java is called.

    python -m tests.conformance.echo table TABLE     # one line for each method
    python -m tests.conformance.echo run mpich-4.0.2 build/test/java/echo

`run` starts the program (`dev.mpiglot.low.Echo`, see java_runtime/build-tests) on one process of an
MPI. It calls every method of the generated layer, with a library (`echo.c`) in front of the MPI
that keeps what one function is given, writes what it is told to its outputs, and returns what it is
told: so every function reports an error once, and no two arguments or outputs can be exchanged
without being noticed. The table comes from the C prototypes and from the names of parameters in the
Java sources, not from how the generator lowers a function.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from mpiglot.blueprints.model import Function, Parameter
from mpiglot.ci import launch
from mpiglot.ci.environment import of_installation
from mpiglot.ci.matrix import matrix
from mpiglot.ci.obtain import installed
from mpiglot.cli import run as run_command
from mpiglot.generators import java_names as names
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import AtlasFunction, PlannedFunction
from tests.conformance.counter import ROOT, compiled

SOURCE = Path(__file__).with_name("echo.c")
_LOW = ROOT / "generated" / "java" / "src" / "main" / "java" / "dev" / "mpiglot" / "low"
_METHOD = re.compile(
    r"/\*\*(?P<doc>(?:(?!\*/).)*)\*/\s*(?:@\w+(?:\([^)]*\))?\s*)*"
    r"public static (?P<returns>[\w<>\[\]]+) (?P<name>\w+)\((?P<parameters>[^)]*)\) \{",
    re.S,
)
_POINTED = frozenset({"MPI_Request *"})
_RULE = re.compile(r"(comm_size|local_size|indegree|outdegree|cartdim|sum|last)\(")
_WIDE = frozenset({"MPI_Count", "MPI_Aint", "MPI_Offset", "int64_t"})


@dataclass(frozen=True)
class Written:
    """A method as it stands in the sources."""

    chapter: str
    name: str
    function: str
    returns: str
    parameters: list[tuple[str, str]]  # type, name

    def place(self, c_name: str) -> int | None:
        """Which parameter has the name of C's, in Java's spelling."""
        wanted = names.parameter(c_name)
        return next((i for i, (_, name) in enumerate(self.parameters) if name == wanted), None)


def written() -> Iterator[Written]:
    """All methods that call a C function."""
    for path in sorted(_LOW.glob("*.java")):
        for found in _METHOD.finditer(path.read_text(encoding="utf-8")):
            called = re.search(r"\{@code (MPIX?_\w+)\}\s", found["doc"])
            if called and path.stem in names.CHAPTERS.values():
                pairs = [p.split() for p in found["parameters"].split(", ") if p]
                parameters = [(kind, name) for kind, name in pairs]
                yield Written(path.stem, found["name"], called[1], found["returns"], parameters)


@dataclass(frozen=True)
class Row:
    """How a C function is to be called by a method."""

    method: Written
    plan: PlannedFunction
    small: Function
    large: Function | None
    sets: dict[str, dict[str, int]]  # value sets: constants and their values in Java
    all: list[Written]

    def line(self) -> str:
        """As the program in Java reads it."""
        f = self.plan
        both = [",".join([f.name, *f.alternatives])]
        both.append(",".join([f.large, *f.large_alternatives]) if f.large else "-")
        types = ",".join(kind for kind, _ in self.method.parameters) or "-"
        mode = "always" if f.dispatch == "large" else "fits"
        if f.dispatch == "overload" and not self._same():
            mode = "always" if self._wide() else "narrow"
        slots = [self._slot(i, p) for i, p in enumerate(self.small.parameters)]
        kind = {"MPI_T_": "tool"}.get(f.name[:6], "error") if f.returns == "error" else "value"
        head = [self.method.chapter, self.method.name, types, *both, kind, mode]
        return " ".join([*head, *self._arrays(), "|", *slots])

    def _wide(self) -> bool:
        """Whether this is the form of 64 bits, of two that differ in arrays."""
        large = self.large.parameters if self.large else []
        for p, q in zip(self.small.parameters, large, strict=False):
            if _letter(p.type) != _letter(q.type) and "long[]" in self._java(p):
                return True
        return False

    def _same(self) -> bool:
        """Whether there is only one form."""
        return sum(other.function == self.method.function for other in self.all) == 1

    def _arrays(self) -> list[str]:
        """How long arrays are: a rule, a number, or a name that some of them share."""
        out = []
        for a in self.plan.arguments:
            place = self.method.place(a.name)
            if place is None or "[]" not in self.method.parameters[place][0]:
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
        return self.method.place(name) is not None

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
        place = self.method.place(p.name)
        letters = ":".join(_letter(t) for t in self._types(at, p))
        if place is not None:
            java = self.method.parameters[place][0]
            return self._given(p, place, java, letters)
        sized = [
            k
            for k, q in enumerate(self.small.parameters)
            if q.length == p.name and "[]" in self._java(q)
        ]
        if sized and p.direction == "in":
            return f"length:{self.method.place(self.small.parameters[sized[0]].name)}"
        result = next((r for r in self.plan.results if r.name == p.name), None)
        if result is None:
            return "size" if p.type == "int *" else "any"
        flags = {r.when for r in self.plan.results}
        if p.name in flags:
            return "flag"
        shown = [r for r in self.plan.results if r.name not in flags]
        name = names.parameter(p.name) if len(shown) > 1 else "-"
        if result.kind == "string":
            return f"text:{name}"
        return f"result:{name}:{letters}{self._constant(p)}"

    def _java(self, p: Parameter) -> str:
        place = self.method.place(p.name)
        return self.method.parameters[place][0] if place is not None else ""

    def _given(self, p: Parameter, place: int, java: str, letters: str) -> str:
        if java in ("int", "long") and "*" not in p.type:
            return f"number:{place}:{letters}{self._constant(p)}"
        way = p.direction or "in"
        if way == "in" and p.type in _POINTED:
            way = "at"
        if "[]" in java:
            return f"array:{place}:{letters}:{way}{self._constant(p)}"
        return f"given:{place}:{letters}:{way}"

    def _constant(self, p: Parameter) -> str:
        """A named value for this place, another one for each; none where there are too few."""
        known = list(self.sets.get(p.values or "", {}).items())
        number = [q for q in self.small.parameters if q.values == p.values].index(p)
        return f":{known[number][0]}={known[number][1]}" if number < len(known) else ""


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
    return "i" if plain in ("MPI_T_source_order",) else "h" + names.handle_class(plain)


def rows() -> Iterator[Row]:
    """Every method of the layer."""
    inputs = Inputs.of_known()
    entries: dict[str, AtlasFunction] = {e.function.name: e for e in inputs.atlas.functions}
    plans = {f.name: f for f in inputs.plan.functions}
    values = {c.name: c.abi_value for c in inputs.atlas.constants}
    sets: dict[str, dict[str, int]] = {}
    for one in inputs.atlas.value_sets:
        known = {name: values.get(name) for name in one.constants}
        sets[one.name] = {name: v for name, v in known.items() if isinstance(v, int)}
    methods = list(written())
    for method in methods:
        plan = plans[method.function]
        large = entries[plan.large].function if plan.large else None
        yield Row(method, plan, entries[plan.name].function, large, sets, methods)


def table() -> str:
    """All lines."""
    return "\n".join(row.line() for row in rows()) + "\n"


@click.group()
def group() -> None:
    """Checks what the methods of Java pass to C, function by function."""


@group.command("table")
@click.argument("path", type=click.Path(path_type=Path, dir_okay=False))
def table_command(path: Path) -> None:
    """Write the table."""
    path.write_text(table(), encoding="utf-8")


@group.command("run")
@click.argument("name")
@click.argument("program", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.option("--timeout", type=float, default=60.0, show_default=True, help="Seconds.")
def run_(name: str, program: Path, timeout: float) -> int:
    """Call every method on an MPI."""
    found = installed(matrix().get(name))
    folder = ROOT / "build" / "counter" / name
    library = compiled(SOURCE, name, folder, folder / "libmpiglot_echo.so").absolute()
    with TemporaryDirectory() as temporary:
        lines = Path(temporary) / "table"
        lines.write_text(table(), encoding="utf-8")
        words = ["env", f"LD_PRELOAD={library}", str(program.absolute()), str(lines)]
        environment = of_installation(found, ci=True).applied(os.environ)
        code: int = launch.run(
            found.mpi.vendor,
            found.launcher,
            1,
            words,
            timeout=timeout,
            environment=environment,
        )
        return code


if __name__ == "__main__":
    sys.exit(run_command(group))
