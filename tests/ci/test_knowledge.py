"""Knowledge about MPI's functions is data: no code decides by a function's name."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.catalogue import uses

ROOT = Path(__file__).parents[2]
ROOMS = ("parser", "doctor", "generators", "templates", "mpiglot/commands", "mpiglot/packaging")
NAMES = {f.name for f in catalogue.load().functions}
NAMES |= {c.name for c in catalogue.load().callbacks} | uses.load().callbacks.keys()
# An emitted call is code of the target language, and decides nothing.
CALL = re.compile(r"MPIGLOT_(?:EARLY|MPI|PLAIN|WAITING)\(\w+\)|\bP?MPIX?_\w+\(")
NAME = re.compile(r"\bP?(MPIX?_\w+)")

#: File -> the names it may contain, beside its calls, and why.
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "mpiglot/commands/show.py": ({"MPI_Send"}, "an example in a message"),
    "generators/java/upper/collectives.py": (
        {"MPI_Exscan", "MPI_Exscan_init", "MPI_Iexscan"},
        "no entry of the catalogue says that rank 0 gets no result",
    ),
    "parser/assemble.py": ({"MPI_Get_library_version"}, "the probe's own program calls it"),
    "parser/measure.py": ({"MPI_Get_library_version"}, "the probe's own program calls it"),
    "doctor/launchers.py": (
        {"MPI_Init", "MPI_Finalize"},
        "sentences on where the doctor's program stopped",
    ),
    "doctor/program.c": (
        {"MPI_Init", "MPI_Get_version", "MPI_Get_library_version"},
        "the doctor's own program says where they are, or asks whether they are there",
    ),
    "templates/cpp/guard_bodies.hpp.jinja": (
        {"MPI_Init", "MPI_Type_size"},
        "the guard names its own calls, and looks one of them up in the loaded library",
    ),
    "templates/cpp/driving_bodies.hpp.jinja": (
        {
            *("MPI_Send", "MPI_Bsend", "MPI_Rsend", "MPI_Ssend", "MPI_Isend", "MPI_Ibsend"),
            *("MPI_Irsend", "MPI_Issend", "MPI_Recv", "MPI_Mrecv", "MPI_Irecv", "MPI_Imrecv"),
            *("MPI_Sendrecv", "MPI_Sendrecv_replace", "MPI_Cancel", "MPI_Type_get_true_extent"),
            *("MPI_Probe", "MPI_Iprobe", "MPI_Mprobe", "MPI_Improbe", "MPI_Win_wait"),
            "MPI_Win_test",
        },
        "what each blocking function is while something is driven is code for it alone",
    ),
    "templates/cpp/holders.hpp.jinja": (
        {"MPI_Wait", "MPI_Test", "MPI_Wtime"},
        "the calls of the C++ headers themselves, for which something stands in",
    ),
    "templates/cpp/holders_bodies.hpp.jinja": (
        {
            *("MPI_Request_get_status", "MPI_Wait", "MPI_Waitall", "MPI_Waitany"),
            *("MPI_Waitsome", "MPI_Test"),
        },
        "the calls of the C++ headers themselves, which do without where it is missing",
    ),
    "templates/cpp/native.hpp.jinja": (
        {"MPI_Error_class", "MPI_Error_string", "MPI_Finalized", "MPI_Get_library_version"},
        "the calls of the C++ headers themselves, for which something stands in",
    ),
    "templates/pmpi/support.hpp.jinja": (
        {"MPI_Error_class", "MPI_Error_string"},
        "the calls that the C++ layer itself makes in error_bodies.hpp.jinja",
    ),
}


def _code(path: Path) -> str:
    """The text of a file without comments, docstrings and emitted calls."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        return CALL.sub("", "\n".join(_strings(ast.parse(text))))
    text = re.sub(r"\{#.*?#\}|/\*.*?\*/", "", text, flags=re.DOTALL)
    return CALL.sub("", re.sub(r"//[^\n]*", "", text))


def _strings(tree: ast.Module) -> Iterator[str]:
    said = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def _named(path: Path) -> set[str]:
    return set(NAME.findall(_code(path))) & NAMES


def _files() -> list[Path]:
    found = (p for room in ROOMS for p in (ROOT / room).rglob("*"))
    return sorted(p for p in found if p.suffix in (".py", ".c", ".jinja"))


@pytest.mark.parametrize("path", _files(), ids=lambda p: str(p.relative_to(ROOT)))
def test_no_code_names_a_function_of_mpi(path: Path) -> None:
    allowed, _ = EXCEPTIONS.get(str(path.relative_to(ROOT)), (set(), ""))
    assert _named(path) == allowed
