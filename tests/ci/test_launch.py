"""Jobs end at their limit of CPU time, with everything they started; a busy machine ends none."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from mpiglot.provision import launch
from mpiglot.provision.launch import MISSING, TIMED_OUT, Ended, watched

SPIN = "while True: pass"
FOR_A_SECOND = "import time; t = time.process_time()\nwhile time.process_time() < t + 1: pass"
ORPHAN = (
    "import subprocess, sys; "
    "subprocess.Popen([sys.executable, '-c', {code!r}], start_new_session=True)"
)


def _python(code: str, *, limit: float, output: Path | None = None, **more: str) -> Ended:
    return _watched([sys.executable, "-c", code], limit, output, {**os.environ, **more})


def _watched(
    command: Sequence[str], limit: float, output: Path | None, environment: dict[str, str]
) -> Ended:
    if output is None:
        return watched(command, limit=limit, environment=environment)
    with output.open("wb") as file:
        return watched(command, limit=limit, environment=environment, output=file)


def test_a_program_that_is_missing_is_a_failure(tmp_path: Path) -> None:
    assert _watched(["/no/such/program"], 5, tmp_path / "log", {}).code == MISSING
    assert "No such file" in (tmp_path / "log").read_text()


def test_the_exit_code_and_the_cpu_time_come_back() -> None:
    ended = _python(FOR_A_SECOND + "\nraise SystemExit(7)", limit=20)
    assert ended.code == 7
    assert 1.0 <= ended.cpu < 4.0


def test_the_time_of_ended_children_counts() -> None:
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {FOR_A_SECOND!r}])"
    assert _python(code, limit=20).cpu >= 1.0


def test_who_spins_is_ended_by_its_cpu_time(tmp_path: Path) -> None:
    ended = _python(SPIN, limit=0.5, output=tmp_path / "log", PMI_RANK="3")
    assert ended.code == TIMED_OUT
    assert ended.why.endswith("s of CPU time; 0.5 s are its limit")
    said = (tmp_path / "log").read_text()
    assert said.startswith(f"{Path(sys.executable).name} is ended: it has used ")
    assert "rank 3, process " in said and "state R" in said and SPIN in said


def test_who_spins_and_has_lost_its_parent_is_counted_and_ended(tmp_path: Path) -> None:
    mark = tmp_path / "pid"
    spin = f"import os; open({str(mark)!r}, 'w').write(str(os.getpid())); {SPIN}"
    spin = spin.replace("; while", "\nwhile")
    code = ORPHAN.format(code=spin) + "; import time; time.sleep(600)"
    ended = _python(code, limit=1.0, output=tmp_path / "log")
    assert ended.code == TIMED_OUT and "of CPU time" in ended.why
    with pytest.raises(ProcessLookupError):
        for _ in range(100):
            os.kill(int(mark.read_text()), 0)
            time.sleep(0.05)


def test_who_sleeps_for_ever_stands_still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_STILL_SECONDS", 1.5)
    ended = _python("import time; time.sleep(600)", limit=0.7)
    assert (ended.code, ended.why) == (TIMED_OUT, "it has stood still for 2 s")


# Kernels charge who yields for a whole slice: beside others that run, a rank that waits uses next
# to nothing, and wants to run all the time. In Go and Java that is not the first thread.
@pytest.mark.parametrize("sleeper", [True, False])
def test_who_wants_to_run_in_any_thread_does_not_stand_still(
    monkeypatch: pytest.MonkeyPatch, sleeper: bool
) -> None:
    monkeypatch.setattr(launch, "_STILL_SECONDS", 1.5)
    monkeypatch.setattr(launch, "_STILL_LIMITS", 0.0)
    monkeypatch.setattr(launch, "_STILL_SHARE", 100.0)  # whatever it uses
    work = "lambda: None" if sleeper else "lambda: [None for _ in iter(int, 1)]"
    code = (
        f"import threading, time; threading.Thread(target={work}, daemon=True).start(); "
        "time.sleep(4)"
    )
    ended = _python(code, limit=60.0)
    assert ended.code == (TIMED_OUT if sleeper else 0), ended.why


def test_who_works_little_for_a_long_time_meets_the_guard_of_wall_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(launch, "PATIENCE", 1.0)
    code = "import time\nwhile True:\n    time.sleep(0.05); sum(range(100000))"
    ended = _python(code, limit=2.0)
    assert ended.code == TIMED_OUT and ended.why.startswith("no end in ")


def test_who_is_stopped_for_a_while_is_not_ended() -> None:
    code = "import os, signal, time; time.sleep(1.5); raise SystemExit(5)"
    assert _python(code, limit=0.4).code == 5
