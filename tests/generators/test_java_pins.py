"""Large arrays of Java: pinned where the collector allows it, copied elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.java_programs import java_of, needs_java
from tests.generators.programs import run
from tests.limits import guard
from tests.tiers import in_turn

pytestmark = needs_java
WAYS = (
    "-XX:+UseG1GC",
    "-XX:+UseShenandoahGC",
    "-XX:+UseSerialGC",
    "-XX:+UseParallelGC",
    "-XX:+UseZGC",
    "-XX:+UseG1GC -Xcheck:jni",
    "-XX:+UseG1GC -Dmpiglot.pinned.bytes=never",
)
SHORT = (
    "theLimitIsExact",
    "operationsOfTheProgramGetCopies",
    "virtualThreadsGetCopies",
    "otherBuffersGetCopies",
    "callsThatFailEndTheirPins",
    "elementsOfAnotherTypeArriveFromAnyByte",
    "operationsThatDoNotBlockGetCopies",
    "mistakesOfOneRankEndTheirPins",
)


@pytest.mark.parametrize("way", in_turn(WAYS))
def test_arrays_are_pinned_where_the_collector_goes_on(jars: Path, way: str) -> None:
    require_passed(jars, 3, way, *SHORT)


def test_pinned_arrays_arrive_while_memory_is_collected(jars: Path) -> None:
    require_passed(jars, 2, "-XX:+UseG1GC", "PinTests")


def require_passed(jars: Path, ranks: int, way: str, *tests: str) -> None:
    command = ["timeout", str(guard(300)), "mpiexec.mpich", "-n", str(ranks), java_of(jars)]
    command += [*way.split(), "-XX:TieredStopAtLevel=1", "-jar", f"{jars}/tests.jar", *tests]
    done = run(*command)
    if "not supported" in done.stderr + done.stdout and "Option" in done.stderr + done.stdout:
        pytest.skip(f"this JVM has no {way}")
    assert done.returncode == 0 and "tests java: ok" in done.stdout, done.stdout + done.stderr
