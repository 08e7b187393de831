"""Starts surviving.cpp with processes that die, and examples/algorithms/solver.cpp.

Where MPI survives that, the others end with what is right; elsewhere the job ends soon, fails, and
says what is missing.

    surviving.py PROGRAM SOLVER LAUNCHER...
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

LIMIT = 90.0  # seconds; a run takes three
SOON = 10.0
ALONE = (("calls", 4), ("calls", 3), ("lost", 4), ("uncaught", 4), ("thrown", 3))
OFTEN = ("states", "steps")
DEATHS = ("", "10 1", "0 3 1 0", "20 3 20 2", "49 0")  # steps of the solver, and who dies there
# Over several hosts mpiexec of Open MPI 5.0.11 returns 0 after MPI_Abort, also in plain C.
ON_HOSTS = "MPIGLOT_HOSTS" in os.environ
# Open MPI 5.0.11 crashes there, also in plain C, if a process dies while others make a
# communicator.
MAKES_ANOTHER = "(ompi_comm_revoke_local"


def is_running(program: str) -> bool:
    links = Path("/proc").glob("[0-9]*/exe")
    return any(os.path.realpath(link) == os.path.realpath(program) for link in links)


def run(command: list[str], aborts: str = "") -> tuple[int, str]:
    """The exit code, and what was printed; ends the test if the job does not end.

    Once processes have failed, the launcher of Open MPI 5.0.11 may go on for ever when others call
    MPI_Abort, also in plain C. Then the program `aborts` has to be gone.
    """
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    ) as job:
        try:
            output = job.communicate(timeout=SOON if aborts else LIMIT)[0]
        except subprocess.TimeoutExpired:
            gone = aborts and not is_running(aborts)
            os.killpg(job.pid, 9)
            output = job.communicate()[0]
            if gone:
                return 1, output.decode(errors="replace")
            sys.exit(f"{' '.join(command)}: does not end:\n{output.decode(errors='replace')}")
    return job.returncode, output.decode(errors="replace")


def require(right: bool, command: list[str], output: str, what: str) -> None:
    if not right:
        sys.exit(f"{' '.join(command)}: {what}:\n{output}")


def survives(program: str, launcher: list[str], result: Path) -> None:
    for kind, ranks in ALONE:
        command = [*launcher, "-n", str(ranks), program, kind]
        code, output = run(command, program if kind == "uncaught" else "")
        told = "nobody caught" in output and ON_HOSTS
        right = code != 0 or told if kind == "uncaught" else code == 0
        require(right, command, output, f"exit code {code}")
        require("wrong" not in output, command, output, "wrong")
    seeds = 20 if os.environ.get("MPIGLOT_TIER") == "matrix" else 2
    for kind, seed in product(OFTEN, range(1, seeds + 1)):
        dead = 1 + seed % 2
        command = [
            *launcher,
            "-n",
            str(3 + seed % 3),
            program,
            kind,
            str(seed),
            str(dead),
            str(result),
        ]
        result.write_text("", "utf-8")
        code, output = run(command)
        if MAKES_ANOTHER in output:
            continue
        require(code == 0, command, output, f"exit code {code}")
        require(
            result.read_text("utf-8") == "right", command, output, "does not say that it is right"
        )


def solves(solver: str, launcher: list[str]) -> None:
    for deaths in DEATHS:
        command = [*launcher, "-n", "4", solver, *deaths.split()]
        code, output = run(command)
        left = 4 - len(deaths.split()) // 2
        require(code == 0, command, output, f"exit code {code}")
        require(f"right on {left} of 4 ranks" in output, command, output, "does not say so")


def ends_elsewhere(launcher: list[str], *program: str) -> None:
    command = [*launcher, "-n", "3", *program]
    begin = monotonic()
    code, output = run(command)
    require(monotonic() - begin < SOON, command, output, "takes long")
    require(code != 0, command, output, "ends well")
    require("not possible here: " in output, command, output, "says nothing")


def main() -> None:
    program, solver, *launcher = sys.argv[1:]
    tolerant = [*launcher, "--with-ft", "ulfm"]
    if run([*tolerant, "-n", "1", program, "possible"]) == (0, "possible\n"):
        with TemporaryDirectory() as folder:
            survives(program, tolerant, Path(folder, "result"))
        solves(solver, tolerant)
    ends_elsewhere(launcher, program, "states", "1", "1")
    ends_elsewhere(launcher, solver)


main()
