"""`python -m mpiglot.ci.record`: writes the CPU seconds that parts used into `parts.json`.

They come from `build/passed`, where each run of `ci/test` leaves them.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from mpiglot.ci.parts import Part, read, tasks
from mpiglot.ci.testing import PARTS
from mpiglot.cli import run as run_command
from mpiglot.provision.matrix import matrix


def measured(folder: Path) -> dict[str, float]:
    """CPU seconds by the name of the task."""
    return {
        path.stem: json.loads(path.read_text(encoding="utf-8")).get("cpu", 0.0)
        for path in folder.glob("*.json")
    }


def entry(part: Part, found: Mapping[str, float]) -> str:
    """The value of `cpu`: what was measured, by MPI where it is not what is said of the others."""
    cpu = dict(part.cpu)
    for task in tasks([part], matrix().mpis):
        seconds = max(round(found.get(task.file, 0.0)), 0)
        if seconds:
            cpu[task.mpi.name if task.mpi else ""] = seconds
    usual = cpu.pop("")
    others = {name: cpu[name] for name in sorted(cpu) if abs(cpu[name] - usual) > usual / 10}
    return json.dumps({"": usual, **others} if others else usual)


def rewritten(text: str, parts: Mapping[str, Part], found: Mapping[str, float]) -> str:
    """The text of `parts.json` with what was measured."""

    def renewed(block: re.Match[str]) -> str:
        value = entry(parts[block[2]], found)
        return f"{block[1]}{value}{block[4]}"

    pattern = r'("name": "([^"]+)",(?:(?!"name": ).)*?"cpu": )([\d.]+|\{[^}]*\})(\n|,)'
    return re.sub(pattern, renewed, text, flags=re.DOTALL)


@click.command(name="python -m mpiglot.ci.record")
@click.argument("folder", default="build/passed", type=click.Path(path_type=Path, exists=True))
def command(folder: Path) -> None:
    """Write the CPU seconds of the last runs into parts.json."""
    parts = {part.name: part for part in read(PARTS)}
    text = PARTS.read_text(encoding="utf-8")
    PARTS.write_text(rewritten(text, parts, measured(folder)), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(run_command(command))
