"""Building the test program, and running it with a time limit that ends everything it started."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from mpiglot.doctor import policies
from mpiglot.doctor.model import RankReport, Trial
from mpiglot.parser.installation import Installation
from mpiglot.parser.process import Result, run
from mpiglot.parser.vendors import vendors

SOURCE = Path(__file__).with_name("program.c")
GRACE = 2.0


def build(
    installation: Installation, program: Path, env: Mapping[str, str], limit: float
) -> Result:
    """Compiles the test program with the wrapper, as a user would.

    What has only a part of MPI 2.2 takes the program that needs no more than that.
    """
    words = [*installation.command, str(SOURCE), "-o", str(program), "-ldl"]
    first = run(words, env=env, limit=limit)
    if first.ok:
        return first
    few = run([*words, "-DMPIGLOT_FEW"], env=env, limit=limit)
    return few if few.ok else first


def try_run(
    launch: Sequence[str],
    program: Path,
    ranks: int,
    env: Mapping[str, str],
    limit: float,
) -> Trial:
    """Runs the program with a launcher command (none: by itself) and reads the ranks' reports."""
    with tempfile.TemporaryDirectory(prefix="mpiglot-doctor-") as name:
        folder = Path(name)
        reports = folder / "reports"
        reports.mkdir()
        command = [*launch, str(program)]
        before = policies.memory().kills
        started = time.monotonic()
        words = [*command, str(reports), str(max(1, round(limit)) + 5)]
        code, output = _ended(words, folder, env, limit)
        seconds = time.monotonic() - started
        found = [_report(path) for path in sorted(reports.iterdir())]
        found.sort(key=lambda one: (one.rank is None, one.rank or 0))
        kills = (policies.memory().kills or 0) - (before or 0)
        return Trial(command, ranks, code, output, seconds, found, kills)


def _ended(
    words: Sequence[str], folder: Path, env: Mapping[str, str], limit: float
) -> tuple[int | None, str]:
    """Exit code (None: stopped by the limit) and output of a command."""
    log = folder / "output"
    with log.open("wb") as file:
        try:
            child = subprocess.Popen(
                list(words),
                cwd=folder,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            return 127, f"{words[0]}: {error.strerror or error}"
        code: int | None = None
        try:
            code = child.wait(timeout=limit)
        except subprocess.TimeoutExpired:
            _signal(child, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(timeout=GRACE)
        finally:
            _signal(child, signal.SIGKILL)
            child.wait()
    return code, log.read_text(encoding="utf-8", errors="replace")


def _signal(child: subprocess.Popen[bytes], number: signal.Signals) -> None:
    """Signals the launcher and everything in its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, number)


def _report(path: Path) -> RankReport:
    report = RankReport()
    version = {"version": "", "subversion": ""}
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        key, _, value = line.partition("\t")
        if key in ("rank", "size", "process"):
            setattr(report, key, int(value) if re.fullmatch(r"-?\d+", value) else None)
        elif key in version:
            version[key] = value
        elif key == "loaded":
            if value not in report.loaded:
                report.loaded.append(value)
        elif key == "variable":
            name, _, text = value.partition("=")
            report.variables[name] = text
        elif key in _TEXTS:
            setattr(report, key, value.strip())
    if version["version"]:
        report.version = f"{version['version']}.{version['subversion']}"
    return report


_TEXTS = {
    "stage",
    "host",
    "built",
    "library",
    "library_version",
    "thread_level",
    "exchange",
    "symbols",
}


def missing_permission(trial: Trial) -> str | None:
    """Which permission a launcher misses: "root", "oversubscribe" or none."""
    for one in vendors():
        for condition, pattern in one.data.get("complaints", {}).items():
            if re.search(pattern, trial.output):
                return str(condition)
    return None


def loaded_libraries(program: Path, env: Mapping[str, str]) -> dict[str, str | None]:
    """What the loader would load for a program here, by soname; None for what it does not find."""
    traced = {**env, "LD_TRACE_LOADED_OBJECTS": "1"}
    try:
        answer = subprocess.run(
            [str(program)],
            env=traced,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}
    result: dict[str, str | None] = {}
    for line in answer.stdout.splitlines():
        match = re.match(r"\s*(\S+) => (not found|\S+)", line)
        if match:
            result[match[1]] = None if match[2] == "not found" else match[2]
    return result
