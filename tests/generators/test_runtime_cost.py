"""What a call of the C++ runtime may cost above C, in instructions: every operation, blocking,
nonblocking and persistent."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.limits import guard
from tests.tiers import in_turn

BENCHMARKS = Path(__file__).resolve().parents[2] / "cpp_runtime/benchmarks"
# The limits are those of these compilers.
VERSIONS = {"g++": "12", "clang++-19": "19"}


COLUMNS = [
    ("g++", "-O2", "off"),
    ("clang++-19", "-O3", "light"),
    ("g++", "-O3", "light"),
    ("clang++-19", "-O2", "off"),
    ("g++", "-O2", "light"),
    ("clang++-19", "-O3", "off"),
    ("g++", "-O3", "off"),
    ("clang++-19", "-O2", "light"),
]


@pytest.mark.parametrize(("compiler", "optimised", "checks"), in_turn(COLUMNS))
def test_no_operation_costs_more_instructions_than_are_held(
    compiler: str, optimised: str, checks: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for tool in ("valgrind", "mpicxx.mpich", compiler):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    version = subprocess.run(
        [compiler, "-dumpversion"], capture_output=True, text=True, check=True, timeout=guard(30)
    ).stdout
    if version.split(".")[0].strip() != VERSIONS[compiler]:
        pytest.skip(f"the limits are those of {compiler} {VERSIONS[compiler]}")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    counting = __import__("counting")
    flags = [optimised, "-DNDEBUG", *counting.CHECKS[checks], *counting.includes()]
    counts = counting.count_calls([compiler, *flags], [], tmp_path)
    held = counting.limits(compiler, optimised, checks)
    assert {one.name for one in counts} == held.keys()
    assert {one.name: one.above for one in counts if one.above > held[one.name]} == {}
    assert [one.name for one in counts if one.named_allocations > one.plain_allocations] == []
