"""Set-ups of clusters and containers: a fake launcher prints what the real one prints."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
import yaml

from mpiglot.doctor import Diagnosis, Finding, complaints, examine, machine
from tests.doctor import doctor_fakes
from tests.doctor.doctor_fakes import (
    commands_of_users,
    fake_mpi,
    in_namespace,
    script,
    tools,
    type_lines,
    typed,
    with_program,
)

Found = Callable[[Diagnosis], dict[str, str]]


@dataclass(frozen=True)
class SetUp:
    """One set-up: what the launcher does before it starts a rank, and what must be said."""

    launcher: str
    finding: str
    says: str
    fix: str
    env: dict[str, str] = field(default_factory=dict)
    kind: str = "mpich"


def prints(text: str, code: int = 1) -> str:
    """Lines of a launcher that prints a text and ends."""
    return f"/bin/cat >&2 <<'END'\n{text}\nEND\nexit {code}"


def with_variable(name: str, text: str, code: int = 1) -> str:
    """The same only where this variable is set."""
    return f'if [ -n "${name}" ]; then\n{prints(text, code)}\nfi'


HYDRA = "[mpiexec@n1] HYDU_parse_hostfile (utils/args/args.c:319): unable to open host file: "
NO_SRUN = """The SLURM process starter for OpenMPI was unable to locate a
usable "srun" command in its path. Please check your path
and try again."""
EXECVP = "[mpiexec@n1] HYDU_create_process (utils/launch/launch.c:74): execvp error on file {} (No such file or directory)"  # noqa: E501
FIREWALL = """A process or daemon was unable to complete a TCP connection
to another process:
  Local host:    n1
  Remote host:   n2
This is usually caused by a firewall on the remote host. Please
check that any firewall (e.g., iptables) has been disabled and
try again."""
CMA = """Linux kernel CMA support was requested via the
btl_vader_single_copy_mechanism MCA variable, but CMA support is
not available due to restrictive ptrace settings."""
ROOT = "mpirun has detected an attempt to run as root."
SLOTS = "There are not enough slots available in the system to satisfy the 2 slots"
BINDING = """A request was made to bind to that would result in binding more
processes than cpus on a resource: n1"""
SOCKET = "PMIX ERROR: the path to the usock is too long"
MKDIR = """A call to mkdir was unable to create the desired directory:
  Directory: /dev/null/such/ompi.n1.0
  Error:     Permission denied"""
UCX = "UCX  ERROR no usable transports/devices (asked nosuch on network:all)"
LIBFABRIC = "OFI addrinfo() failed (ofi_init.c:1014:No data available)"
PMIX = "[n1:17] PMIX ERROR: UNREACHABLE in file ptl_tcp.c at line 286"
MEMLOCK = "libibverbs: Warning: RLIMIT_MEMLOCK is 65536 bytes."

SET_UPS: dict[str, SetUp] = {
    "PBS": SetUp(
        with_variable("PBS_NODEFILE", HYDRA + "/var/spool/pbs/aux/42", 255),
        "batch-variables",
        "cannot open the host file /var/spool/pbs/aux/42",
        "unset PBS_NODEFILE",
        {"PBS_JOBID": "42.server", "PBS_NODEFILE": "/var/spool/pbs/aux/42"},
    ),
    "Slurm without srun": SetUp(
        with_variable("SLURM_JOB_ID", NO_SRUN),
        "batch-variables",
        "SLURM_JOB_ID=7",
        "unset SLURM_JOB_ID",
        {"SLURM_JOB_ID": "7", "SLURM_NNODES": "1"},
        "openmpi",
    ),
    "Slurm that refuses": SetUp(
        prints("srun: error: Unable to allocate resources: Invalid account", 1),
        "slurm-refuses",
        "Unable to allocate resources: Invalid account",
        "salloc -n 2",
    ),
    "SGE": SetUp(
        with_variable("PE_HOSTFILE", EXECVP.format("qrsh"), 255),
        "batch-variables",
        "PE_HOSTFILE=/nope",
        "unset PE_HOSTFILE",
        {"PE_HOSTFILE": "/nope", "SGE_ROOT": "/sge", "JOB_ID": "5"},
    ),
    "LSF": SetUp(
        with_variable("LSB_JOBID", EXECVP.format("blaunch"), 255),
        "batch-variables",
        "LSB_JOBID=9",
        "unset LSB_JOBID",
        {"LSB_JOBID": "9", "LSB_MCPU_HOSTS": "n1 2"},
    ),
    "Flux": SetUp(
        with_variable("FLUX_URI", "flux: ERROR: Unable to connect to Flux: ENOENT"),
        "batch-variables",
        "FLUX_URI=local:///gone",
        "unset FLUX_URI",
        {"FLUX_URI": "local:///gone"},
    ),
    "Kubernetes": SetUp(
        prints("ssh: Could not resolve hostname w-0.w.default.svc: Name or service not known", 255),
        "host-unknown",
        "no address for the host w-0.w.default.svc",
        "kubectl wait --for=condition=Ready pod/w-0 --timeout=300s",
        {"KUBERNETES_SERVICE_HOST": "10.0.0.1"},
    ),
    "a host without address": SetUp(
        prints("ssh: Could not resolve hostname nosuch: Name or service not known", 255),
        "host-unknown",
        "no address for the host nosuch",
        "getent hosts nosuch ||",
    ),
    "a host that is not reached": SetUp(
        prints("ssh: connect to host n2 port 22: No route to host", 255),
        "host-unreachable",
        "cannot reach the host n2 by ssh (No route to host)",
        "ssh -v n2 true",
    ),
    "a host that asks for a password": SetUp(
        prints("me@n2: Permission denied (publickey,password).", 255),
        "host-unreachable",
        "me@n2 does not let",
        "ssh-copy-id me@n2",
    ),
    "a host file that is missing": SetUp(
        prints("Open RTE was unable to open the hostfile:\n    /no/hosts\nCheck to make sure"),
        "host-file-missing",
        "cannot open the host file /no/hosts",
        "printf 'localhost\\nlocalhost\\n' > /no/hosts",
        kind="openmpi",
    ),
    "memory that cannot be locked": SetUp(
        prints(MEMLOCK), "memory-lock-small", "(ulimit -l)", "memlock|ulimit -l"
    ),
    "closed ports": SetUp(prints(FIREWALL), "ports-closed", "connection to n2", "sudo ufw allow"),
    "no ptrace, Open MPI": SetUp(
        prints(CMA),
        "cma-forbidden",
        "no ptrace",
        "export OMPI_MCA_smsc=",
        kind="openmpi",
    ),
    "no ptrace, MPICH": SetUp(
        prints("process_vm_readv: Operation not permitted"),
        "cma-forbidden",
        "no ptrace",
        "export MPIR_CVAR_CH4_CMA_ENABLE=0",
    ),
    "a host whose key is not known": SetUp(
        prints("Host key verification failed.", 255),
        "host-unreachable",
        "does not know the key of a host",
        "ssh HOST true",
    ),
    "a host without the MPI": SetUp(
        prints("bash: line 1: hydra_pmi_proxy: command not found", 255),
        "remote-launcher-missing",
        "does not find hydra_pmi_proxy",
        "/bin:\\$PATH",
    ),
    "a host without the MPI, Open MPI": SetUp(
        prints("sh: 1: orted: not found", 127),
        "remote-launcher-missing",
        "does not find orted",
        "ssh HOST 'sed -i",
        kind="openmpi",
    ),
    "few processes": SetUp(
        prints("/bin/sh: 1: fork: retry: Resource temporarily unavailable"),
        "processes-few",
        "(ulimit -u)",
        "ulimit -u|pids.max|limits.d",
    ),
    "root": SetUp(
        f'if [ -z "$OMPI_ALLOW_RUN_AS_ROOT" ]; then\n{prints(ROOT)}\nfi',
        "permission-root",
        "refuses to run as root",
        "export OMPI_ALLOW_RUN_AS_ROOT=1",
        kind="openmpi",
    ),
    "no slots": SetUp(
        f'if [ -z "$PRTE_MCA_rmaps_default_mapping_policy" ]; then\n{prints(SLOTS)}\nfi',
        "permission-oversubscribe",
        "refuses 2 ranks",
        "export PRTE_MCA_rmaps_default_mapping_policy=slot:oversubscribe",
        kind="openmpi",
    ),
    "a TMPDIR that is too long": SetUp(
        with_variable("TMPDIR", SOCKET),
        "variable-breaks-running",
        "usock is too long",
        "unset TMPDIR",
        {"TMPDIR": "/tmp/" + "long" * 30},
        "openmpi",
    ),
    "a TMPDIR that cannot be written to": SetUp(
        with_variable("TMPDIR", MKDIR),
        "variable-breaks-running",
        "TMPDIR=/dev/null/such",
        "unset TMPDIR",
        {"TMPDIR": "/dev/null/such"},
        "openmpi",
    ),
    "a transport of UCX that is not there": SetUp(
        with_variable("UCX_TLS", UCX),
        "variable-breaks-running",
        "no usable transports",
        "unset UCX_TLS",
        {"UCX_TLS": "nosuch"},
        "openmpi",
    ),
    "a provider of libfabric that is not there": SetUp(
        with_variable("FI_PROVIDER", LIBFABRIC, 143),
        "variable-breaks-running",
        "OFI addrinfo() failed",
        "unset FI_PROVIDER",
        {"FI_PROVIDER": "nosuch"},
    ),
    "a variable of PMI that is left": SetUp(
        with_variable("PMI_RANK", "mpiexec does not support recursive calls"),
        "leftover-launcher-variables",
        "PMI_RANK",
        "unset PMI_RANK PMI_SIZE",
        {"PMI_RANK": "0", "PMI_SIZE": "2"},
    ),
    "a variable of PMIx that is left": SetUp(
        with_variable("PMIX_NAMESPACE", PMIX),
        "leftover-launcher-variables",
        "PMIX_NAMESPACE",
        "unset PMIX_NAMESPACE PMIX_RANK",
        {"PMIX_NAMESPACE": "prterun-n1-7@1", "PMIX_RANK": "0"},
        "openmpi",
    ),
    "SIGKILL": SetUp("kill -9 $$", "launcher-killed", "ended by SIGKILL", "sudo dmesg"),
    "SIGSEGV": SetUp("kill -11 $$", "launcher-killed", "ended by SIGSEGV", "ldd "),
    "SIGXCPU": SetUp("exit 152", "launcher-killed", "ended by SIGXCPU", "ulimit -t unlimited"),
}


@pytest.fixture(scope="module")
def mpis(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A fake MPI of each kind, by its wrapper; the launcher is put back for each test."""
    folder = tmp_path_factory.mktemp("mpis")
    return {kind: fake_mpi(folder / kind, kind) for kind in ("mpich", "openmpi")}


@pytest.fixture
def mpi(mpis: dict[str, Path]) -> Iterator[dict[str, Path]]:
    kept = {path: path.with_name("mpiexec").read_text() for path in mpis.values()}
    yield mpis
    for path, text in kept.items():
        script(path.with_name("mpiexec"), text)


@pytest.fixture
def bench(shell: dict[str, str], tmp_path: Path) -> dict[str, str]:
    batch = ("PBS_", "SLURM_", "SGE_", "LSB_", "FLUX_", "KUBERNETES_", "PE_HOSTFILE", "JOB_ID")
    clean = {name: value for name, value in shell.items() if not name.startswith(batch)}
    return {
        **clean,
        "PATH": str(tools(tmp_path / "tools", "sh", "gcc", "as", "ld", "env", "mkdir")),
    }


def set_up(wrapper: Path, lines: str, env: dict[str, str]) -> dict[str, str]:
    """The shell in which the launcher of this MPI does something before it starts ranks."""
    launcher = wrapper.with_name("mpiexec")
    launcher.write_text(launcher.read_text().replace("shift\n", f"{lines}\nshift\n", 1))
    return {**env, "PATH": f"{wrapper.parent}:{env['PATH']}"}


def one(diagnosis: Diagnosis, wanted: str) -> Finding:
    found = [finding for finding in diagnosis.findings if finding.id == wanted]
    assert found, [(finding.id, finding.message) for finding in diagnosis.findings]
    return found[0]


@pytest.mark.parametrize("name", SET_UPS)
def test_a_set_up_is_named_with_what_helps(
    name: str, bench: dict[str, str], mpi: dict[str, Path], findings: Found
) -> None:
    case = SET_UPS[name]
    env = {**set_up(mpi[case.kind], case.launcher, bench), **case.env}
    diagnosis = examine(env=env, limit=5.0)
    finding = one(diagnosis, case.finding)
    assert findings(diagnosis) == {case.finding: "error"}
    assert case.says in finding.message
    if case.finding == "batch-variables":
        assert f"variables of a {name.split()[0]} job" in finding.message
    assert any(part in finding.fix for part in case.fix.split("|")), finding.fix
    for command in finding.commands:
        assert "mpiexec -n" not in command, "the command that failed"


def test_a_fix_for_a_batch_system_helps(
    bench: dict[str, str], mpi: dict[str, Path], tmp_path: Path
) -> None:
    case = SET_UPS["LSF"]
    env = {**set_up(mpi["mpich"], case.launcher, bench), **case.env}
    after = typed(examine(env=env, limit=5.0), "batch-variables", env, tmp_path)
    assert examine(env=after.env, limit=5.0).exit_code == 0


def test_a_fix_without_ptrace_helps(
    bench: dict[str, str], mpi: dict[str, Path], tmp_path: Path
) -> None:
    fails = prints("process_vm_readv: Operation not permitted")
    lines = f'if [ "$MPIR_CVAR_CH4_CMA_ENABLE" != 0 ]; then\n{fails}\nfi'
    env = set_up(mpi["mpich"], lines, bench)
    after = typed(examine(env=env, limit=5.0), "cma-forbidden", env, tmp_path)
    assert examine(env=after.env, limit=5.0).exit_code == 0


def test_a_fix_for_a_host_file_helps(
    bench: dict[str, str], mpi: dict[str, Path], tmp_path: Path
) -> None:
    hosts = tmp_path / "hosts"
    lines = f"if [ ! -r {hosts} ]; then\n{prints(HYDRA + str(hosts))}\nfi"
    env = set_up(mpi["mpich"], lines, bench)
    assert typed(examine(env=env, limit=5.0), "host-file-missing", env, tmp_path).code == 0
    assert hosts.read_text() == "localhost\nlocalhost\n"
    assert examine(env=env, limit=5.0).exit_code == 0


VARIABLE_HELPS = {
    ("cma-forbidden", "openmpi"): (CMA, "OMPI_MCA_smsc"),
    ("cma-forbidden", "mpich"): ("process_vm_readv: failed", "MPIR_CVAR_CH4_CMA_ENABLE"),
    ("binding-refused", "openmpi"): (BINDING, "PRTE_MCA_hwloc_default_binding_policy"),
    ("binding-refused", "mpich"): ("hwloc_set_cpubind: error", "HYDRA_BINDING"),
}


@pytest.mark.parametrize("goes_on", [False, True])
@pytest.mark.parametrize(("wanted", "kind"), VARIABLE_HELPS)
def test_a_variable_that_helps_is_named(
    wanted: str,
    kind: str,
    goes_on: bool,
    bench: dict[str, str],
    mpi: dict[str, Path],
    tmp_path: Path,
    findings: Found,
) -> None:
    """Open MPI only warns where ranks may not read each other's memory; programs are slower."""
    text, variable = VARIABLE_HELPS[wanted, kind]
    says = prints(text).replace("exit 1", ":" if goes_on else "exit 1")
    env = set_up(mpi[kind], f'if [ -z "${variable}" ]; then\n{says}\nfi', bench)
    diagnosis = examine(env=env, limit=5.0)
    if goes_on and wanted != "cma-forbidden":
        assert findings(diagnosis) == {}
        return
    assert findings(diagnosis) == {wanted: "warning" if goes_on else "error"}
    assert ("Programs run" in one(diagnosis, wanted).message) == goes_on
    after = typed(diagnosis, wanted, env, tmp_path)
    assert findings(examine(env=after.env, limit=5.0)) == {}


LIMITS = {
    "open-files-few": ("n", resource.RLIMIT_NOFILE, 90, "pipe error (Too many open files)"),
    "address-space-small": (
        "v",
        resource.RLIMIT_AS,
        1 << 36,
        "libmpi.so.12: failed to map segment from shared object",
    ),
    "file-size-small": ("f", resource.RLIMIT_FSIZE, 1 << 30, "File size limit exceeded"),
}


@pytest.mark.parametrize("wanted", LIMITS)
def test_a_limit_of_the_shell(
    wanted: str, bench: dict[str, str], mpi: dict[str, Path], findings: Found, tmp_path: Path
) -> None:
    letter, limit, few, text = LIMITS[wanted]
    soft, hard = resource.getrlimit(limit)
    if soft != resource.RLIM_INFINITY and soft <= few:
        pytest.skip("this process is limited more than that already")
    unit = {"n": 1, "f": 512}.get(letter, 1024)  # as the system's plain shell counts
    same = f"[ $(ulimit -{letter}) != {few // unit} ]"
    env = set_up(mpi["mpich"], f"{same} || {{ echo '{text}' >&2; exit 1; }}", bench)
    resource.setrlimit(limit, (few, hard))
    try:
        diagnosis = examine(env=env, limit=5.0)
        with_program([str(mpi["mpich"])], env, tmp_path)
        fix = one(diagnosis, wanted).fix
        after = type_lines([fix, "mpiexec -n 2 ./program"], env, tmp_path)
    finally:
        resource.setrlimit(limit, (soft, hard))
    assert findings(diagnosis) == {wanted: "error"}
    assert after.code == 0, after.out
    assert f"(ulimit -{letter})" in one(diagnosis, wanted).message
    most = "unlimited" if hard == resource.RLIM_INFINITY else hard // unit
    assert fix == f"ulimit -{letter} {most}"


def test_no_limit_is_blamed_that_is_not_set(bench: dict[str, str], mpi: dict[str, Path]) -> None:
    env = set_up(mpi["mpich"], prints("malloc: Cannot allocate memory"), bench)
    if resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY:
        pytest.skip("this process has such a limit")
    assert [f.id for f in examine(env=env, limit=5.0).findings if f.severity == "error"] == [
        "program-not-started"
    ]


@pytest.mark.parametrize("building", [False, True])
def test_a_disk_that_is_full(
    building: bool,
    bench: dict[str, str],
    tmp_path: Path,
    findings: Found,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    fails = "[ -n \"$TMPDIR\" ] || { echo '/tmp/x: No space left on device' >&2; exit 1; }"
    env = {name: value for name, value in bench.items() if name != "TMPDIR"}
    if building:
        script(wrapper, wrapper.read_text().replace("exec gcc", f"{fails}\nexec gcc"))
    env = set_up(wrapper, ":" if building else fails, env)
    assert "disk-full" not in findings(examine(env=env, limit=5.0))
    monkeypatch.setattr(complaints, "_free", lambda folder: 0 if folder == "/tmp" else 1 << 40)
    diagnosis = examine(env=env, limit=5.0)
    assert findings(diagnosis) == {"disk-full": "error"}
    assert "/tmp, is full" in one(diagnosis, "disk-full").message
    after = typed(diagnosis, "disk-full", env, tmp_path)
    assert after.env["TMPDIR"] == "/var/tmp"
    assert findings(examine(env=after.env, limit=5.0)) == {}


def test_a_folder_in_which_programs_cannot_be_started(
    bench: dict[str, str], mpi: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    env = set_up(mpi["mpich"], ":", bench)
    assert machine.executable(tmp_path)
    usual = tempfile.gettempdir()
    monkeypatch.setattr(machine, "executable", lambda folder: folder.parent != Path(usual))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".cache").mkdir()
    diagnosis = examine(env=env, limit=5.0)
    assert f"Programs in {usual} cannot" in one(diagnosis, "folder-not-executable").message
    assert diagnosis.exit_code == 0
    after = typed(diagnosis, "folder-not-executable", env, tmp_path)
    assert after.env["TMPDIR"] == f"{env['HOME']}/.cache"


def test_a_folder_that_is_mounted_noexec(tmp_path: Path) -> None:
    look = "import pathlib as p; from mpiglot.doctor import machine as m"
    ask = f"{sys.executable} -c '{look}; print(m.executable(p.Path(\".\")))'"
    done = in_namespace({}, f"mount -t tmpfs -o noexec tmpfs {tmp_path}", f"cd {tmp_path}", ask)
    if done is None:
        pytest.skip("this process may not mount anything")
    assert (done.returncode, done.stdout) == (0, "False\n"), done.stderr


@pytest.mark.parametrize("option", ["", " --mpi=pmi2"])
def test_slurms_launcher_stands_in_for_one_that_is_missing(
    option: str, bench: dict[str, str], tmp_path: Path, findings: Found
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    own = wrapper.with_name("mpiexec").rename(tmp_path / "starts")
    wants = f'[ "$1" = {option} ] || exit 1; shift' if option else ":"
    script(tmp_path / "slurm" / "srun", f'#!/bin/sh\n{wants}\nexec {own} "$@"\n')
    env = {**bench, "PATH": f"{wrapper.parent}:{tmp_path / 'slurm'}:{bench['PATH']}"}
    diagnosis = examine(env=env, limit=5.0)
    assert findings(diagnosis) == {}
    assert one(diagnosis, "no-launcher").fix == f"srun{option} -n 2 ./program"
    with_program([str(wrapper)], env, tmp_path)
    assert typed(diagnosis, "no-launcher", env, tmp_path).code == 0


def test_no_folder_is_passed_over_where_no_rank_started(
    bench: dict[str, str], mpi: dict[str, Path]
) -> None:
    env = set_up(mpi["mpich"], "exit 9", bench)
    env["LD_LIBRARY_PATH"] = str(mpi["openmpi"].parents[1] / "lib")
    kinds = [finding.id for finding in examine(env=env, limit=5.0).findings]
    assert "library-passed-over" not in kinds


@pytest.mark.parametrize("name", ["RPATH", "RUNPATH", "LD_LIBRARY_PATH"])
def test_a_path_that_leads_to_another_release(
    name: str, bench: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    older = replace(doctor_fakes.KINDS["mpich"], library="MPICH Version:\\t8.0.0")
    monkeypatch.setitem(doctor_fakes.KINDS, "mpich", older)
    other = fake_mpi(tmp_path / "other").parents[1] / "lib"
    tags = "--disable-new-dtags" if name == "RPATH" else "--enable-new-dtags"
    text = wrapper.read_text().replace('"$@"', f'-Wl,{tags} -Wl,-rpath,{other} "$@"')
    env = {**bench, "PATH": f"{wrapper.parent}:{bench['PATH']}"}
    if name == "LD_LIBRARY_PATH":
        env[name] = str(other)
    else:
        script(wrapper, text)
    finding = one(examine(env=env, limit=5.0), "library-other")
    if name == "LD_LIBRARY_PATH":
        assert "because LD_LIBRARY_PATH puts it in front" in finding.message
        assert finding.fix == "unset LD_LIBRARY_PATH"
        return
    assert f"because the program's {name} puts it in front" in finding.message
    if name == "RPATH":
        assert finding.fix.startswith("patchelf ")
    else:
        env["LD_LIBRARY_PATH"] = finding.fix.removeprefix("export LD_LIBRARY_PATH=")
        assert examine(env=env, limit=5.0).exit_code == 0


def test_a_machine_that_cannot_reach_itself() -> None:
    code = "from mpiglot.doctor import machine; print([f.id for f in machine.loopback()])"
    words = ["unshare", "-n", sys.executable, "-c", code]
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare")
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    if "Operation not permitted" in done.stderr:
        pytest.skip("this process may not have a network of its own")
    assert done.stdout == "['loopback-missing']\n", done.stderr
    assert machine.loopback() == []


def test_shared_memory_that_cannot_be_written_to(tmp_path: Path) -> None:
    users = commands_of_users(tmp_path / "users")
    env = {"PATH": f"{users}:{os.environ['PATH']}"}
    look = "from mpiglot.doctor.machine import shared_memory as s; print(s(2, 'it died', 0)[0].id)"
    ask = f'{sys.executable} -c "{look}"'
    fix = "sudo mount -o remount,rw /dev/shm && sudo chmod 1777 /dev/shm"
    done = in_namespace(
        env, "mount -t tmpfs -o ro,size=64m tmpfs /dev/shm", ask, fix, "touch /dev/shm/mpiglot-try"
    )
    if done is None:
        pytest.skip("this process may not mount anything")
    assert (done.returncode, done.stdout) == (0, "shared-memory-read-only\n"), done.stderr


CONTAINERS: dict[str, tuple[str, str]] = {
    "Kubernetes": ("var/run/secrets/kubernetes.io/serviceaccount", "volumes: "),
    "Podman": ("run/.containerenv", "podman run "),
    "Docker": (".dockerenv", "docker run "),
}


@pytest.mark.parametrize("name", CONTAINERS)
def test_a_container_gets_shared_memory_when_it_starts(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, fix = CONTAINERS[name]
    assert complaints.shared_memory_of_container({}, tmp_path) == ""
    (tmp_path / path).mkdir(parents=True)
    monkeypatch.setattr(complaints, "_may_mount", lambda: False)
    instead = complaints.shared_memory_of_container({}, tmp_path)
    assert instead.startswith(fix)
    folders = (tmp_path, tmp_path / "missing")
    for found in (machine.shared_memory(1 << 40, "it died", 0, at, instead) for at in folders):
        assert [one.fix for one in found] == [instead]
    monkeypatch.setattr(machine, "_writable", lambda _: False)
    assert machine.shared_memory(2, "it died", 0, tmp_path, instead)[0].fix == instead
    # A privileged container can mount it anew; a pod would lose that.
    monkeypatch.setattr(complaints, "_may_mount", lambda: True)
    kept = instead if name == "Kubernetes" else ""
    assert complaints.shared_memory_of_container({}, tmp_path) == kept


@pytest.mark.parametrize(("bounding", "may"), [("000001ffffffffff", True), ("a80425fb", False)])
def test_whether_root_may_mount_is_read_off_its_capabilities(
    bounding: str, may: bool, tmp_path: Path
) -> None:
    (tmp_path / "status").write_text(f"Name:\tsh\nCapEff:\t0\nCapBnd:\t{bounding}\n")
    assert complaints._may_mount(tmp_path / "status") == may


def test_little_shared_memory_in_a_pod(
    bench: dict[str, str],
    mpi: dict[str, Path],
    findings: Found,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    env = set_up(mpi["mpich"], ":", bench) | {"KUBERNETES_SERVICE_HOST": "10.0.0.1"}
    monkeypatch.setattr(machine, "free_shared_memory", lambda: 1 << 20)
    diagnosis = examine(env=env, limit=5.0)
    assert findings(diagnosis) == {"shared-memory-small": "warning"}
    finding = one(diagnosis, "shared-memory-small")
    volumes, mounts = (yaml.safe_load(line) for line in finding.fix.splitlines())
    (volume,), (mount,) = volumes["volumes"], mounts["volumeMounts"]
    assert volume["emptyDir"] == {"medium": "Memory", "sizeLimit": "1Gi"}
    assert mount == {"name": volume["name"], "mountPath": "/dev/shm"}
    assert "sudo" not in finding.fix
