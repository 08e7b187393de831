"""The committed blueprints against the real MPIs: complete, true, and the same bytes each time."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import model
from mpiglot.blueprints.check import load_checked
from mpiglot.parser import choice, known
from mpiglot.parser.probe import probe
from mpiglot.parser.wrapper import Wrapper
from tests.limits import guard
from tests.parser import claims, fake_mpi, matrix

TIMEOUT = 120
HEADERS = """\
#include <stddef.h>
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
"""


@cache
def installed(name: str) -> Wrapper | None:
    return matrix.wrapper(name)


@cache
def committed(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((matrix.KNOWN / f"{name}.json").read_text(encoding="utf-8"))
    return data


def needed(name: str) -> Wrapper:
    """The wrapper of this MPI; skips the test where it is not installed."""
    wrapper = installed(name)
    if wrapper is None:
        pytest.skip(f"{name} is not on this machine (`ci/mpi install {name}`)")
    return wrapper


def preprocessed(wrapper: Wrapper) -> str:
    command = [*wrapper.command, *wrapper.compile_flags, "-E", "-dD", "-x", "c", "-"]
    done = subprocess.run(
        command, input=HEADERS, capture_output=True, text=True, check=True, timeout=guard(TIMEOUT)
    )
    return done.stdout


def names_in(text: str) -> set[str]:
    """Every name with MPI's prefix that stands in a header and is a name of the programmer's."""
    live = {}
    plain = []
    for line in text.splitlines():
        define = re.match(r"#define (\w+)", line)
        undef = re.match(r"#undef (\w+)", line)
        if define:
            live[define[1]] = True
        elif undef:
            live.pop(undef[1], None)
        elif not line.startswith("#"):
            plain.append(re.sub(r"\b(struct|union|enum)\s+\w+", "", line))
    found = set(re.findall(r"\bMPIX?_\w+", "\n".join(plain)))
    return found | {name for name in live if re.match(r"MPIX?_\w", name)}


def names_of(blueprint: dict[str, Any]) -> set[str]:
    lists = ("types", "constants", "functions", "callbacks")
    fields = {f["name"] for t in blueprint["types"] for f in t.get("fields", [])}
    return fields | {item["name"] for key in lists for item in blueprint[key]}


@pytest.mark.parametrize("name", matrix.selected())
def test_every_name_of_the_header_is_in_the_blueprint_or_omitted_with_a_reason(name: str) -> None:
    wrapper = needed(name)
    blueprint = committed(name)
    omitted = [o["name"] for o in blueprint.get("omitted", [])]
    missing = {
        found
        for found in names_in(preprocessed(wrapper)) - names_of(blueprint)
        if not any(fnmatch.fnmatchcase(found, pattern) for pattern in omitted)
    }
    assert missing == set()
    assert all(o["reason"] for o in blueprint.get("omitted", []))


@pytest.mark.parametrize("name", matrix.selected())
def test_a_new_probe_gives_the_committed_bytes(name: str) -> None:
    wrapper = needed(name)
    data = model.to_json(probe(wrapper).blueprint)
    choice.make_portable(data)
    assert choice.name_of(data) == name
    text = (matrix.KNOWN / f"{name}.json").read_text(encoding="utf-8")
    assert model.dumps(data) == text, f"mpiglot probe --mpi {name} --portable -o <the file>"


@pytest.mark.parametrize("name", matrix.NAMES)
def test_a_committed_blueprint_says_what_the_catalogue_says_now(name: str) -> None:
    path = matrix.KNOWN / f"{name}.json"
    assert known.refreshed(path) == path.read_text(encoding="utf-8"), (
        "after a change of the catalogue: python -m mpiglot.parser.known"
    )


@pytest.mark.parametrize("name", matrix.selected())
def test_the_compiler_and_the_running_program_agree_with_the_blueprint(name: str) -> None:
    wrapper = needed(name)
    environment = {**os.environ, **wrapper.environment}
    command = [*wrapper.command, *wrapper.compile_flags]
    start = not wrapper.needs_launcher
    assert claims.failures(committed(name), command, wrapper.link_flags, environment, start) == ""


@pytest.mark.parametrize("name", matrix.NAMES)
def test_a_committed_blueprint_is_valid_portable_and_small(name: str) -> None:
    path = matrix.KNOWN / f"{name}.json"
    load_checked(path)
    text = path.read_text(encoding="utf-8")
    assert len(text) < 800_000
    data = committed(name)
    assert "paths" not in data["toolchain"]
    head = json.dumps([data["mpi"], data["toolchain"], data["platform"]])
    assert not re.search(r'["= :]/\w', head)
    assert data["mpi"]["soname"] and data["mpi"]["version"] and data["mpi"]["standard"]


@pytest.mark.parametrize(
    ("name", "standard", "extensions", "macros", "constants"),
    [("mpich-4.0.2", 623, 15, 20, 348), ("openmpi-4.1.4", 405, 23, 12, 330)],
)
def test_the_counts_of_debians_mpis_are_those_counted_by_hand(
    name: str, standard: int, extensions: int, macros: int, constants: int
) -> None:
    blueprint = committed(name)
    functions = [f for f in blueprint["functions"] if f["status"] != "macro"]
    assert sum(f["name"].startswith("MPI_") for f in functions) == standard
    assert sum(f["name"].startswith("MPIX_") for f in functions) == extensions
    assert sum(f["status"] == "macro" for f in blueprint["functions"]) == macros
    assert len(blueprint["constants"]) >= constants


def test_functions_and_variables_without_a_symbol_are_told_apart() -> None:
    mpich = committed("mpich-4.0.2")
    declared = [f["name"] for f in mpich["functions"] if f["status"] == "declared"]
    conversions = ["c2f08", "f082c", "f082f", "f2f08"]
    assert declared == [f"MPI_Status_{c}" for c in conversions]
    constants = {c["name"]: c for c in committed("mpich-4.1.3")["constants"]}
    assert constants["MPI_F08_STATUS_IGNORE"]["links"] is False
    assert constants["MPI_F_STATUS_IGNORE"]["links"] is True


def test_handles_keep_their_type_where_they_are_integers() -> None:
    for name in ("mpich-4.0.2", "intelmpi-2021.19.0"):
        types = {t["name"]: t for t in committed(name)["types"]}
        constants = {c["name"]: c for c in committed(name)["constants"]}
        assert types["MPI_Comm"]["kind"] == "integer" and types["MPI_Comm"]["handle"]
        assert types["MPI_File"]["kind"] == "pointer" and types["MPI_File"]["handle"]
        assert not types["MPI_Aint"].get("handle") and not types["MPI_Fint"].get("handle")
        for constant, type_ in (
            ("MPI_COMM_WORLD", "MPI_Comm"),
            ("MPI_LONG_LONG", "MPI_Datatype"),
            ("MPI_C_COMPLEX", "MPI_Datatype"),
            ("MPI_SUM", "MPI_Op"),
        ):
            assert (constants[constant]["class"], constants[constant]["type"]) == ("handle", type_)


@pytest.mark.parametrize(
    ("name", "size", "source"),
    [("mpich-4.0.2", 20, 8), ("openmpi-4.1.4", 24, 0), ("mpich-5.0.2-abi", 32, 0)],
)
def test_the_status_has_the_layout_of_its_family(name: str, size: int, source: int) -> None:
    status = next(t for t in committed(name)["types"] if t["name"] == "MPI_Status")
    offsets = {f["name"]: f["offset"] for f in status["fields"]}
    assert (status["size"], offsets["MPI_SOURCE"]) == (size, source)


def test_open_mpis_handles_are_addresses_of_exported_symbols() -> None:
    constants = {c["name"]: c for c in committed("openmpi-4.1.4")["constants"]}
    world = constants["MPI_COMM_WORLD"]
    assert (world["symbol"], world["access"]) == ("ompi_mpi_comm_world", "address")
    assert world["value"] is None and not world.get("constant_expression")
    assert sum(c.get("access") == "address" for c in constants.values()) == 114


def test_the_same_installation_in_two_places_gives_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for place in ("here", "over there"):
        mpi = fake_mpi.build(
            tmp_path / place.replace(" ", "-"), fake_mpi.PLAIN_HEADER, fake_mpi.PLAIN_LIBRARY
        )
        data = model.to_json(probe(choice.wrapper(str(mpi.mpicc))).blueprint)
        choice.make_portable(data)
        texts.append(model.dumps(data))
    assert texts[0] == texts[1]


@pytest.mark.parametrize("name", [n for n in matrix.selected() if n.endswith("-abi")])
def test_the_abi_header_alone_gives_what_its_library_gives(name: str, tmp_path: Path) -> None:
    """Nobody has this installation: a header in a folder, and no library at all."""
    header = next(d / "mpi_abi.h" for d in needed(name).include_dirs if (d / "mpi_abi.h").exists())
    (tmp_path / "mpi.h").write_bytes(header.read_bytes())
    found = model.to_json(
        probe(choice.wrapper(f"gcc -I{tmp_path}"), accept_unlinked=True).blueprint
    )
    known_one = committed(name)
    assert found["measured"] == "compiled"
    assert found["mpi"]["abi"] == "abi"
    assert found["mpi"]["standard"] == known_one["mpi"]["standard"]
    assert found["types"] == known_one["types"]
    macros = {c["name"] for c in known_one["constants"]} - {c["name"] for c in found["constants"]}
    assert macros <= {"MPI_ABI"}
    assert {f["name"] for f in found["functions"]} == {f["name"] for f in known_one["functions"]}
    values = {c["name"]: c["value"] for c in known_one["constants"]}
    assert all(c["value"] == values[c["name"]] for c in found["constants"])


@pytest.mark.skipif(not shutil.which("clang-19"), reason="no clang-19 here")
def test_another_compiler_finds_the_same(tmp_path: Path) -> None:
    gcc = needed("mpich-4.0.2")
    clang = tmp_path / "mpicc"
    flags = shlex.join([*gcc.compile_flags, *gcc.link_flags])
    clang.write_text(f"#!/bin/sh\necho clang-19 {flags}\n")
    clang.chmod(0o755)
    found = model.to_json(probe(choice.wrapper(str(clang))).blueprint)
    for key in ("types", "constants", "functions", "callbacks", "omitted"):
        assert found[key] == committed("mpich-4.0.2")[key]
