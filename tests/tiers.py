"""What of a large set of cases is tested now: all in the matrix run, some in turn at the gate.

`ci/test` says which in MPIGLOT_TIER ("gate", "quick", "matrix", or "changed" for what a change has
touched) and MPIGLOT_TURN (the day of the commit). Without them, as when pytest is called by hand,
the turn is 0 and no test is left out.
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
    "tests/catalogue/test_check.py": 2,
    "tests/catalogue/test_recipe.py": 4,
    "tests/ci/test_environment.py": 2,
    "tests/ci/test_imports.py": 2,
    "tests/ci/test_launch.py": 3,
    "tests/ci/test_lint.py": 2,
    "tests/ci/test_mutation.py": 2,
    "tests/ci/test_news.py": 2,
    "tests/ci/test_obtain.py": 2,
    "tests/ci/test_workflows.py": 3,
    "tests/cli/test_fuzz.py": 2,
    "tests/cli/test_generate.py": 4,
    "tests/cli/test_progress.py": 3,
    "tests/cli/test_questions.py": 2,
    "tests/cli/test_times.py": 4,
    "tests/conformance/test_defects.py": 2,
    "tests/doctor/test_doctor_command.py": 4,
    "tests/doctor/test_doctor_failures.py": 4,
    "tests/doctor/test_doctor_fixes.py": 6,
    "tests/doctor/test_doctor_json.py": 4,
    "tests/doctor/test_doctor_mixups.py": 6,
    "tests/doctor/test_doctor_setups.py": 4,
    "tests/doctor/test_doctor_well.py": 4,
    "tests/generators/test_32_bits.py": 4,
    "tests/generators/test_accounting.py": 2,
    "tests/generators/test_constructs.py": 4,
    "tests/generators/test_cpp_abi.py": 3,
    "tests/generators/test_cpp_compiles.py": 6,
    "tests/generators/test_cpp_cost.py": 8,
    "tests/generators/test_cpp_guard.py": 3,
    "tests/generators/test_go_runs.py": 4,
    "tests/generators/test_java_dropped.py": 6,
    "tests/generators/test_java_ends.py": 8,
    "tests/generators/test_java_fuzz.py": 2,
    "tests/generators/test_java_inside.py": 4,
    "tests/generators/test_java_libraries.py": 4,
    "tests/generators/test_java_migration.py": 3,
    "tests/generators/test_java_mistakes.py": 6,
    "tests/generators/test_java_pins.py": 6,
    "tests/generators/test_java_programs.py": 6,
    "tests/generators/test_java_runs.py": 4,
    "tests/generators/test_java_signals.py": 2,
    "tests/generators/test_java_snippets.py": 3,
    "tests/generators/test_java_start.py": 6,
    "tests/generators/test_java_surviving.py": 12,
    "tests/generators/test_narrower.py": 3,
    "tests/generators/test_odd.py": 8,
    "tests/generators/test_subset.py": 6,
    "tests/generators/test_trial.py": 6,
    "tests/packages/test_cpp.py": 4,
    "tests/packages/test_java_package.py": 2,
    "tests/packages/test_java_projects.py": 2,
    "tests/packages/test_pmpi_package.py": 4,
    "tests/parser/test_known.py": 3,
    "tests/parser/test_probe_command.py": 4,
    "tests/parser/test_strange_wrappers.py": 4,
    "tests/plugins/test_rust.py": 4,
    "tests/pmpi/test_pmpi.py": 2,
}
# What only the matrix run has: benchmark programs, and what other tools than ours make of packages.
AT_MATRIX = frozenset(
    {
        "tests/docs/test_deep_copy_benchmark.py",
        "tests/docs/test_device_benchmark.py",
        "tests/docs/test_layout_benchmarks.py",
        "tests/docs/test_simulation.py",
        "tests/generators/test_java_jmh.py",
        "tests/generators/test_java_languages.py",
        "tests/packages/test_java_osgi.py",
        "tests/packages/test_java_projects.py::test_a_project_of_gradle_tests_on_ranks_and_counts_lines",
    }
)
# What `ci/test --quick` leaves out beside all of the above: what compiles or waits for long.
SLOW = frozenset(
    {
        "tests/ci/test_environment.py",
        "tests/ci/test_launch.py",
        "tests/ci/test_obtain.py",
        "tests/cli/test_fuzz.py",
        "tests/conformance/test_defects.py",
        "tests/docs/test_pages.py",
        "tests/generators/test_cpp_abi.py",
        "tests/generators/test_goldens.py",
    }
)
# Files whose tests share what is expensive, and tests of ten CPU seconds and more: at the gate one
# of each group.
ONE_OF = (
    (
        "tests/docs/test_first_program.py::test_the_first_program_runs_after_the_commands_of_its_page",
        "tests/docs/test_public_headers.py::test_clang_tidy_finds_no_mistake_in_a_header",
        "tests/generators/test_cpp_cost.py::test_no_function_costs_more_than_the_shapes_do",
        "tests/generators/test_go_runs.py::test_building_again_gives_the_same_program",
        "tests/generators/test_go_runs.py::test_running_out_of_callbacks_is_an_error",
        "tests/generators/test_java_ends.py::test_a_process_that_does_not_get_to_the_end_ends_the_job",
        "tests/generators/test_odd.py::test_an_odd_declaration_compiles_or_is_left_out_with_its_reason",
        "tests/generators/test_runtime_cost.py",
    ),
    (
        "tests/packages/test_go_package.py",
        "tests/packages/test_java_junit.py",
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
    tier = os.environ.get("MPIGLOT_TIER")
    if tier not in ("gate", "quick"):
        return True
    file, function = name.split("::")[0], name.split("[")[0]
    if not AT_MATRIX.isdisjoint((file, function)):
        return False
    if tier == "quick":
        dear = {*ROTATING, *SLOW, *(one for group in ONE_OF for one in group)}
        return dear.isdisjoint((file, function))
    now = turn() + turn() // _LAP
    for group in ONE_OF:
        if function in group:
            return function == group[now % len(group)]
        if file in group:
            if file != group[now % len(group)]:
                return False
            now //= len(group)
    turns = ROTATING.get(function, ROTATING.get(file, 1))
    return zlib.crc32(name.encode()) % turns == now % turns
