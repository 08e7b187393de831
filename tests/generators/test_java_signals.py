"""Null checks of compiled Java are faults of memory access: they throw, whoever started MPI."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.generators.java_programs import SOON, java_of, needs_gcc, needs_java
from tests.generators.programs import MPICH, OPENMPI, library, needs_openmpi, run
from tests.tiers import in_turn

pytestmark = [needs_java, needs_gcc, needs_openmpi]

LIBRARIES = {"mpich": MPICH, "openmpi": OPENMPI}
# It starts MPI, and on demand takes signals as libraries below MPI do when MPI starts.
SOURCE = """
#include <signal.h>
#include <stdlib.h>
static void leave(int number) { _Exit(number); }
int MPI_Init(int *, char ***);
int MPI_Finalize(void);
int start(void) {
  int code = MPI_Init(0, 0);
  if (getenv("TAKE_SIGNALS")) signal(SIGSEGV, leave);
  return code;
}
int stop(void) { return MPI_Finalize(); }
__attribute__((constructor)) static void begin(void) {
  if (getenv("START_IN_CONSTRUCTOR")) start();
}
"""
WAYS = ["package", "library", "late", "loader", "copy", "preloaded"]
CASES = [(launcher, way) for launcher in LIBRARIES for way in WAYS]


@pytest.mark.parametrize(("launcher", "way"), in_turn(CASES))
def test_null_checks_of_compiled_code_throw_whoever_started_mpi(
    jars: Path, tmp_path: Path, launcher: str, way: str
) -> None:
    starter = library(tmp_path, "starter", SOURCE, before=LIBRARIES[launcher])
    command = [f"mpiexec.{launcher}", "-n", "2", "env", "-u", "UCX_ERROR_SIGNALS"]
    if launcher == "openmpi" or way == "late":  # where UCX takes none
        command.append("TAKE_SIGNALS=1")
    if way == "preloaded":
        command += [f"LD_PRELOAD={starter}", "START_IN_CONSTRUCTOR=1"]
    command += [java_of(jars), *SOON, "-cp", f"{jars}/tests.jar"]
    command += ["--enable-native-access=ALL-UNNAMED", "dev.mpiglot.ends.Faults", way]
    done = run(*command, starter)
    assert (done.returncode, done.stdout) == (0, "faults: 200000 100 2\n" * 2), done.stderr


def test_an_agent_of_the_jvm_keeps_its_handler(jars: Path, tmp_path: Path) -> None:
    agent = library(
        tmp_path, "agent", SOURCE + "int Agent_OnLoad(void) { return 0; }", before=MPICH
    )
    command = ["mpiexec.mpich", "-n", "1", "env", "TAKE_SIGNALS=1", java_of(jars), *SOON]
    command += ["-cp", f"{jars}/tests.jar", "--enable-native-access=ALL-UNNAMED"]
    done = run(*command, "dev.mpiglot.ends.Faults", "library", agent)
    assert (done.returncode, done.stdout) == (11, ""), done.stderr  # `leave` was called
