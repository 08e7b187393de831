"""`ci/hosts`: what hosts have of their own, how programs reach them, and what is left of them."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from mpiglot.ci import hosts
from mpiglot.ci.hosts import missing
from mpiglot.parser.vendors import host_variables
from mpiglot.provision.environment import of_installation
from mpiglot.provision.matrix import matrix
from mpiglot.provision.obtain import locate

WHY = missing()
MPIS = ["mpich-4.0.2", "mpich-5.0.2", "openmpi-4.1.4", "openmpi-5.0.11", "intelmpi-2021.18.1"]
needs_hosts = pytest.mark.skipif(bool(WHY), reason=WHY)


def ci_hosts(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mpiglot.ci.hosts", *words],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@needs_hosts
def test_each_host_has_its_own_name_address_and_memory() -> None:
    shell = (
        "for host in node1 node2 node3; do ssh -x root@$host 'touch /dev/shm/$(hostname); "
        "echo $(hostname) $(ls /dev/shm) $(ip -brief -4 address show eth0)'; done"
    )
    said = ci_hosts("3", "sh", "-c", shell).stdout.split()
    names, addresses = said[::5], said[4::5]
    assert names == ["node1", "node2", "node3"]
    assert said[1::5] == names, "each sees its own file only"
    assert len(set(addresses)) == 3


@needs_hosts
def test_messages_go_from_host_to_host_by_name() -> None:
    listen = "import socket;s=socket.create_server(('node2',7000));print(s.accept()[0].recv(9))"
    speak = "import socket;socket.create_connection(('node2',7000)).sendall(b'hello')"
    shell = (
        f'ssh node2 "{sys.executable} -c \\"{listen}\\"" & sleep 1; '
        f'{sys.executable} -c "{speak}"; wait'
    )
    assert "hello" in ci_hosts("2", "sh", "-c", shell).stdout


@needs_hosts
def test_ssh_carries_no_variables_and_starts_at_home(tmp_path: Path) -> None:
    shell = "SECRET=1; export SECRET; ssh node2 'pwd; echo ${SECRET:-none}; exit 7'; echo $?"
    done = ci_hosts("2", "sh", "-c", shell, HOME=str(tmp_path))
    assert done.stdout.split() == [str(tmp_path), "none", "7"]


@needs_hosts
def test_a_host_that_is_not_there_is_named() -> None:
    done = ci_hosts("1", "ssh", "node9", "true")
    assert done.returncode == 255
    assert "node9" in done.stderr


@needs_hosts
def test_the_command_keeps_its_folder_its_variables_and_its_exit_code(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text('#!/bin/sh\necho "$WORD $(pwd)"\nexit 9\n')
    script.chmod(0o755)
    done = ci_hosts("2", str(script), WORD="kept")
    assert done.returncode == 9
    assert done.stdout == f"kept {Path.cwd()}\n"


@needs_hosts
def test_options_of_the_command_are_its_own() -> None:
    assert ci_hosts("1", "echo", "--qdisc", "2", "--help").stdout == "--qdisc 2 --help\n"
    assert ci_hosts("1", "--", "echo", "-l", "--", "--qdisc").stdout == "-l -- --qdisc\n"


@needs_hosts
def test_a_slow_network_is_slow() -> None:
    done = ci_hosts(
        "--qdisc", "tbf rate 80mbit burst 64kb latency 90ms", "2", "tc", "qdisc", "show"
    )
    if "unknown" in done.stderr:
        pytest.skip(done.stderr)
    assert "rate 80Mbit" in done.stdout


@needs_hosts
def test_a_queueing_discipline_that_the_kernel_lacks_is_one_sentence() -> None:
    done = ci_hosts("--qdisc", "nosuch 1", "2", "true")
    assert done.returncode == 3
    assert done.stderr.count("\n") == 1
    assert "nosuch" in done.stderr


@needs_hosts
def test_a_signal_ends_all_and_nothing_is_left(tmp_path: Path) -> None:
    links = subprocess.run(["ip", "link"], capture_output=True, check=True).stdout
    started = subprocess.Popen(
        [sys.executable, "-m", "mpiglot.ci.hosts", "2", "ssh", "node2", "echo on; sleep 987"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"on\n"
    started.send_signal(signal.SIGTERM)
    assert started.wait(30) == 128 + signal.SIGTERM
    assert started.stdout.read() == b"", "nobody holds it any more"
    assert list(tmp_path.iterdir()) == []
    assert subprocess.run(["ip", "link"], capture_output=True, check=True).stdout == links


@needs_hosts
def test_processes_that_the_command_leaves_are_ended() -> None:
    began = time.monotonic()
    assert ci_hosts("2", "sh", "-c", "ssh node2 sleep 600 & sleep 0.5").returncode == 0
    assert time.monotonic() - began < 60


@pytest.mark.parametrize("name", MPIS)
@needs_hosts
def test_launchers_start_ranks_on_all_hosts_in_turn(name: str) -> None:
    mpi = locate(matrix().get(name))
    if mpi is None:
        pytest.skip(f"{name} is not here")
    command = [sys.executable, "-m", "mpiglot.ci", "run", name, "-n", "3", "hostname"]
    said = ci_hosts("3", *command, **of_installation(mpi, ci=True).set)
    assert sorted(said.stdout.split()) == ["node1", "node2", "node3"], said.stderr


def doctor(shell: str, name: str, limit: int) -> dict[str, Any]:
    """What `mpiglot doctor` finds over two hosts, after some commands of a shell.

    A run that works ends long before its limit, unless others use the machine, too.
    """
    mpi = locate(matrix().get(name))
    if mpi is None:
        pytest.skip(f"{name} is not here")
    variables = {**of_installation(mpi, ci=True).set, "DOCTOR": str(mpi.cc)}
    words = f'{shell}{sys.executable} -m mpiglot doctor "$DOCTOR" --timeout {limit} --json'
    found: dict[str, Any] = json.loads(ci_hosts("2", "sh", "-c", words, **variables).stdout)
    return found


@pytest.mark.parametrize(("name", "warned"), [("mpich-4.0.2", True), ("openmpi-4.1.4", False)])
@needs_hosts
def test_the_doctor_tries_all_hosts(name: str, warned: bool) -> None:
    found = doctor("", name, limit=90)
    assert {one["host"] for one in found["run"]["ranks"]} == {"node1", "node2"}
    ids = [one["id"] for one in found["findings"]]
    assert ("finalize-between-hosts" in ids) == warned
    assert "leftover-launcher-variables" not in ids


@needs_hosts
def test_the_doctor_says_that_a_host_cannot_connect() -> None:
    found = doctor("ssh node2 ip link set eth0 down; ", "mpich-5.0.2", limit=10)
    said = [one["message"] for one in found["findings"] if one["severity"] == "error"]
    assert any("node1 fails" in text for text in said), said


def test_lists_of_hosts_are_written_as_each_launcher_reads_them(tmp_path: Path) -> None:
    variables = host_variables(["a", "b"], tmp_path)
    assert Path(variables["HYDRA_HOST_FILE"]).read_text() == "a:1\nb:1\n"
    assert Path(variables["OMPI_MCA_orte_default_hostfile"]).read_text() == "a slots=1\nb slots=1\n"


def test_where_there_can_be_no_hosts_it_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None if tool == "tc" else f"/{tool}")
    assert hosts.missing() == "tc is missing (package iproute2)"
    for tool in ("ip", "tc", "nsenter", "unshare"):
        (tmp_path / tool).write_text(f"#!/bin/sh\necho {tool}: not here >&2\nexit 1\n")
        (tmp_path / tool).chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = ci_hosts("2", "true", PATH=path)
    assert done.returncode == 3
    assert "unshare: not here" in done.stderr
    done = ci_hosts("--or-skip", "2", "false", PATH=path)
    assert done.returncode == 0
    assert "skipped" in done.stderr


def test_a_program_that_is_not_there_is_named() -> None:
    done = ci_hosts("2", "no-such-program")
    assert done.returncode == 2
    assert "no-such-program" in done.stderr
