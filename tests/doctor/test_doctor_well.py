"""Where all is well the doctor finds nothing: on every MPI of the matrix that is here."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.doctor import Diagnosis, examine
from mpiglot.parser.installation import Installation
from mpiglot.provision.matrix import matrix
from tests.doctor.doctor_fakes import script, typed, with_program

Mpi = Callable[[str], Installation]


@pytest.mark.parametrize("name", [one.name for one in matrix().mpis])
def test_nothing_is_found_where_all_is_well(
    name: str,
    mpi: Mpi,
    at_home: Callable[[Installation], dict[str, str]],
    findings: Callable[[Diagnosis], dict[str, str]],
) -> None:
    one = mpi(name)
    diagnosis = examine(shlex.join(one.command), env=at_home(one))
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.name == name
    assert findings(diagnosis) == {}
    assert diagnosis.exit_code == 0
    assert diagnosis.set_here == {}
    assert diagnosis.abi == one.abi
    run = diagnosis.run
    assert run is not None
    assert run.verdict == "right"
    assert [report.rank for report in run.reports] == [0, 1]
    assert {report.size for report in run.reports} == {2}
    assert one.library is not None
    for report in run.reports:
        assert report.library.endswith(one.soname or "?")
        assert report.thread_level in ("single", "funneled", "serialized", "multiple")


def test_the_machines_own_mpicc_and_mpiexec_go_together(
    mpi: Mpi,
    at_home: Callable[[Installation], dict[str, str]],
    findings: Callable[[Diagnosis], dict[str, str]],
) -> None:
    """Debian's MPICH and Open MPI and the project's own all at once, the default ones used."""
    mpi("mpich-4.0.2")
    env = at_home(mpi("openmpi-4.1.4"))
    env.pop("MPIGLOT_MPI_DIR")
    diagnosis = examine(env=env)
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.vendor in ("openmpi", "mpich")
    assert findings(diagnosis) == {}
    names = [one.name for one in diagnosis.installations]
    assert "mpich-4.0.2" in names
    assert "openmpi-4.1.4" in names


def test_another_mpi_chosen_on_purpose_is_told_its_launcher_but_not_blamed(
    mpi: Mpi,
    at_home: Callable[[Installation], dict[str, str]],
    findings: Callable[[Diagnosis], dict[str, str]],
    tmp_path: Path,
) -> None:
    mpi("openmpi-4.1.4")
    env = at_home(mpi("mpich-4.0.2"))
    diagnosis = examine("mpicc.mpich", env=env)
    assert findings(diagnosis) == {}
    notes = {one.id: one for one in diagnosis.findings}
    assert notes["use-own-launcher"].fix == "mpiexec.mpich -n 2 ./program"
    with_program(["mpicc.mpich"], env, tmp_path)
    assert typed(diagnosis, "use-own-launcher", env, tmp_path).code == 0


@pytest.mark.parametrize("name", ["mpich-5.0.2", "openmpi-5.0.11", "intelmpi-2021.19.0"])
def test_an_mpi_in_front_on_path_brings_its_launcher_along(
    name: str,
    mpi: Mpi,
    at_home: Callable[[Installation], dict[str, str]],
    findings: Callable[[Diagnosis], dict[str, str]],
) -> None:
    one = mpi(name)
    env = at_home(one)
    env["PATH"] = f"{one.wrapper.parent}:{env['PATH']}"
    diagnosis = examine(env=env)
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.name == name
    assert findings(diagnosis) == {}


@pytest.mark.parametrize("name", ["mpich-4.0.2", "openmpi-4.1.4"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_a_library_of_a_part_of_mpi_2_2_is_examined(
    name: str,
    ranks: int,
    mpi: Mpi,
    at_home: Callable[[Installation], dict[str, str]],
    tmp_path: Path,
) -> None:
    """A header that has nothing beyond the floor (`parser/floor.py`), in front of a real MPI."""
    one = mpi(name)
    beyond = "MPI_Init_thread MPI_Sendrecv MPI_Allreduce MPI_Get_library_version MPI_Get_version"
    poison = f"#include_next <mpi.h>\n#undef MPI_VERSION\n#pragma GCC poison {beyond}\n"
    (tmp_path / "part").mkdir()
    (tmp_path / "part" / "mpi.h").write_text(poison, encoding="utf-8")
    whole = f'#!/bin/sh\nexec {shlex.join(one.command)} -I{tmp_path / "part"} "$@"\n'
    wrapper = script(tmp_path / "mpicc", whole)
    diagnosis = examine(str(wrapper), env=at_home(one), ranks=ranks, launcher=str(one.launcher))
    run = diagnosis.run
    assert run is not None, [one.message for one in diagnosis.findings]
    assert run.verdict == "right"
    assert [report.rank for report in run.reports] == list(range(ranks))
    assert all(report.library_version for report in run.reports)
    assert {report.thread_level for report in run.reports} == {""}
