"""Runs mpi4py's test suite with and without the PMPI library, and tells whether that differs.

    .venv/bin/python -m tests.pmpi.mpi4py_suite MPI [RANKS ...]

builds mpi4py for the MPI (a name of the matrix, or several with commas between; source from the
package index, once) and runs its tests on 1 and 2 ranks, or as many as are said; a run takes some
minutes. Exit code 1 where a test fails only with the library. `--build-only` builds.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import venv
from dataclasses import dataclass
from pathlib import Path

from mpiglot.generators.inputs import Inputs
from mpiglot.generators.pmpi.report import text
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import installed
from tests.pmpi.preloading import ROOT, Preloaded

VERSION = "4.1.2"
FOLDER = ROOT / "build" / "mpi4py"
# Spawned processes outlive a run that fails, the launchers' name servers are not running, and the
# locks of util_sync hang on a busy machine, with and without the library.
EXCLUDED = ("-e", "spawn", "-e", "dynproc", "-e", "util_sync")


@dataclass
class Result:
    """What one run of the suite came to."""

    code: int
    tests: int
    bad: set[str]
    last: str


def tree() -> Path:
    """mpi4py's source tree."""
    out = FOLDER / f"mpi4py-{VERSION}"
    if not out.is_dir():
        FOLDER.mkdir(parents=True, exist_ok=True)
        download = ["download", "-q", "--no-deps", "--no-binary", ":all:", "--no-build-isolation"]
        pip([*download, "-d", str(FOLDER), f"mpi4py=={VERSION}"], Path(sys.executable))
        with tarfile.open(FOLDER / f"mpi4py-{VERSION}.tar.gz") as archive:
            archive.extractall(FOLDER, filter="data")
    return out


def python() -> Path:
    """An interpreter with what building mpi4py needs."""
    out = FOLDER / "venv" / "bin" / "python"
    if not out.exists():
        venv.create(FOLDER / "venv", with_pip=True)
    if subprocess.run([out, "-c", "import Cython, setuptools"], capture_output=True).returncode:
        pip(["install", "-q", "cython", "setuptools"], out)
    return out


def pip(arguments: list[str], interpreter: Path) -> None:
    subprocess.run([interpreter, "-m", "pip", *arguments], timeout=600, check=True)


def built(mpi: Preloaded) -> Path:
    """mpi4py for one MPI."""
    out = FOLDER / mpi.name
    if not list(out.glob("mpi4py/MPI*.so")):
        environment = {
            **mpi.environment,
            "MPICC": str(mpi.installation.cc),
            "CFLAGS": "-O0 -g0",
        }
        temporary = str(FOLDER / "objects" / mpi.name)
        command = ["build", "--build-lib", str(out), "--build-temp", temporary]
        subprocess.run(
            [python(), "setup.py", "-q", *command], cwd=tree(), env=environment, timeout=1800,
            check=True, stdout=subprocess.DEVNULL,
        )  # fmt: skip
    return out


def run(mpi: Preloaded, ranks: int, report: Path | None) -> Result:
    environment = {"PYTHONPATH": str(built(mpi)), "PYTHONDONTWRITEBYTECODE": "1"}
    mpi.environment.update(environment)
    command = [str(python()), str(tree() / "test" / "main.py"), "-v", *EXCLUDED]
    with tempfile.TemporaryDirectory() as scratch:
        outcome = mpi.run(command, ranks, Path(scratch) / "said", report, limit=1800)
    bad = set(re.findall(r"^(?:FAIL|ERROR): (.*?)(?: \[.*)?$", outcome.output, re.M))
    ran = [int(n) for n in re.findall(r"Ran (\d+) tests", outcome.output)]
    ends = re.findall(r"^(OK.*|FAILED.*)$", outcome.output, re.M)
    return Result(outcome.code, sum(ran), bad, ends[-1] if ends else outcome.output[-300:])


def compare(mpi: Preloaded, ranks: int) -> bool:
    """One comparison, told; whether nothing failed because of the library."""
    plain = run(mpi, ranks, None)
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report"
        routed = run(mpi, ranks, report)
        print(f"== {mpi.name}, {ranks} ranks, mpi4py {VERSION}")
        for title, result in (("without", plain), ("with", routed)):
            failed = f", failed: {', '.join(sorted(result.bad))}" if result.bad else ""
            print(f"{title}: {result.tests} tests, {result.last}, exit {result.code}{failed}")
        if report.exists():
            print(text(mpi.report(report), None))
    same = routed.bad <= plain.bad and routed.tests == plain.tests and routed.code == plain.code
    print("the same" if same else "DIFFERENT", flush=True)
    return same and plain.tests > 0


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("mpis")
    parser.add_argument("ranks", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--build-only", action="store_true")
    wish = parser.parse_args()
    inputs = Inputs.of_known()
    good = True
    for name in wish.mpis.split(","):
        folder = ROOT / "build" / "pmpi" / name
        folder.mkdir(parents=True, exist_ok=True)
        mpi = Preloaded(installed(matrix().get(name)), folder)
        mpi.build(inputs)
        built(mpi)
        if not wish.build_only:
            for ranks in wish.ranks:
                good = compare(mpi, ranks) and good
    return 0 if good else 1


if __name__ == "__main__":
    os.nice(5)
    sys.exit(main())
