"""Programs for Open MPI's Java run unchanged: `Behaviour` has what they count on.

Each claim is one method of java_runtime/migration/examples/Behaviour.java, and one row of the table
in docs/reference/java-openmpi.md.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from tests.generators.java_programs import needs_java
from tests.generators.programs import INSTALLED, ROOT, run
from tests.tiers import in_turn

pytestmark = needs_java

MPIS = {
    "mpich-4.0.2": Path(shutil.which("mpiexec.mpich") or "mpiexec.mpich"),
    "openmpi-4.1.4": Path(shutil.which("mpiexec.openmpi") or "mpiexec.openmpi"),
    "intelmpi-2021.18.1": INSTALLED / "intelmpi-2021.18.1/bin/mpiexec.hydra",
}
PAGE = ROOT / "docs" / "reference" / "java-openmpi.md"
PROGRAM = ROOT / "java_runtime" / "migration" / "examples" / "Behaviour.java"


# Debian's Open MPI makes no window for a single rank.
@pytest.mark.parametrize("ranks", in_turn((2, 3, 4)))
@pytest.mark.parametrize("mpi", in_turn(tuple(MPIS)))
def test_what_programs_for_open_mpi_count_on_holds(jars: Path, mpi: str, ranks: int) -> None:
    if not MPIS[mpi].exists():
        pytest.skip(f"needs {mpi}")
    command = [sys.executable, "-m", "mpiglot.ci", "run", mpi, "-n", str(ranks)]
    done = run(*command, jars / "migration", "Behaviour")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == f"behaviour: {ranks}\n"


def test_the_page_has_a_row_for_each_claim() -> None:
    called = re.search(r"MPI\.Init\(args\);\n(.*?)if \(", PROGRAM.read_text(encoding="utf-8"), re.S)
    assert called
    claims = re.findall(r"(\w+)\(\);", called.group(1))
    (table,) = re.findall(
        r"^## Behaviour\n(.*?)^## ", PAGE.read_text(encoding="utf-8"), re.M | re.S
    )
    rows = re.findall(r"^\| .* \| `(\w+)` \|$", table, re.M)
    assert set(rows) - {"none"} == set(claims)
