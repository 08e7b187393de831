"""What of a large set of cases is tested now: all in the matrix run, some in turn at the gate.

`ci/test` says which in MPIGLOT_TIER ("gate", "matrix", or "changed" for what a change has touched)
and MPIGLOT_TURN (the day of the commit). Without them, as when pytest is called by hand,
the turn is 0 and no test of ROTATING is left out.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")
# Tests, or files of tests, that start compilers and launchers: at the gate each runs once in so
# many turns.
ROTATING = {
    "tests/doctor/test_doctor_command.py": 4,
    "tests/doctor/test_doctor_failures.py": 4,
    "tests/doctor/test_doctor_fixes.py": 4,
    "tests/doctor/test_doctor_mixups.py": 4,
    "tests/doctor/test_doctor_well.py": 4,
    "tests/docs/test_layout_benchmarks.py": 2,
    "tests/docs/test_public_headers.py::test_clang_tidy_finds_no_mistake_in_a_header": 2,
    "tests/catalogue/test_recipe.py": 3,
    "tests/cli/test_generate.py": 2,
    "tests/generators/test_cpp_compiles.py": 2,
    "tests/generators/test_cpp_cost.py": 2,
    "tests/generators/test_cpp_guard.py": 2,
    "tests/generators/test_java_ends.py": 2,
    "tests/generators/test_java_jmh.py": 4,
    "tests/generators/test_java_languages.py": 4,
    "tests/generators/test_java_libraries.py": 2,
    "tests/generators/test_java_programs.py": 2,
    "tests/generators/test_java_runs.py": 2,
    "tests/generators/test_java_snippets.py": 2,
    "tests/generators/test_java_start.py": 2,
    "tests/generators/test_odd.py": 5,
    "tests/generators/test_runtime_cost.py": 2,
    "tests/generators/test_subset.py": 3,
    "tests/generators/test_trial.py": 3,
    "tests/packages/test_cpp.py": 2,
    "tests/parser/test_known.py": 2,
    "tests/parser/test_probe_command.py": 3,
    "tests/plugins/test_rust.py": 2,
}
# Files whose tests share what is expensive: at the gate one file of each group.
ONE_OF = (
    (
        "tests/packages/test_go_package.py",
        "tests/packages/test_java_junit.py",
        "tests/packages/test_java_osgi.py",
        "tests/packages/test_java_package.py",
        "tests/packages/test_java_projects.py",
    ),
)
# Cases of a test take turns by the remainder of the turn (`in_turn`), tests by that of the turn and
# its lap: otherwise a case and its test would never have their turn together.
_LAP = 13


def matrix_run() -> bool:
    """Whether everything is tested, as in `ci/test --matrix`."""
    return os.environ.get("MPIGLOT_TIER") == "matrix"


def turn() -> int:
    """The number that says whose turn it is; the next one each day."""
    return int(os.environ.get("MPIGLOT_TURN", "0"))


def in_turn(cases: Sequence[Case], *, most: int = 1) -> list[Case]:
    """All cases in the matrix run; at the gate `most` of them, the next ones each turn."""
    if matrix_run() or most >= len(cases):
        return list(cases)
    first = turn() * most
    return [cases[(first + i) % len(cases)] for i in range(most)]


def has_its_turn(name: str) -> bool:
    """Whether a test (`FILE::FUNCTION[CASE]`) runs now."""
    if os.environ.get("MPIGLOT_TIER") != "gate":
        return True
    file, function = name.split("::")[0], name.split("[")[0]
    now = turn() + turn() // _LAP
    for group in ONE_OF:
        if file in group:
            return file == group[now % len(group)]
    turns = ROTATING.get(function, ROTATING.get(file, 1))
    return zlib.crc32(name.encode()) % turns == now % turns
