"""What the kernel ends and SELinux forbids: named where it was measured, and only there."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mpiglot.doctor import Diagnosis, examine, policies
from tests.doctor.doctor_fakes import fake_mpi, script, tools
from tests.doctor.test_doctor_setups import one, prints, set_up

Found = Callable[[Diagnosis], dict[str, str]]

HYDRA = """===================================================================================
=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES
=   PID 4242 RUNNING AT n1
=   EXIT CODE: 9
=   CLEANING UP REMAINING PROCESSES
===================================================================================
YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)"""
OPEN_MPI = (
    "mpirun noticed that process rank 1 with PID 4242 on node n1 exited on signal 9 (Killed)."
)
RELOC = (
    "./program: error while loading shared libraries: /opt/site/libfast.so: "
    "cannot restore segment prot after reloc: Permission denied"
)
STACK = (
    "./program: error while loading shared libraries: libfast.so: "
    "cannot enable executable stack as shared object requires: Permission denied"
)
MAPPED = (
    "./program: error while loading shared libraries: libfast.so: "
    "failed to map segment from shared object: Permission denied"
)


@pytest.fixture(scope="module")
def wrapper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return fake_mpi(tmp_path_factory.mktemp("mpi") / "fake")


@pytest.fixture
def mpi(wrapper: Path) -> Iterator[Path]:
    kept = wrapper.with_name("mpiexec").read_text()
    yield wrapper
    script(wrapper.with_name("mpiexec"), kept)


@pytest.fixture
def bench(shell: dict[str, str], tmp_path: Path) -> dict[str, str]:
    batch = ("SLURM_", "KUBERNETES_")
    clean = {name: value for name, value in shell.items() if not name.startswith(batch)}
    return {
        **clean,
        "PATH": str(tools(tmp_path / "tools", "sh", "gcc", "as", "ld", "env", "mkdir")),
    }


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system's files, none at first."""
    monkeypatch.setattr(policies, "ROOT", tmp_path / "root")
    return tmp_path / "root"


def write(file: Path, text: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def group_2(root: Path) -> Path:
    write(root / "proc/self/cgroup", "0::/job_7\n")
    write(root / "sys/fs/cgroup/job_7/memory.max", f"{512 << 20}\n")
    return write(root / "sys/fs/cgroup/job_7/memory.events", "low 0\noom 3\noom_kill 3\n")


def group_1(root: Path) -> Path:
    write(root / "proc/self/cgroup", "8:pids:/\n5:cpu,memory:/job_7\n1:name=systemd:/\n")
    write(root / "sys/fs/cgroup/memory/job_7/memory.limit_in_bytes", f"{512 << 20}\n")
    return write(root / "sys/fs/cgroup/memory/job_7/memory.oom_control", "oom_kill 0\n")


def container(root: Path) -> Path:
    """It sees its own group as the first one, under another name."""
    write(root / "proc/self/cgroup", "0::/../../kubepods/pod_4\n")
    write(root / "sys/fs/cgroup/memory.max", f"{512 << 20}\n")
    return write(root / "sys/fs/cgroup/memory.events", "oom_kill 0\n")


def machine(root: Path) -> Path:
    return write(root / "proc/vmstat", "pgfault 7\noom_kill 0\n")


GROUPS: dict[Callable[[Path], Path], tuple[str, str]] = {
    group_2: ("have 512 MiB together", "sudo tee /sys/fs/cgroup/job_7/memory.max"),
    group_1: ("have 512 MiB", "sudo tee /sys/fs/cgroup/memory/job_7/memory.limit_in_bytes"),
    container: ("have 512 MiB together", "sudo tee /sys/fs/cgroup/memory.max"),
    machine: ("have all of the machine's memory", "free -h"),
}


@pytest.mark.parametrize(
    ("group", "said"),
    [*((group, HYDRA) for group in GROUPS), *((group_2, s) for s in (OPEN_MPI, "Killed", ""))],
)
def test_a_rank_that_ran_out_of_memory(
    group: Callable[[Path], Path],
    said: str,
    root: Path,
    bench: dict[str, str],
    mpi: Path,
    findings: Found,
) -> None:
    count = group(root)
    env = set_up(mpi, f"echo 'oom_kill '$$ > {count}\n{prints(said, 137)}", bench)
    diagnosis = examine(env=env, limit=5.0)
    assert findings(diagnosis) == {"memory-ran-out": "error"}
    message, fix = GROUPS[group]
    finding = one(diagnosis, "memory-ran-out")
    assert message in finding.message and fix in finding.fix


def test_a_job_and_a_pod_ask_for_memory_in_their_own_words(root: Path) -> None:
    group_2(root)
    found = policies.memory()
    assert "salloc --mem=0" in policies.more_memory(found, {"SLURM_JOB_ID": "7"})
    assert "limits: {memory:" in policies.more_memory(found, {"KUBERNETES_SERVICE_HOST": "h"})


@pytest.mark.parametrize("group", [None, *GROUPS])
def test_a_rank_that_something_else_killed_did_not_run_out_of_memory(
    group: Callable[[Path], Path] | None,
    root: Path,
    bench: dict[str, str],
    mpi: Path,
    findings: Found,
) -> None:
    if group is not None:
        group(root)
    diagnosis = examine(env=set_up(mpi, prints(HYDRA, 137), bench), limit=5.0)
    assert "memory-ran-out" not in findings(diagnosis)


SELINUX = {
    RELOC: ("change the code of /opt/site/libfast.so", "setsebool -P selinuxuser_execmod 1"),
    STACK: ("an executable stack", "setsebool -P selinuxuser_execstack 1"),
    MAPPED: ("to load a library", "audit2allow -M mpi"),
}


@pytest.mark.parametrize("enforces", ["1", "0", None])
@pytest.mark.parametrize("said", SELINUX)
def test_what_selinux_forbids(
    said: str,
    enforces: str | None,
    root: Path,
    bench: dict[str, str],
    mpi: Path,
    findings: Found,
) -> None:
    write(root / "proc/self/attr/current", "unconfined_u:unconfined_r:unconfined_t:s0\0")
    if enforces is not None:
        write(root / "sys/fs/selinux/enforce", enforces)
    diagnosis = examine(env=set_up(mpi, prints(said, 127), bench), limit=5.0)
    if enforces != "1":
        assert "selinux-forbids" not in findings(diagnosis)
        return
    assert findings(diagnosis) == {"selinux-forbids": "error"}
    message, fix = SELINUX[said]
    finding = one(diagnosis, "selinux-forbids")
    assert message in finding.message and "type unconfined_t" in finding.message
    assert fix in finding.fix
