"""`mpiglot doctor --json` is what its schema says, for sound, broken and missing MPIs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import fastjsonschema
import pytest

from mpiglot.doctor.model import SCHEMA_VERSION
from tests.doctor.doctor_fakes import fake_mpi, tools
from tests.limits import guard

ROOT = Path(__file__).resolve().parents[2]
PATH = ROOT / "blueprints" / "schemas" / "doctor.schema.json"
SCHEMA: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))


def closed(schema: Any) -> Any:
    """The same schema, in which objects have no keys but those it names."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: closed(value) for key, value in schema.items()}
    if "properties" in out:
        out["additionalProperties"] = False
    return out


#: Variables of the shell, whether there is an MPI, and the exit code.
SHELLS: dict[str, tuple[dict[str, str], bool, int]] = {
    "sound": ({}, True, 0),
    "a finding about a variable": ({"MPI_HOME": "/nowhere"}, True, 1),
    "a program that dies": ({"FAKE_TROUBLE": "die"}, True, 1),
    "a program that hangs": ({"FAKE_TROUBLE": "hang"}, True, 1),
    "no MPI": ({}, False, 3),
}


@pytest.mark.parametrize("name", SHELLS)
def test_the_output_is_what_the_schema_says(
    name: str, shell: dict[str, str], tmp_path: Path
) -> None:
    extra, there, code = SHELLS[name]
    path = str(tools(tmp_path / "tools", "sh", "gcc", "as", "ld", "sleep", "env"))
    if there:
        path = f"{fake_mpi(tmp_path / 'fake').parent}:{path}"
    answer = subprocess.run(
        [sys.executable, "-m", "mpiglot", "doctor", "--json", "--timeout", "2"],
        env={**shell, "PATH": path, **extra},
        capture_output=True,
        text=True,
        timeout=guard(60),
        check=False,
    )
    assert answer.returncode == code, answer.stdout + answer.stderr
    fastjsonschema.validate(closed(SCHEMA), json.loads(answer.stdout))


def test_the_schema_has_the_version_that_is_printed() -> None:
    assert SCHEMA["properties"]["schema_version"] == {"const": SCHEMA_VERSION}


def test_what_the_schema_does_not_know_is_noticed() -> None:
    with pytest.raises(fastjsonschema.JsonSchemaException):
        fastjsonschema.validate(closed(SCHEMA), {"schema_version": 2})
