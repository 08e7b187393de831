"""Tiny MPIs, one odd construct each: the C++ that is generated for them is checked in and compiled.

`goldens/NAME.h` is the construct; with `base.h`, what every layer needs, it is the MPI's `mpi.h`.
`goldens/NAME.json` is what the probe found in it, without what `base.json` has as well.
`goldens/NAME.hpp` is the generated header that the construct ends up in. After a change that is
meant: `MPIGLOT_UPDATE_EXPECTED=1 pytest tests/generators/test_goldens.py` writes both anew.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import model
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs, Named
from mpiglot.generators.policy import Filters
from mpiglot.parser.probe import describe
from mpiglot.parser.wrapper import read
from tests.limits import guard
from tests.parser import fake_mpi

FOLDER = Path(__file__).with_name("goldens")
UPDATE = bool(os.environ.get("MPIGLOT_UPDATE_EXPECTED"))
QUIET = "#pragma GCC system_header\n"  # for users; here the compiler shall tell what it sees
OPTIONS = ["-std=c++20", "-DMPIGLOT_DEPRECATED", "-fkeep-inline-functions", "-fsyntax-only"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Wcast-qual", "-Wshadow", "-Werror"]
LISTS = ("types", "constants", "functions", "callbacks")
LIBRARY = {  # what the functions of the tiny library do; the others do nothing
    "MPI_Comm_rank": "*rank = 0;",
    "MPI_Get_library_version": '__builtin_strcpy(version, "Tiny MPI 1.0"); *resultlen = 12;',
}

#: Each golden with the generated header that is compared, and functions that its MPI lacks.
GOLDENS: dict[str, tuple[str, tuple[str, ...]]] = {
    "callback": ("collectives", ()),
    "deprecated": ("deprecated", ()),
    "extension": ("extensions", ()),
    "macro": ("fortran", ()),
    "narrower": ("partitioned", ()),
    "stand_in": ("collectives", ("MPI_Barrier_init",)),
    "struct_handle": ("handles", ()),
    "twin": ("collectives", ()),
    "unavailable": ("groups", ("MPI_Comm_idup",)),
    "without_const": ("pt2pt", ()),
}


def text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


@cache
def base() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(text("base.json"))
    return data


def blueprint(golden: str) -> model.Blueprint:
    own = json.loads(text(f"{golden}.json"))
    added = {key: sorted(base()[key] + own[key], key=lambda x: str(x["name"])) for key in LISTS}
    return model.from_json(model.Blueprint, {**base(), **added})


def layer(golden: str) -> dict[str, str]:
    """The generated files, with the functions of the golden only."""
    named = Named("tiny-1.0", blueprint(golden), "{}")
    wanted = [f["name"] for f in json.loads(text(f"{golden}.json"))["functions"]]
    filters = Filters(include=[*wanted, *GOLDENS[golden][1]])
    made = produce(Unit("cpp", named.name, Path(), filters=filters), Inputs([named]))
    assert made.warnings == []
    return {f.path: f.content for f in made.files}


def compared(golden: str) -> str:
    return f"mpiglot/mpi/{GOLDENS[golden][0]}.hpp"


def probed(folder: Path, golden: str) -> dict[str, Any]:
    """What the probe finds in the golden's MPI, in its JSON form."""
    header = text("base.h") + (text(f"{golden}.h") if golden != "base" else "")
    library = ["#include <mpi.h>"]
    for declared in re.findall(r"^(?!typedef|extern)\w[^#;{}]*?\b\w+\([^;]*\);", header, re.M):
        name = re.search(r"(\w+)\(", declared)
        assert name is not None
        if (golden, name[1]) != ("unavailable", "MPI_Comm_dup"):
            library.append(f"{declared[:-1]} {{ {LIBRARY.get(name[1], '')} return 0; }}")
    for struct, names in re.findall(r"^extern (struct \w+) ([^;]*);", header, re.M):
        library.append(f"{struct} {{ int x; }} {names};")
    made = fake_mpi.build(folder, header, "\n".join(library) + "\n")
    data = model.to_json(describe(read(made.mpicc)).blueprint)
    data["toolchain"] = {"wrapper": "mpicc", "compiler": "gcc"}
    del data["mpi"]["header_fingerprint"]
    assert isinstance(data, dict)
    return data


def update(folder: Path, golden: str) -> None:
    data = probed(folder, golden)
    if golden != "base":
        data = {key: [x for x in data[key] if x not in base()[key]] for key in LISTS}
    (FOLDER / f"{golden}.json").write_text(model.dumps(data), encoding="utf-8")
    if golden != "base":
        expected = layer(golden)[compared(golden)]
        (FOLDER / f"{golden}.hpp").write_text(expected, encoding="utf-8")


if UPDATE:

    @pytest.mark.parametrize("golden", ["base", *GOLDENS])
    def test_update(golden: str, tmp_path: Path) -> None:
        update(tmp_path, golden)


@pytest.mark.parametrize("golden", GOLDENS)
def test_what_is_generated_for_an_odd_construct_is_the_expected_text(golden: str) -> None:
    assert layer(golden)[compared(golden)] == text(f"{golden}.hpp")


@pytest.mark.parametrize("golden", GOLDENS)
def test_the_expected_text_compiles_with_the_header_that_it_is_for(
    golden: str, tmp_path: Path
) -> None:
    files = {**layer(golden), compared(golden): text(f"{golden}.hpp")}
    files["mpi.h"] = text("base.h") + text(f"{golden}.h")
    files["all.cpp"] = "#include <string>\n#include <mpiglot/mpi.hpp>\nint main() {}\n"
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content.replace(QUIET, ""), encoding="utf-8")
    command = ["g++", *OPTIONS, *WARNINGS, "-I", str(tmp_path), str(tmp_path / "all.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=guard(120), check=False)
    assert done.returncode == 0, done.stderr[-3000:]


def test_every_file_of_the_goldens_belongs_to_one() -> None:
    names = {path.name for path in FOLDER.iterdir()} - {".clang-format"}
    wanted = {f"{golden}.{kind}" for golden in GOLDENS for kind in ("h", "json", "hpp")}
    assert names == wanted | {"base.h", "base.json"}
