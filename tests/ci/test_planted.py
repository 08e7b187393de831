"""The planted defects fit the code as it is."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from mpiglot.ci.planted import PATCHES
from mpiglot.provision.obtain import checkout

ROOT = checkout() or Path.cwd()


@pytest.mark.parametrize("patch", sorted(PATCHES.glob("*.patch")), ids=lambda patch: patch.stem)
def test_a_planted_defect_can_be_applied(patch: Path) -> None:
    done = subprocess.run(
        ["git", "-c", "safe.directory=*", "apply", "--check", str(patch)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"mend tests/planted/{patch.name}: {done.stderr}"
