"""Starts examples/algorithms/solver.cpp with ranks that die.

    solver.py PROGRAM LAUNCHER...

Where MPI survives that, the ranks that are left end with what is right; elsewhere the program says
what is missing, and fails.
"""

from __future__ import annotations

import subprocess
import sys

LIMIT = 60.0  # seconds; a run takes one
DEATHS = ("", "10 1", "0 3 1 0", "20 3 20 2", "49 0")  # steps, and who dies there


def run(command: list[str]) -> tuple[int, str]:
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=LIMIT,
        check=False,
    )
    return done.returncode, done.stdout.decode(errors="replace")


def main() -> None:
    program, *launcher = sys.argv[1:]
    surviving = [*launcher, "--with-ft", "ulfm", "-n", "4", program]
    if run(surviving)[0] != 0:
        code, output = run([*launcher, "-n", "2", program])
        if code == 0 or "not possible here: " not in output:
            sys.exit(f"exit code {code}:\n{output}")
        return
    for deaths in DEATHS:
        words = deaths.split()
        code, output = run([*surviving, *words])
        expected = f"right on {4 - len(words) // 2} of 4 ranks"
        if code != 0 or expected not in output:
            sys.exit(f"{deaths}: exit code {code}, not: {expected}:\n{output}")


main()
