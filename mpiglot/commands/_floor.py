"""Computes the floor: what generated C++ needs of any MPI, whatever else that MPI lacks.

C++ is generated for an MPI that has nothing. The names of MPI that are in the code all the same are
the floor. `mpiglot generate cpp`, without options, writes it to `blueprints/floor.json`.
"""

from __future__ import annotations

import json
from pathlib import Path

from mpiglot.blueprints import catalogue
from mpiglot.blueprints.model import Blueprint, Mpi, Platform, Toolchain
from mpiglot.commands._proof import unknown_names
from mpiglot.exchange.output import write_file
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.parser.floor import PATH


def text() -> str:
    """The file as it should be."""
    nothing = Blueprint(Mpi(vendor="unknown", abi="unknown"), Platform(), Toolchain())
    inputs = Inputs([Named("nothing", nothing, "{}")])
    files = produce(Unit("cpp", "nothing", Path()), inputs).files
    found = sorted({c.name for c in unknown_names(files, nothing)})
    known = catalogue.load()
    functions = {f.name for f in known.functions}
    constants = {c.name for c in known.constants}
    types = {h.name for h in known.handles} | {"MPI_Status"}
    kinds: dict[str, list[str]] = {"functions": [], "types": [], "constants": [], "status": []}
    for name in found:
        kind = (
            "functions" if name in functions
            else "types" if name in types
            else "constants" if name in constants
            else "status"
        )  # fmt: skip
        kinds[kind].append(name)
    return json.dumps(kinds, indent=1) + "\n"


def write() -> None:
    """Renews the file if it is not as it should be."""
    wanted = text()
    if not PATH.exists() or PATH.read_text(encoding="utf-8") != wanted:
        write_file(PATH, wanted)
