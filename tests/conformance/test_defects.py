"""Every defect that lets tests skip is proved by a plain C program, or it is said why not."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import MpiglotError
from mpiglot.generators.inputs import Inputs
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import installed
from tests.conformance import twins
from tests.conformance.defects import PROOFS, definitions, proofs, ranks
from tests.conformance.translate import HERE, cases, functions
from tests.limits import guard

IDS = {defect.id for defect in matrix().defects}


def test_every_proof_is_of_a_defect_and_says_its_ranks() -> None:
    assert set(proofs()) <= IDS
    assert all(1 <= ranks(source) <= 4 for source in proofs().values())


def test_every_defect_that_lets_a_case_fail_has_a_proof() -> None:
    assert {defect.id for defect in matrix().defects if defect.cases} <= set(proofs())


def test_every_defect_that_the_tests_of_c_plus_plus_ask_for_has_a_proof() -> None:
    asked = set()
    for path in (HERE / "cpp").glob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        asked |= set(re.findall(r"\b(?:defect|without|known)\(\"([a-z0-9-]+)\"\)", text))
    assert len(asked) > 10
    assert asked - set(proofs()) == set()


def test_every_pattern_of_cases_fits_a_case() -> None:
    known = functions(Inputs.of_known())
    stated = cases(HERE / "cases")
    names = [case.name for case in stated + twins.cases(known, stated)]
    for defect in matrix().defects:
        for pattern in defect.cases:
            whole = re.compile(pattern.replace("*", ".*"))
            assert any(whole.fullmatch(name) for name in names), f"{defect.id}: {pattern}"


def test_proofs_compile_without_a_warning(tmp_path: Path) -> None:
    try:
        cc = installed(matrix().get("mpich-4.0.2")).cc
    except MpiglotError as problem:
        pytest.skip(str(problem))
    command = [str(cc), "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
    command += ["-include", str(definitions("mpich-4.0.2", tmp_path))]
    made = subprocess.run(
        [*command, *map(str, sorted(PROOFS.glob("*.c")))],
        capture_output=True,
        text=True,
        timeout=guard(120),
        check=False,
    )
    assert made.returncode == 0, made.stderr
