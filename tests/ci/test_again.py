"""After a failure only what failed runs again, and what it kept from running."""

from __future__ import annotations

import pytest

from mpiglot.ci.again import again, failures


@pytest.mark.parametrize(
    ("kind", "command", "output", "expected"),
    [
        ("pytest", "python -m pytest a", "1 failed", ["python -m pytest a --last-failed"]),
        ("ctest", "ctest --test-dir x", "1 failed", ["ctest --test-dir x --rerun-failed"]),
        ("ctest", "cmake --build x", "error", []),
        (
            "go",
            "run tests",
            "--- FAIL: TestA (0.1s)\n    --- FAIL: TestA/b (0.1s)\n--- FAIL: TestC (0s)\n"
            "--- FAIL: TestA (0.1s)\n--- PASS: TestD (0s)",
            ["run tests -test.run ^(TestA|TestC)$"],
        ),
        ("go", "run demo", "crash", ["run demo"]),
        (
            "java",
            "run tests",
            "FAILED on rank 1: MessageTests.goes_round\nFAILED on rank 0: MessageTests.goes_round",
            ["run tests goes_round"],
        ),
        ("java", "run tests", "crash", ["run tests"]),
        (
            "line",
            "counter run go m --fresh -n 2 program",
            "FAILED: gathers_parts on rank 1 of 2 with MPICH: no\n0 passed, 1 failed, 0 skipped",
            [
                "counter run go m -n 2 program gathers_parts",
                "counter run go m -n 2 program -- -gathers_parts",
            ],
        ),
        (
            "line",
            "counter run go m program -- -views",
            "FAILED: a on rank 1 of 2 with MPICH: no",
            ["counter run go m program -- -views a", "counter run go m program -- -views -a"],
        ),
        ("line", "endings m ending", "FAIL return: it hung:\n", ["endings m ending return"]),
        ("line", "counter cpp m program", "crash", ["counter cpp m program"]),
        ("exit", "lint", "bad", []),
    ],
)
def test_only_what_failed_runs_again(
    kind: str, command: str, output: str, expected: list[str]
) -> None:
    assert [" ".join(words) for words in again(kind, command.split(), output)] == expected


@pytest.mark.parametrize(
    ("kind", "output", "names"),
    [
        (
            "pytest",
            "FAILED tests/a.py::test_b[x] - assert 1\nERROR tests/c.py::test_d\n1 failed",
            {"tests/a.py::test_b[x]", "tests/c.py::test_d"},
        ),
        (
            "ctest",
            "2/3 Test #2: core.2 ...***Failed\nThe following tests FAILED:\n"
            "\t  2 - core.2 (Failed)\n\t 13 - views.3 (Timeout)\n",
            {"core.2", "views.3"},
        ),
        ("go", "--- FAIL: TestA (0.1s)\n--- PASS: TestD (0s)", {"TestA"}),
        ("java", "FAILED on rank 1: MessageTests.goes_round", {"goes_round"}),
        (
            "line",
            "FAILED: gathers on rank 1 of 2 with MPICH: no\nFAIL dies-early: no",
            {"gathers", "dies-early"},
        ),
        ("exit", "FAILED", set()),
    ],
)
def test_tests_that_failed_are_known_by_name(kind: str, output: str, names: set[str]) -> None:
    assert failures(kind, output) == names
