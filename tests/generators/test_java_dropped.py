"""Java programs that drop what they begin: it is completed, told once, and bounded."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_java
from tests.generators.programs import run
from tests.limits import guard
from tests.tiers import in_turn, matrix_run

pytestmark = needs_java
LAUNCHERS = ("mpich", "openmpi")
LEVELS = ("SINGLE", "FUNNELED", "SERIALIZED", "MULTIPLE")
#: What a JVM and an MPI take without messages, in MiB.
ITSELF = 250
TOLD = {
    "receive": "was dropped before it was complete: await or close it. It is completed later",
    "persistent receive": "was dropped and not closed. It is given back when it is complete",
}


@pytest.mark.parametrize("launcher", LAUNCHERS)
@pytest.mark.parametrize("level", ("SINGLE", "MULTIPLE"))
@pytest.mark.skipif(not matrix_run(), reason="in the matrix run")
def test_a_million_dropped_sends_need_no_more_memory_than_a_few(
    jars: Path, level: str, launcher: str
) -> None:
    sends(jars, launcher, level, 1_000_000, 64)


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("level", in_turn(LEVELS))
def test_dropped_sends_give_their_memory_back(jars: Path, level: str, launcher: str) -> None:
    sends(jars, launcher, level, 20_000, 32)


def sends(jars: Path, launcher: str, level: str, count: int, heap: int) -> None:
    done = dropped(jars, launcher, "sends", level, str(count), flags=[f"-Xmx{heap}m"])
    assert done.returncode == 0, done.stdout + done.stderr
    under_way = [int(one) for one in re.findall(r"most under way: (\d+)", done.stdout)]
    assert len(under_way) == 2
    assert max(under_way) <= 2000, under_way
    require_peak(done, 2 * heap + ITSELF)


def require_peak(done: subprocess.CompletedProcess[str], mebibytes: int) -> None:
    peaks = [int(one) // 1024 for one in re.findall(r"VmHWM:\s+(\d+) kB", done.stdout)]
    assert len(peaks) == 2
    assert max(peaks) <= mebibytes, peaks


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("level", in_turn(LEVELS))
@pytest.mark.parametrize("places", in_turn(("true", "false")))
def test_what_is_dropped_is_completed_and_told_once(
    jars: Path, tmp_path: Path, places: str, level: str, launcher: str
) -> None:
    flags = ["-Xmx128m", f"-Dmpiglot.places={places}"]
    done = dropped(jars, launcher, "kinds", level, str(tmp_path / "file"), flags=flags)
    assert done.returncode == 0, done.stdout + done.stderr
    for kind in ("messages", "persistent", "collective", "partitioned", "generalized"):
        assert done.stdout.count(f"{kind}: gone") == 2, done.stdout + done.stderr
    require_peak(done, 270)
    for kind in ("window", "file"):
        assert len(re.findall(f"^mpiglot: a {kind} .*was not closed: ", done.stderr, re.M)) == 2
    at, ask = (r" that began at \S+\.Dropped\.kinds \(Dropped\.java:\d+\)", r"\.")
    if places == "false":
        at, ask = "", r" \(-Dmpiglot\.places=true tells where it began\)\."
    for kind, lines in {"receive": 2, "persistent receive": 4}.items():
        told = re.findall(
            rf"^mpiglot: a {kind}{at} {re.escape(TOLD[kind])}{ask}$", done.stderr, re.M
        )
        assert len(told) == (lines if places == "true" else 2), done.stderr


@pytest.mark.parametrize("launcher", in_turn(LAUNCHERS))
@pytest.mark.parametrize("level", in_turn(LEVELS))
def test_at_the_limit_a_send_waits_for_room_and_then_fails(
    jars: Path, level: str, launcher: str
) -> None:
    flags = ["-Dmpiglot.begun.bytes=1048576", "-Dmpiglot.begun.seconds=2"]
    done = dropped(jars, launcher, "limit", level, flags=flags)
    assert done.returncode == 0, done.stdout + done.stderr
    most = re.search(r"^most under way: (\d+)$", done.stdout, re.M)
    assert most and 16 <= int(most[1]) <= 21, done.stdout  # four more of those that a thread keeps
    refused = re.search(
        r"^refused: \d+, (\d+) hold (\d+): No operation can begin: \1 that are under way hold \2 "
        r"bytes of copies of arrays, the limit is 1048576 \(mpiglot\.begun\.bytes\), and they made "
        r"no room in 2\.0 seconds\.$",
        done.stdout,
        re.M,
    )
    assert refused and int(refused[2]) == 65536 * int(refused[1]) >= 1 << 20, done.stdout
    assert "goes on" in done.stdout


def dropped(
    jars: Path, launcher: str, *arguments: str, flags: list[str]
) -> subprocess.CompletedProcess[str]:
    if launcher == "openmpi" and not shutil.which("mpiexec.openmpi"):
        pytest.skip("needs Debian's Open MPI")
    command = ["timeout", str(guard(300)), f"mpiexec.{launcher}", "-n", "2", java_of(jars), *SOON]
    command += [*flags, "--enable-native-access=ALL-UNNAMED", "-cp", f"{jars}/tests.jar"]
    return run(*command, "dev.mpiglot.ends.Dropped", *arguments)
