"""What takes turns at the gate has its turn, and runs whenever it is asked for otherwise."""

from __future__ import annotations

import pytest

from tests.ci.test_imports import ROOT
from tests.tiers import ROTATING, has_its_turn, in_turn


def _tier(monkeypatch: pytest.MonkeyPatch, tier: str, turn: int) -> None:
    monkeypatch.setenv("MPIGLOT_TIER", tier)
    monkeypatch.setenv("MPIGLOT_TURN", str(turn))


def test_every_case_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for turn in range(5, 8):
        _tier(monkeypatch, "gate", turn)
        assert in_turn("abc", most=3) == ["a", "b", "c"]
        seen += in_turn("abc")
    assert sorted(seen) == ["a", "b", "c"]
    _tier(monkeypatch, "matrix", 5)
    assert in_turn("abc") == ["a", "b", "c"]


def test_every_test_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    file = "tests/doctor/test_doctor_fixes.py"
    names = [f"{file}::test_a[{i}]" for i in range(30)]
    seen = []
    for turn in range(10, 13):
        _tier(monkeypatch, "gate", turn)
        seen += [name for name in names if has_its_turn(name)]
        assert has_its_turn("tests/ci/test_tiers.py::test_a")
    assert sorted(seen) == sorted(names)


@pytest.mark.parametrize("tier", ["matrix", "changed", ""])
def test_nothing_is_left_out_elsewhere(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _tier(monkeypatch, tier, 0)
    assert all(has_its_turn(f"{name}::test_{i}") for name in ROTATING for i in range(9))


def test_what_takes_turns_is_there() -> None:
    for name in ROTATING:
        file, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text("utf-8") if function else True
        assert (ROOT / file).is_file()
