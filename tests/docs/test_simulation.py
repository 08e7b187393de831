"""What simulate.py runs on a simulated machine ends and takes time there. No time is compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.tiers import in_turn

BENCHMARKS = Path(__file__).resolve().parents[2] / "cpp_runtime/benchmarks"


@pytest.mark.parametrize(("machine", "ranks"), in_turn([("torus", 4), ("fat tree", 9)]))
def test_each_way_takes_simulated_time(
    machine: str, ranks: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("smpicxx", "smpirun"):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    simulate = __import__("simulate")
    results = tmp_path / "simulated.json"
    program = simulate.build(tmp_path)
    simulate.keep(list(simulate.simulated(program, machine, ranks, simulate.WORK)), results)
    rows = json.loads(results.read_text(encoding="utf-8"))
    assert {(row["work"], row["each"], row["way"]) for row in rows} == {
        (work.name, work.each, way) for work in simulate.WORK for way in work.ways
    }
    assert all(row["us"] > 0 for row in rows)


def test_the_page_has_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    figure = __import__("simulate_figure")
    rows = json.loads((BENCHMARKS.parents[1] / "docs/figures/simulated.json").read_text("utf-8"))
    assert figure.tables(rows) in figure.PAGE.read_text(encoding="utf-8")
