"""What cannot be set up with real MPIs: a small fake one that hangs, dies or lacks a part."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mpiglot.doctor import Diagnosis, Finding, examine, library, machine
from mpiglot.doctor.trial import try_run
from mpiglot.parser.find import choose
from mpiglot.parser.installation import Installation
from mpiglot.parser.process import Result
from tests.doctor.doctor_fakes import (
    commands_of_users,
    fake_launcher,
    fake_mpi,
    in_namespace,
    script,
    tools,
    typed,
    with_program,
)
from tests.limits import guard

Found = Callable[[Diagnosis], dict[str, str]]


@pytest.fixture
def bench(shell: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A shell whose PATH holds a compiler and no MPI."""
    folder = tools(tmp_path / "tools", "sh", "gcc", "as", "ld", "sleep", "env")
    return {**shell, "PATH": str(folder)}


def before(env: dict[str, str], folder: Path) -> dict[str, str]:
    return {**env, "PATH": f"{folder}:{env['PATH']}"}


def one(diagnosis: Diagnosis, wanted: str) -> Finding:
    found = [finding for finding in diagnosis.findings if finding.id == wanted]
    assert found, [finding.id for finding in diagnosis.findings]
    return found[0]


def ended(process: int) -> bool:
    """Whether a process is gone (or only waits to be collected), within a moment."""
    for _ in range(50):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        time.sleep(0.1)
    return False


def test_a_healthy_fake_has_no_findings(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    """The fake itself is right: what the tests below find is what they set up."""
    wrapper = fake_mpi(tmp_path / "fake")
    diagnosis = examine(env=before(bench, wrapper.parent))
    assert findings(diagnosis) == {}
    assert diagnosis.run is not None
    assert [report.rank for report in diagnosis.run.reports] == [0, 1]
    assert diagnosis.exit_code == 0


def test_no_mpi_at_all(bench: dict[str, str], findings: Found, tmp_path: Path) -> None:
    env = before(before(bench, tmp_path / "fake" / "bin"), commands_of_users(tmp_path / "users"))
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"no-mpi": "error"}
    assert "apt install mpich" in one(diagnosis, "no-mpi").fix
    assert diagnosis.exit_code == 3
    # In place of Debian's archive: what is installed is there afterwards.
    fake_mpi(tmp_path / "fake")
    (tmp_path / "fake" / "bin").rename(tmp_path / "archive")
    script(
        tmp_path / "users" / "apt",
        f"""\
        #!/bin/sh
        [ "$*" = "install mpich libmpich-dev" ] && /bin/mv {tmp_path}/archive {tmp_path}/fake/bin
        """,
    )
    assert typed(diagnosis, "no-mpi", env, tmp_path).code == 0
    assert findings(examine(env=env)) == {}


def test_no_compiler(tmp_path: Path, shell: dict[str, str], findings: Found) -> None:
    wrapper = fake_mpi(tmp_path / "fake", compiler="nosuchcc")
    env = {**shell, "PATH": f"{wrapper.parent}:{tools(tmp_path / 'bare', 'sh')}"}
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"wrapper-unusable": "error"}
    assert "nosuchcc" in one(diagnosis, "wrapper-unusable").message
    assert diagnosis.exit_code == 3


def test_a_wrapper_that_fails_is_named_and_the_next_one_examined(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    broken = script(tmp_path / "broken" / "mpicc", "#!/bin/sh\necho lost my config >&2\nexit 3\n")
    good = fake_mpi(tmp_path / "good")
    diagnosis = examine(env=before(before(bench, good.parent), broken.parent))
    assert findings(diagnosis)["wrapper-unusable"] == "error"
    assert "lost my config" in one(diagnosis, "wrapper-unusable").message
    assert one(diagnosis, "wrapper-unusable").fix == f"mpiglot doctor {good}"
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.wrapper == good
    assert diagnosis.exit_code == 1


def test_a_wrapper_without_show_works_as_the_compiler_it_is(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    root = tmp_path / "fake"
    wrapper = fake_mpi(root)
    flags = f'-I{root}/include "$@" -L{root}/lib -Wl,-rpath,{root}/lib -lmpi'
    script(wrapper, f"#!/bin/sh\nexec gcc {flags}\n")
    diagnosis = examine(env=before(bench, wrapper.parent))
    assert findings(diagnosis) == {}
    assert diagnosis.chosen is not None
    assert diagnosis.chosen.compiler is None


def test_a_wrapper_that_cannot_compile(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    header = tmp_path / "fake" / "include" / "mpi.h"
    header.write_text(header.read_text() + "\nthis is no C;\n")
    env = before(bench, wrapper.parent)
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"compile-failed": "error"}
    assert "error" in one(diagnosis, "compile-failed").message
    assert diagnosis.exit_code == 3
    shown = typed(diagnosis, "compile-failed", env, tmp_path)
    assert shown.code != 0
    assert f"-I{tmp_path}/fake/include" in shown.out.replace("-I ", "-I")
    assert "this is no C" in shown.out


@pytest.mark.parametrize(
    ("trouble", "wanted", "said"),
    [
        ("hang", "program-hangs", "in MPI_Init"),
        ("die", "program-fails", "MPIDU_bc_table_create"),
        ("die late", "program-fails", "in MPI_Finalize"),
        ("wrong", "program-fails", "gets wrong messages"),
    ],
)
def test_a_program_that_does_not_come_through(
    trouble: str,
    wanted: str,
    said: str,
    tmp_path: Path,
    bench: dict[str, str],
    findings: Found,
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    env = {**before(bench, wrapper.parent), "FAKE_TROUBLE": trouble}
    diagnosis = examine(env=env, limit=3.0)
    assert findings(diagnosis) == {wanted: "error"}
    assert said in one(diagnosis, wanted).message
    assert diagnosis.exit_code == 1
    # What is to be typed shows the same trouble.
    with_program([str(wrapper)], env, tmp_path)
    shown = typed(diagnosis, wanted, env, tmp_path, limit=2)
    assert (shown.code == 124) == (wanted == "program-hangs")
    assert (shown.code == 0) == (trouble == "wrong")


def test_a_launcher_of_its_own_that_starts_nothing(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    launcher = wrapper.with_name("mpiexec")
    launcher.write_text(launcher.read_text().replace("shift\n", "echo no slots >&2\nexit 9\n", 1))
    env = before(bench, wrapper.parent)
    diagnosis = examine(env=env, limit=3.0)
    assert findings(diagnosis) == {"program-not-started": "error"}
    with_program([str(wrapper)], env, tmp_path)
    shown = typed(diagnosis, "program-not-started", env, tmp_path)
    assert (shown.code, shown.out) == (0, "")  # alone: the launcher is to blame


def test_a_launcher_of_its_own_under_which_ranks_are_alone(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    launcher = wrapper.with_name("mpiexec")
    launcher.write_text(launcher.read_text().replace("FAKE_RANK=$i FAKE_SIZE=$ranks ", ""))
    env = before(bench, wrapper.parent)
    diagnosis = examine(env=env, limit=3.0)
    assert findings(diagnosis) == {"ranks-alone": "error"}
    with_program([str(wrapper)], env, tmp_path)
    assert typed(diagnosis, "ranks-alone", env, tmp_path).code == 0


def test_a_hanging_program_is_ended_within_its_time_limit(
    tmp_path: Path, bench: dict[str, str]
) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    env = {**before(bench, wrapper.parent), "FAKE_TROUBLE": "hang"}
    run = examine(env=env, limit=2.0).run
    assert run is not None
    assert run.verdict == "hung"
    assert run.seconds < 6
    for report in run.reports:
        assert report.process is not None
        assert ended(report.process)


def test_a_launcher_that_hands_over_what_makes_ranks_die(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    """As Intel's programs do on some machines under MPICH's hydra."""
    wrapper = fake_mpi(tmp_path / "fake", "intelmpi")
    hydra = fake_launcher(
        tmp_path / "front" / "mpiexec", "mpich", give="FAKE_TROUBLE=die FAKE_RANK=$i FAKE_SIZE=2"
    )
    env = before(before(bench, wrapper.parent), hydra.parent)
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"launcher-other": "error"}
    finding = one(diagnosis, "launcher-other")
    assert "MPIDU_bc_table_create" in finding.message
    assert finding.fix == f"{wrapper.with_name('mpiexec')} -n 2 ./program"


def test_a_launcher_that_hangs(tmp_path: Path, bench: dict[str, str], findings: Found) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    hanging = fake_launcher(tmp_path / "other" / "mpiexec", "openmpi", extra="exec sleep 60")
    env = before(bench, wrapper.parent)
    diagnosis = examine(launcher=str(hanging), env=env, limit=3.0)
    assert findings(diagnosis) == {"launcher-other": "error"}
    assert "hangs before a rank starts" in one(diagnosis, "launcher-other").message


def test_no_launcher_of_its_own(tmp_path: Path, bench: dict[str, str], findings: Found) -> None:
    wrapper = fake_mpi(tmp_path / "fake")
    wrapper.with_name("mpiexec").unlink()
    env = before(bench, wrapper.parent)
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"no-launcher": "warning"}
    assert diagnosis.run is None
    assert one(diagnosis, "no-launcher").fix.startswith("find ")


def test_a_library_that_the_loader_does_not_find(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    root = tmp_path / "fake"
    wrapper = fake_mpi(root)
    script(wrapper, wrapper.read_text().replace(f"-Wl,-rpath,{root}/lib ", ""))
    diagnosis = examine(env=before(bench, wrapper.parent))
    assert findings(diagnosis) == {"library-missing": "error"}
    finding = one(diagnosis, "library-missing")
    assert "libmpi.so.12" in finding.message
    assert finding.fix == f"export LD_LIBRARY_PATH={root}/lib"


@pytest.mark.parametrize("trouble", ["", "die"])
def test_a_library_that_the_mpi_opens_at_start_and_that_is_not_there(
    trouble: str, tmp_path: Path, bench: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Intel MPI opens libfabric: within one machine it can do without."""
    monkeypatch.setattr("mpiglot.doctor.transports.run", lambda *_, **__: Result(0, "", ""))
    wrapper = fake_mpi(tmp_path / "fake", "intelmpi")
    env = {**before(bench, wrapper.parent), "FAKE_TROUBLE": trouble}
    finding = one(examine(env=env), "library-missing")
    assert finding.severity == ("error" if trouble else "info")
    assert finding.fix == "sudo apt install libfabric1"
    (tmp_path / "fake" / "lib" / "libfabric.so.1").symlink_to("libmpi.so.12")
    assert "library-missing" not in [found.id for found in examine(env=env).findings]


@pytest.mark.parametrize("name", ["mpich-4.0.2", "openmpi-4.1.4", "intelmpi-2021.19.0"])
def test_a_real_program_that_hangs_is_ended_with_all_its_ranks(
    name: str,
    tmp_path: Path,
    mpi: Callable[[str], Installation],
    at_home: Callable[[Installation], dict[str, str]],
) -> None:
    chosen = mpi(name)
    env = at_home(chosen)
    source = tmp_path / "hang.c"
    source.write_text(
        "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n"
        "int main(int c, char **v) { char path[4096]; MPI_Init(&c, &v);\n"
        '  snprintf(path, sizeof path, "%s/rank-%d", v[1], getpid());\n'
        '  FILE *f = fopen(path, "w");\n'
        '  fprintf(f, "process\\t%d\\nstage\\tinitialized\\n", getpid());\n'
        "  fclose(f); for (;;) { sleep(1); } }\n"
    )
    program = tmp_path / "hang"
    command = [*chosen.command, str(source), "-o", str(program)]
    subprocess.run(command, env=env, check=True, timeout=guard(60))
    run = try_run(chosen.launch(2, tmp_path), program, 2, env, 5.0)
    assert run.verdict == "hung"
    assert len(run.reports) == 2
    for report in run.reports:
        assert report.process is not None
        assert ended(report.process)


def test_a_library_for_another_processor(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    root = tmp_path / "fake"
    wrapper = fake_mpi(root)
    library = root / "lib" / "libmpi.so.12"
    data = bytearray(library.read_bytes())
    here = int.from_bytes(data[18:20], "little")
    data[18:20] = (183 if here != 183 else 62).to_bytes(2, "little")  # e_machine
    library.write_bytes(bytes(data))
    tools(tmp_path / "more", "readelf")
    env = before(before(bench, wrapper.parent), tmp_path / "more")
    diagnosis = examine(env=env)
    assert findings(diagnosis)["wrong-architecture"] == "error"
    assert "aarch64" in one(diagnosis, "wrong-architecture").message
    assert "AArch64" in typed(diagnosis, "wrong-architecture", env, tmp_path).out


def test_a_compiler_for_another_processor(tmp_path: Path, bench: dict[str, str]) -> None:
    chosen = choose(str(fake_mpi(tmp_path / "fake")), bench)
    program = tmp_path / "program"
    data = bytearray(Path("/proc/self/exe").read_bytes())
    here = int.from_bytes(data[18:20], "little")
    data[18:20] = (183 if here != 183 else 62).to_bytes(2, "little")  # e_machine
    program.write_bytes(bytes(data))
    finding = library.wrong_architecture(chosen, program)
    assert finding is not None
    assert "what the wrapper builds" in finding.message
    shown = typed(finding, "wrong-architecture", bench, tmp_path)
    assert (shown.code, "-" in shown.out) == (0, True)


def test_c_and_cpp_wrappers_of_different_mpis(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    wrapper = fake_mpi(tmp_path / "one", "mpich")
    other = fake_mpi(tmp_path / "two", "openmpi")
    (tmp_path / "mixed").mkdir()
    (tmp_path / "mixed" / "mpicxx").symlink_to(other)
    script(tmp_path / "mixed" / "mpicxx.real", "")
    other.rename(other.with_name("mpicxx"))
    (tmp_path / "mixed" / "mpicxx").unlink()
    (tmp_path / "mixed" / "mpicxx").symlink_to(other.with_name("mpicxx"))
    env = before(before(bench, tmp_path / "mixed"), wrapper.parent)
    diagnosis = examine(env=env)
    assert findings(diagnosis) == {"compilers-differ": "warning"}
    # The installation has no C++ wrapper of its own, so none is named.
    assert one(diagnosis, "compilers-differ").fix == ""


def test_links_of_c_and_cpp_that_lead_to_different_mpis(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    """As Debian's alternatives can be: what belongs together has the ending of its MPI."""
    links = tmp_path / "links"
    links.mkdir()
    for name in ("mpich", "openmpi"):
        wrapper = fake_mpi(tmp_path / name, name)
        text = wrapper.read_text()
        script(links / f"mpicc.{name}", text)
        script(links / f"mpicxx.{name}", text.replace("gcc", "g++"))
        wrapper.unlink()
        wrapper.with_name("mpiexec").rename(links / f"mpiexec.{name}")
    (links / "mpicc").symlink_to("mpicc.mpich")
    (links / "mpicxx").symlink_to("mpicxx.openmpi")
    tools(tmp_path / "more", "g++")
    env = before(before(bench, tmp_path / "more"), links)
    diagnosis = examine(env=env, launcher=str(links / "mpiexec.mpich"))
    assert findings(diagnosis) == {"compilers-differ": "warning"}
    assert one(diagnosis, "compilers-differ").fix == f"{links}/mpicxx.mpich program.cpp"
    (tmp_path / "program.cpp").write_text("#include <mpi.h>\nint main() { return 0; }\n")
    assert typed(diagnosis, "compilers-differ", env, tmp_path).code == 0


def test_a_header_of_another_mpi_behind_the_wrapper(
    tmp_path: Path, bench: dict[str, str], findings: Found
) -> None:
    root = tmp_path / "fake"
    wrapper = fake_mpi(root)
    fake_mpi(tmp_path / "other", "openmpi")
    other = f"-I{tmp_path}/other/include"
    script(wrapper, wrapper.read_text().replace('"$@" $flags', f'{other} "$@" $flags'))
    env = before(bench, wrapper.parent)
    diagnosis = examine(env=env)
    assert findings(diagnosis)["header-other"] == "error"
    assert f"-I{root}/include" in typed(diagnosis, "header-other", env, tmp_path).out


def test_a_doctor_that_a_launcher_started(
    tmp_path: Path,
    mpi: Callable[[str], Installation],
    at_home: Callable[[Installation], dict[str, str]],
) -> None:
    chosen = mpi("mpich-4.0.2")
    env = before(at_home(chosen), commands_of_users(tmp_path / "users"))
    words = [str(chosen.launcher), "-n", "1", "mpiglot", "doctor", str(chosen.wrapper), "--json"]
    inside = subprocess.run(
        words, env=env, capture_output=True, text=True, timeout=guard(120), check=False
    )
    known = {found["id"]: found for found in json.loads(inside.stdout)["findings"]}
    commands = known["inside-a-job"]["commands"]
    outside = typed(
        Finding("inside-a-job", "info", "", "\n".join(commands)), "inside-a-job", env, tmp_path
    )
    assert "inside-a-job" not in outside.out
    assert "run          right" in outside.out


def test_little_shared_memory_is_a_note_and_too_little_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Small:
        f_bavail, f_blocks, f_frsize = 60 << 8, 64 << 8, 4096

    def severities(ranks: int, failure: str) -> list[str]:
        free = machine.free_shared_memory(tmp_path)
        return [found.severity for found in machine.shared_memory(ranks, failure, free, tmp_path)]

    monkeypatch.setattr("os.statvfs", lambda _: Small)
    assert severities(2, "") == ["info"]
    assert severities(2, "it died") == ["error"]
    Small.f_bavail = 1 << 8
    assert severities(2, "") == ["warning"]
    Small.f_bavail = Small.f_blocks = 1 << 18
    assert severities(2, "it died") == []


@pytest.mark.parametrize(
    ("name", "severity"), [("openmpi-4.1.4", "warning"), ("mpich-4.0.2", "error")]
)
def test_a_megabyte_of_shared_memory_set_up_for_real(
    name: str,
    severity: str,
    mpi: Callable[[str], Installation],
    at_home: Callable[[Installation], dict[str, str]],
    tmp_path: Path,
) -> None:
    """In a mount namespace of its own; MPICH dies of it (and says something else)."""
    chosen = mpi(name)
    small = "mount -t tmpfs -o size=1m tmpfs /dev/shm"
    doctor = f"{sys.executable} -m mpiglot doctor {chosen.wrapper} --json"
    env = before(at_home(chosen), commands_of_users(tmp_path / "users"))
    answer = in_namespace(env, small, doctor)
    if answer is None:
        pytest.skip("this process may not mount anything")
    said = json.loads(answer.stdout)["findings"]
    found = [one for one in said if one["severity"] != "info"]
    assert [(one["id"], one["severity"]) for one in found] == [("shared-memory-small", severity)]
    assert answer.returncode == 1
    after = in_namespace(env, small, *found[0]["commands"], doctor)
    assert after is not None
    assert after.returncode == 0, after.stdout
    assert "shared-memory-small" not in after.stdout


def test_shared_memory_that_is_missing_is_made(tmp_path: Path) -> None:
    missing = tmp_path / "shm"
    (finding,) = machine.shared_memory(2, "it died", 0, missing)
    assert (finding.id, finding.severity) == ("shared-memory-missing", "warning")
    env = {"PATH": f"{commands_of_users(tmp_path / 'users')}:{os.environ['PATH']}"}
    made = in_namespace(env, *finding.commands, f"stat -f -c '%T' {missing}")
    if made is None:
        pytest.skip("this process may not mount anything")
    assert (made.returncode, made.stdout) == (0, "tmpfs\n"), made.stderr


def test_a_host_name_that_is_written_down_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "nowhere-to-be-found")
    finding = next(one for one in machine.host_name(True) if "nowhere" in one.fix)
    assert finding.id == "host-name-unknown"
    env = {"PATH": f"{commands_of_users(tmp_path / 'users')}:{os.environ['PATH']}"}
    own = "cp /etc/hosts hosts && mount --bind hosts /etc/hosts"
    found = in_namespace(
        env, f"cd {tmp_path}", own, *finding.commands, "getent hosts nowhere-to-be-found"
    )
    if found is None:
        pytest.skip("this process may not mount anything")
    assert found.returncode == 0, found.stderr
    assert "127.0.1.1" in found.stdout


def test_a_host_name_without_address_counts_once_a_run_failed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def lookup(name: str, _: object) -> list[object]:
        if name == "localhost":
            return []
        raise socket.gaierror(-2, "unknown")

    monkeypatch.setattr("socket.getaddrinfo", lookup)
    assert [finding.severity for finding in machine.host_name(False)] == ["info"]
    found = machine.host_name(True)
    assert [finding.severity for finding in found] == ["warning"]
    assert socket.gethostname() in found[0].fix
