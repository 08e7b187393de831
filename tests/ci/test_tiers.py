"""What takes turns at the gate has its turn, and runs whenever it is asked for otherwise."""

from __future__ import annotations

import pytest

from tests.ci.test_imports import ROOT
from tests.tiers import AT_MATRIX, ONE_OF, ROTATING, SLOW, has_its_turn, in_turn

DEAR = [one for group in ONE_OF for one in group]
FILES = [name.partition("::")[0] for name in (*ROTATING, *DEAR)]


def _tier(monkeypatch: pytest.MonkeyPatch, tier: str, turn: int) -> None:
    monkeypatch.setenv("MPIGLOT_TIER", tier)
    monkeypatch.setenv("MPIGLOT_TURN", str(turn))


def _test(name: str) -> str:
    """A test of a file, or the test itself."""
    return name if "::" in name else f"{name}::test_a"


def test_every_case_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    for turn in range(5, 8):
        _tier(monkeypatch, "gate", turn)
        assert in_turn("abc", most=3) == ["a", "b", "c"]
        seen += in_turn("abc")
    assert sorted(seen) == ["a", "b", "c"]
    _tier(monkeypatch, "matrix", 5)
    assert in_turn("abc") == ["a", "b", "c"]


@pytest.mark.parametrize("cases", range(1, 6))
def test_every_test_has_its_turn_with_each_of_its_cases(
    cases: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = set[tuple[str, int]]()
    for turn in range(20_785, 20_785 + 2 * 365):  # the days of two years
        _tier(monkeypatch, "gate", turn)
        (case,) = in_turn(range(cases))
        seen |= {(file, case) for file in FILES if has_its_turn(f"{file}::test_a[{case}]")}
        assert has_its_turn("tests/ci/test_tiers.py::test_a")
        seen |= {(one, case) for one in DEAR if has_its_turn(f"{_test(one)}[{case}]")}
    assert seen == {(one, case) for one in (*FILES, *DEAR) for case in range(cases)}


def test_one_file_of_a_group_has_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    for turn in range(0, 60 * 6, 7):
        _tier(monkeypatch, "gate", turn)
        for group in ONE_OF:
            names = {one: [_test(one) + str(i) for i in range(9)] for one in group}
            names |= {one: [one] for one in group if "::" in one}
            assert sum(any(map(has_its_turn, tests)) for tests in names.values()) == 1


@pytest.mark.parametrize("tier", ["matrix", "changed", ""])
def test_nothing_is_left_out_elsewhere(tier: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _tier(monkeypatch, tier, 0)
    assert all(has_its_turn(f"{file}::test_{i}") for file in FILES for i in range(9))


def test_the_gate_leaves_the_matrix_run_its_own_tests_and_the_quick_run_those_in_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in AT_MATRIX:
        for turn in range(60):
            _tier(monkeypatch, "gate", turn)
            assert not has_its_turn(_test(name))
        _tier(monkeypatch, "matrix", 0)
        assert has_its_turn(_test(name))
    _tier(monkeypatch, "quick", 0)
    for name in (*SLOW, *ROTATING, *DEAR):
        assert not has_its_turn(_test(name))
    assert has_its_turn("tests/ci/test_tiers.py::test_a")


def test_what_takes_turns_is_there() -> None:
    for name in (*ROTATING, *AT_MATRIX, *SLOW, *DEAR):
        file, _, function = name.partition("::")
        assert f"def {function}(" in (ROOT / file).read_text("utf-8") if function else True
        assert (ROOT / file).is_file()
