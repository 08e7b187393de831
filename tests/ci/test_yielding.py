"""At the gate, and only there, MPICH's programs are started with the library that yields."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from mpiglot.provision.environment import of_installation, render
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import Installation
from mpiglot.provision.yielding import library

GATE = {"PATH": "/usr/bin:/bin", "MPIGLOT_TIER": "gate"}


def _fake(name: str) -> Installation:
    mpi = matrix().get(name)
    programs = Path("/mpi/bin")
    return Installation(
        mpi, Path("/mpi"), programs / mpi.cc, programs / mpi.cxx, programs / mpi.launcher,
        Path("/mpi") / mpi.library,
    )  # fmt: skip


@pytest.fixture
def built() -> Path:
    found = library()
    if found is None:
        pytest.skip("there is no C compiler")
    return found


@pytest.mark.parametrize("name", ["mpich-4.0.2", "mpich-5.0.2", "mpich-5.0.2-abi"])
def test_mpich_yields_at_the_gate(name: str, built: Path) -> None:
    assert of_installation(_fake(name), ci=True).applied(GATE)["LD_PRELOAD"] == str(built)


def test_what_is_preloaded_already_comes_first_and_nothing_twice(built: Path) -> None:
    environment = of_installation(_fake("mpich-4.0.2"), ci=True)
    once = environment.applied({**GATE, "LD_PRELOAD": "/tool.so"})
    assert once["LD_PRELOAD"] == f"/tool.so:{built}"
    assert environment.applied(once)["LD_PRELOAD"] == once["LD_PRELOAD"]


@pytest.mark.parametrize("name", ["openmpi-4.1.4", "intelmpi-2021.19.0", "simgrid-3.32"])
def test_other_vendors_have_their_own_ways(name: str) -> None:
    assert "LD_PRELOAD" not in of_installation(_fake(name), ci=True).applied(GATE)


@pytest.mark.parametrize("tier", ["gate", "quick", "changed"])
def test_all_runs_but_the_matrix_have_it(tier: str) -> None:
    base = {"PATH": "/usr/bin:/bin", "MPIGLOT_TIER": tier}
    assert "LD_PRELOAD" in of_installation(_fake("mpich-4.0.2"), ci=True).applied(base)


@pytest.mark.parametrize("tier", [{"MPIGLOT_TIER": "matrix"}, {}])
def test_matrix_run_and_benchmarks_do_without(tier: dict[str, str]) -> None:
    base = {"PATH": "/usr/bin:/bin", **tier}
    assert "LD_PRELOAD" not in of_installation(_fake("mpich-4.0.2"), ci=True).applied(base)


def test_users_never_get_it() -> None:
    assert "LD_PRELOAD" not in of_installation(_fake("mpich-4.0.2"), ci=False).applied(GATE)
    for shell in ("sh", "fish", "github", "json"):
        text = render(of_installation(_fake("mpich-4.0.2"), ci=True), shell, GATE)
        assert "LD_PRELOAD" not in text


def test_library_stands_in_for_what_mpich_repeats(built: Path) -> None:
    done = subprocess.run(
        ["nm", "-D", "--defined-only", str(built)],
        env=dict(os.environ), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    defined = sorted(line.split()[-1] for line in done.stdout.splitlines())
    assert defined == ["sched_yield", "ucp_worker_progress"]


ASKING = """
#include <pthread.h>
#include <stdio.h>
#include <time.h>
unsigned ucp_worker_progress(void *worker);
static int given;
int sched_yield(void) { return ++given, 0; }
int nanosleep(const struct timespec *t, struct timespec *left) { return ++given, t == left; }
static void *ask(void *unused) {
  for (int i = 0; i < 200; ++i) ucp_worker_progress(NULL);
  return unused;
}
int main(void) {
  ask(NULL);
  int alone = given;
  pthread_t other;
  pthread_create(&other, NULL, ask, NULL);
  pthread_join(other, NULL);
  ask(NULL);
  return printf("%d %d\\n", alone, given) < 0;
}
"""


def test_nothing_is_given_away_while_other_threads_ask(built: Path, tmp_path: Path) -> None:
    (tmp_path / "asking.c").write_text(ASKING)
    (tmp_path / "idle.c").write_text("unsigned ucp_worker_progress(void *w) { return w != 0; }\n")
    for words in (
        ["-shared", "-fPIC", "idle.c", "-o", "libidle.so"],
        ["-rdynamic", "asking.c", "-o", "asking", "-L.", "-lidle", "-pthread", "-Wl,-rpath,."],
    ):
        subprocess.run(["cc", *words], cwd=tmp_path, timeout=60, check=True)
    done = subprocess.run(
        ["./asking"], cwd=tmp_path, env={**os.environ, "LD_PRELOAD": str(built)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == "10 10\n"


YIELDING = """
#include <sched.h>
#include <stdio.h>
#include <time.h>
static int turns, sleeps;
long syscall(long number, ...) {
  struct timespec start, now;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do clock_gettime(CLOCK_MONOTONIC, &now);
  while ((now.tv_sec - start.tv_sec) * 1000000000L + now.tv_nsec - start.tv_nsec < 2000000);
  return ++turns, number - number;
}
int nanosleep(const struct timespec *t, struct timespec *left) { return ++sleeps, t == left; }
int main(void) {
  for (int i = 0; i < 1010; ++i) sched_yield();
  return printf("%d %d\\n", turns, sleeps) < 0;
}
"""


def test_a_long_turn_of_others_lets_the_next_yields_sleep(built: Path, tmp_path: Path) -> None:
    (tmp_path / "yields.c").write_text(YIELDING)
    command = ["cc", "-rdynamic", "yields.c", "-o", "yields"]
    subprocess.run(command, cwd=tmp_path, timeout=60, check=True)
    done = subprocess.run(
        ["./yields"], cwd=tmp_path, env={**os.environ, "LD_PRELOAD": str(built)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert done.stdout == "10 1000\n"
