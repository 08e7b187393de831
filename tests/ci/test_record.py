"""What parts cost is written into `parts.json` and nothing else there changes."""

from __future__ import annotations

import json
from pathlib import Path

from mpiglot.ci.parts import Task, read
from mpiglot.ci.record import measured, rewritten
from mpiglot.ci.testing import PARTS
from mpiglot.provision.matrix import matrix

TEXT = PARTS.read_text(encoding="utf-8")


def test_measured_seconds_take_the_place_of_the_old(tmp_path: Path) -> None:
    for name, cpu in {"lint": 1234.4, "Go-mpich-4.0.2": 900.2, "Go-openmpi-4.1.4": 700.0}.items():
        (tmp_path / f"{name}.json").write_text(json.dumps({"key": "x", "cpu": cpu}))
    parts = {part.name: part for part in read(PARTS)}
    text = rewritten(TEXT, parts, measured(tmp_path))
    changed = [
        new for old, new in zip(TEXT.splitlines(), text.splitlines(), strict=True) if old != new
    ]
    assert len(changed) == 2
    (tmp_path / "parts.json").write_text(text)
    found = {part.name: part for part in read(tmp_path / "parts.json")}
    assert Task(found["lint"]).cpu == 1234
    go = found["Go"]
    assert Task(go, matrix().get("mpich-4.0.2")).cpu == 900
    assert Task(go, matrix().get("openmpi-4.1.4")).cpu == 700
    before = next(part for part in read(PARTS) if part.name == "Go")
    assert Task(go, matrix().get("mpich-3.4.3")).cpu == dict(before.cpu)[""]


def test_nothing_measured_changes_nothing() -> None:
    assert rewritten(TEXT, {part.name: part for part in read(PARTS)}, {}) == TEXT
