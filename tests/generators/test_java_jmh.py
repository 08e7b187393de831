"""The benchmarks of JMH run, each in a JVM of its own. No time is asserted."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.generators.java_programs import needs_java
from tests.generators.programs import ROOT, run

pytestmark = needs_java
ONCE = ("-f", "1", "-wi", "0", "-i", "1", "-r", "50ms", "-p", "elements=2", "-foe", "true")
CALLS = {"costs.Calls.rank", "costs.Calls.sendrecvOfArrays", "costs.Calls.sendrecvOfBuffers"}
ELEMENTS = {
    f"costs.Elements.of{memory}" for memory in ("Array", "Segment", "Buffer", "BufferOverArray")
}


def test_each_benchmark_has_a_result(tmp_path: Path) -> None:
    script = ROOT / "benchmarks" / "jmh" / "run"
    told_in = tmp_path / "told.json"
    words = ["--mpi", "mpich-4.0.2", "--", *ONCE, "-rf", "json", "-rff", str(told_in)]
    others_may_run = f"{os.environ.get('JDK_JAVA_OPTIONS', '')} -Djmh.ignoreLock=true"
    done = run(script, *words, JDK_JAVA_OPTIONS=others_may_run)
    if done.returncode == 3:
        pytest.skip(done.stderr)  # JMH cannot be fetched
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(told_in.read_text())
    assert {each["benchmark"] for each in told} == CALLS | ELEMENTS
    assert all(each["primaryMetric"]["score"] > 0 for each in told)
    assert "A restricted method" not in done.stdout
