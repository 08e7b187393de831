"""Small headers, one odd construct each: what the probe says of them is checked in and compiled."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mpiglot.blueprints import model
from mpiglot.parser.probe import Probed, describe
from mpiglot.parser.wrapper import read
from tests.parser import claims
from tests.parser import fake_mpi as fake

HERE = Path(__file__).parent
CASES = sorted(path.stem for path in (HERE / "headers").glob("*.h"))
_MEANING = {  # what the catalogue adds: its own tests are elsewhere
    "chapter", "family", "collective", "since", "deprecated", "removed", "doc", "large_count",
    "small_count", "abi_value", "sets", "direction", "role", "length", "group", "callback",
    "values", "nullable", "root_only", "kept", "indirect", "sentinels", "purpose", "brief",
}  # fmt: skip


def run(case: str, folder: Path) -> tuple[Probed, fake.FakeMpi]:
    header = (HERE / "headers" / f"{case}.h").read_text(encoding="utf-8")
    library = (HERE / "headers" / f"{case}.c").read_text(encoding="utf-8")
    mpi = fake.build(folder, header, library)
    return describe(read(mpi.mpicc)), mpi


def facts(data: Any) -> Any:
    """A blueprint without what the catalogue says and without what differs by machine."""
    if isinstance(data, list):
        return [facts(item) for item in data]
    if isinstance(data, dict):
        return {key: facts(value) for key, value in data.items() if key not in _MEANING}
    return data


@pytest.mark.parametrize("case", CASES)
def test_the_blueprint_of_a_crafted_header_is_the_expected_one(case: str, tmp_path: Path) -> None:
    found = facts(model.to_json(run(case, tmp_path)[0].blueprint))
    for key in ("schema_version", "platform", "toolchain"):
        found.pop(key)
    del found["mpi"]["header_fingerprint"]
    expected = HERE / "expected" / f"{case}.json"
    text = model.dumps(found)
    if os.environ.get("MPIGLOT_UPDATE_EXPECTED"):
        expected.write_text(text, encoding="utf-8")
    assert found == json.loads(expected.read_text(encoding="utf-8"))


@pytest.mark.parametrize("case", CASES)
def test_the_compiler_agrees_with_the_expected_blueprint(case: str, tmp_path: Path) -> None:
    header = (HERE / "headers" / f"{case}.h").read_text(encoding="utf-8")
    library = (HERE / "headers" / f"{case}.c").read_text(encoding="utf-8")
    mpi = fake.build(tmp_path, header, library)
    expected = json.loads((HERE / "expected" / f"{case}.json").read_text(encoding="utf-8"))
    assert claims.failures(expected, [str(mpi.mpicc)]) == ""


def test_a_wrong_claim_would_be_noticed(tmp_path: Path) -> None:
    mpi = fake.build(tmp_path, fake.PLAIN_HEADER, fake.PLAIN_LIBRARY)
    right = model.to_json(describe(read(mpi.mpicc)).blueprint)
    assert claims.failures(right, [str(mpi.mpicc)]) == ""
    for kind, key, value in (
        ("types", "size", 8),
        ("constants", "value", 12345),
        ("functions", "returns", "double"),
    ):
        wrong = json.loads(json.dumps(right))
        wrong[kind][0][key] = value
        assert claims.failures(wrong, [str(mpi.mpicc)]) != ""
