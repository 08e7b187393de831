"""Running the command: in this process where that is enough, as a program where it must be."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mpiglot import cli
from tests.known import known_inputs  # noqa: F401 - a fixture
from tests.limits import guard


@dataclass
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def mpiglot(capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Runs `mpiglot` with arguments in this process."""

    def run(*arguments: object) -> Done:
        capsys.readouterr()
        code = cli.run(cli.command_group(), [str(a) for a in arguments])
        captured = capsys.readouterr()
        return Done(code, captured.out, captured.err)

    return run


@pytest.fixture
def program(tmp_path: Path) -> Callable[..., Done]:
    """Runs `mpiglot` as a program of its own."""

    def run(*arguments: object, stdin: str = "", env: dict[str, str] | None = None) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "mpiglot", *[str(a) for a in arguments]],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=guard(120),
            env={**os.environ, **(env or {})},
            cwd=tmp_path,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    return run


@pytest.fixture
def tiny(tmp_path: Path) -> Callable[..., Path]:
    """Writes a small good blueprint with changes: `tiny("a.json", mpi={"version": "2"})`."""

    def write(name: str = "tiny.json", **changes: Any) -> Path:
        data: dict[str, Any] = {
            "schema_version": 1,
            "mpi": {
                "vendor": "Tiny",
                "version": "1.0",
                "standard": "3.1",
                "standard_reported": "3.1",
                "abi": "unknown",
            },
            "platform": {"architecture": "x86_64"},
            "toolchain": {"wrapper": "mpicc"},
            "types": [
                {
                    "name": "MPI_Comm",
                    "kind": "integer",
                    "size": 4,
                    "alignment": 4,
                    "underlying": "int",
                    "signed": True,
                    "handle": True,
                }
            ],
            "constants": [
                {
                    "name": "MPI_ANY_SOURCE",
                    "class": "integer",
                    "type": "int",
                    "value": -2,
                    "constant_expression": True,
                    "links": True,
                    "origin": "macro",
                }
            ],
            "functions": [
                {
                    "name": "MPI_Comm_rank",
                    "returns": "int",
                    "parameters": [
                        {
                            "name": "comm",
                            "type": "MPI_Comm",
                            "direction": "in",
                            "role": "communicator",
                        },
                        {"name": "rank", "type": "int *", "direction": "out", "role": "rank"},
                    ],
                    "status": "links",
                    "source": "catalogue",
                }
            ],
            "callbacks": [],
        }
        for key, value in changes.items():
            if isinstance(value, dict) and isinstance(data.get(key), dict):
                data[key] = {**data[key], **value}
            else:
                data[key] = value
        path = tmp_path / name
        path.write_text(json.dumps(data))
        return path

    return write
