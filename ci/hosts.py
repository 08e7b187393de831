"""`ci/hosts`: runs a command on a cluster of hosts that exist on this machine only.

A host is a set of namespaces: its own name, network, `/dev/shm`, System V IPC and `/etc/hosts`.
Files and process numbers are shared. The hosts are joined by a bridge, and a program `ssh` stands
first on PATH that starts commands on them as a real one does: in the home folder, with none of the
variables of the caller. Launchers find the hosts in variables. All of it is gone with the command.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import FrameType

import click

from mpiglot.blueprints.errors import EnvironmentProblem, UsageError
from mpiglot.cli import run as run_command
from mpiglot.parser.vendors import host_variables, is_root
from mpiglot.provision.launch import HOSTS
from mpiglot.provision.processes import MARK

_TOOLS = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
_NETWORK = "10.77.0."
_SHARED = ("--net", "--uts", "--ipc", "--mount")

# Options of ssh that have a value, then the host, then the words of a command for its shell.
_SSH = """\
#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -[BbcDEeFIiJLlmOopQRSWw]) shift 2 ;;
    -*) shift ;;
    *) break ;;
  esac
done
host=${{1#*@}}
shift
if [ ! -e {folder}/$host ]; then
  echo "ssh: Could not resolve hostname $host: Name or service not known" >&2
  exit 255
fi
exec nsenter --target "$(cat {folder}/$host)" {shared} -- \\
  env -i HOME="$HOME" PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin SHELL=/bin/sh \\
  {mark}="${mark}" {variable}={folder} sh -c "cd; $*"
"""


def _unshare(*words: str) -> list[str]:
    """The command that starts another in namespaces of its own."""
    return ["unshare", *([] if is_root() else ["--map-root-user"]), *words]


def missing() -> str:
    """Why this machine can have no hosts; nothing if it can."""
    if sys.platform != "linux":
        return "hosts are made of Linux namespaces, and this is another system"
    for tool, package in _TOOLS.items():
        if shutil.which(tool) is None:
            return f"{tool} is missing (package {package})"
    steps = (
        "mount -t proc proc /proc && mount -t tmpfs tmpfs /dev/shm && "
        "ip link add test type bridge && ip link add one type veth peer two"
    )
    tried = subprocess.run(
        _unshare("--pid", "--fork", *_SHARED, "--", "sh", "-c", steps),
        capture_output=True,
        text=True,
        check=False,
    )
    if tried.returncode:
        said = tried.stderr.strip().splitlines()
        return f"this system gives no namespaces ({said[-1] if said else 'no reason given'})"
    return ""


def _do(*words: str) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise EnvironmentProblem(f"`{shlex.join(words)}` failed: {done.stderr.strip()}")


def _pass_signals_on(end: Callable[[int], None]) -> None:
    """Gives what would end this process to another one, which may be gone."""

    def handle(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            end(number)

    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, handle)


def _of_shell(code: int) -> int:
    """The exit code of a process as a shell tells it."""
    return code if code >= 0 else 128 - code


def _host(folder: Path, name: str, address: str, qdisc: Sequence[str]) -> int:
    """Makes a host, which lives as long as the process whose number is given back."""
    steps = (
        f"hostname {name} && mount -t tmpfs tmpfs /dev/shm && "
        f"mount --bind {shlex.quote(str(folder / 'etc-hosts'))} /etc/hosts && "
        "echo ready && exec sleep infinity"
    )
    holder = subprocess.Popen(
        ["unshare", *_SHARED, "sh", "-c", steps], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    if holder.stdout.readline() != b"ready\n":
        raise EnvironmentProblem(f"host {name} could not be made.")
    _do("ip", "link", "add", name, "type", "veth", "peer", "eth0", "netns", str(holder.pid))
    _do("ip", "link", "set", name, "master", "switch", "up")
    inside = ("nsenter", "--target", str(holder.pid), "--net")
    _do(*inside, "ip", "address", "add", f"{address}/24", "dev", "eth0")
    for device in ("lo", "eth0"):
        _do(*inside, "ip", "link", "set", device, "up")
    if qdisc:
        _do(*inside, "tc", "qdisc", "add", "dev", "eth0", "root", *qdisc)
    (folder / name).write_text(f"{holder.pid}\n", encoding="utf-8")
    return holder.pid


def _cluster(folder: Path, hosts: int, qdisc: Sequence[str], program: Sequence[str]) -> int:
    """Makes the hosts and runs a program on the first; this is process 1 of its namespace."""
    _do("mount", "-t", "proc", "proc", "/proc")
    names = [f"node{number}" for number in range(1, hosts + 1)]
    addresses = {name: f"{_NETWORK}{number}" for number, name in enumerate(names, 1)}
    table = ["127.0.0.1 localhost", *(f"{address} {name}" for name, address in addresses.items())]
    (folder / "etc-hosts").write_text("\n".join(table) + "\n", encoding="utf-8")
    (folder / "bin").mkdir()
    ssh = folder / "bin" / "ssh"
    ssh.write_text(
        _SSH.format(
            folder=shlex.quote(str(folder)), shared=" ".join(_SHARED), mark=MARK, variable=HOSTS
        ),
        encoding="utf-8",
    )
    ssh.chmod(0o755)
    _do("ip", "link", "add", "switch", "type", "bridge")
    for device in ("lo", "switch"):
        _do("ip", "link", "set", device, "up")
    holders = [_host(folder, name, addresses[name], qdisc) for name in names]
    step = 'cd "$1" && shift && exec "$@"'
    inside = ["nsenter", "--target", str(holders[0]), *_SHARED, "--", "sh", "-c", step, "sh"]
    started = subprocess.Popen(
        [*inside, str(Path.cwd()), *program],
        env={
            **os.environ,
            **host_variables(names, folder),
            "PATH": os.pathsep.join([str(folder / "bin"), os.environ.get("PATH", "")]),
            HOSTS: str(folder),
        },
    )

    _pass_signals_on(started.send_signal)
    while True:  # orphans end here, too
        ended, status = os.wait()
        if ended == started.pid:
            return _of_shell(os.waitstatus_to_exitcode(status))


@click.command(name="ci/hosts", context_settings={"allow_interspersed_args": False})
@click.argument("hosts", type=click.IntRange(1, 250))
@click.argument("program", nargs=-1, type=click.UNPROCESSED, required=True)
@click.option(
    "--qdisc",
    default="",
    metavar="WORDS",
    help="What `tc qdisc` does to what each host sends: 'netem delay 1ms', "
    "'tbf rate 1gbit burst 64kb latency 50ms'.",
)
@click.option("--or-skip", is_flag=True, help="Where there can be no hosts, say why, and succeed.")
@click.option("--inside", type=click.Path(path_type=Path), hidden=True)
def command(
    hosts: int, program: tuple[str, ...], qdisc: str, or_skip: bool, inside: Path | None
) -> int:
    """Run a command on the first of HOSTS hosts node1, node2, ..., made for it on this machine.

    Each has its own name, network, /dev/shm and IPC. Launchers of MPIs start their ranks on all of
    them in turn. `ssh node2 COMMAND` works as well. Exit code: that of the command; 3 where this
    machine can have no hosts.
    """
    words = shlex.split(qdisc)
    if program[0] == "--" and len(program) > 1:
        program = program[1:]
    if inside is not None:
        return _cluster(inside, hosts, words, program)
    if shutil.which(program[0]) is None:
        raise UsageError(f"{program[0]} is no program.")
    why = missing()
    if why and or_skip:
        click.echo(f"ci/hosts: skipped: {why}", err=True)
        return 0
    if why:
        raise EnvironmentProblem(f"no hosts: {why}.")
    with tempfile.TemporaryDirectory(prefix="mpiglot-hosts-") as folder:
        again = [sys.executable, "-m", "mpiglot.ci.hosts", "--inside", folder]
        again += ["--qdisc", qdisc] if words else []
        started = subprocess.Popen(
            [
                *_unshare("--pid", "--fork", "--kill-child", *_SHARED, "--"),
                *again,
                str(hosts),
                "--",
                *program,
            ]
        )

        def end(number: int) -> None:
            children = Path(f"/proc/{started.pid}/task/{started.pid}/children")  # it obeys none
            for one in children.read_text(encoding="ascii").split():
                os.kill(int(one), number)

        _pass_signals_on(end)
        return _of_shell(started.wait())


if __name__ == "__main__":
    sys.exit(run_command(command))
