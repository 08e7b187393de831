"""Installing is complete or has not happened, and repeating it costs nothing."""

from __future__ import annotations

import base64
import hashlib
import shutil
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.provision import obtain, truststore
from mpiglot.provision.matrix import Matrix, Mpi, matrix
from tests.limits import guard

FAKE = Mpi(
    name="mpich-9.9.9",
    vendor="mpich",
    version="9.9.9",
    cc="mpicc",
    cxx="mpicxx",
    launcher="mpiexec",
    library="lib/libmpi.so.12",
    level="conformance",
    languages=("cpp", "go", "java"),
    wheels=("fakempi==9.9.9",),
)


def make_wheel(folder: Path, *, complete: bool = True) -> Path:
    """A wheel of an MPI that consists of a few empty files."""
    names = ["bin/mpicc", "bin/mpicxx", "lib/libmpi.so.12"]
    names += ["bin/mpiexec"] if complete else []
    info = "fakempi-9.9.9.dist-info"
    files = {f"fakempi-9.9.9.data/data/{name}": b"#!/bin/sh\n" for name in names}
    files[f"{info}/METADATA"] = b"Metadata-Version: 2.1\nName: fakempi\nVersion: 9.9.9\n"
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    record = ""
    for name, content in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(content)}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = folder / "fakempi-9.9.9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty place for MPIs, a matrix with the fake one, and pip without any index."""
    monkeypatch.setenv("MPIGLOT_MPI_DIR", str(tmp_path / "mpi"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    known = Matrix((FAKE,), ())
    monkeypatch.setattr(obtain, "matrix", lambda: known)
    return tmp_path


def test_wheel_is_installed_with_its_library_folder(place: Path) -> None:
    make_wheel(place)
    found = obtain.install(FAKE)
    assert found.library == place / "mpi" / "mpich-9.9.9" / "lib" / "libmpi.so.12"
    assert found.library.is_file()
    assert found.launcher.is_file()


def test_second_installation_runs_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_wheel(place)
    obtain.install(FAKE)

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a program was started")

    monkeypatch.setattr(subprocess, "run", refuse)
    said: list[str] = []
    assert obtain.install(FAKE, said.append).prefix == place / "mpi" / "mpich-9.9.9"
    assert said == []


def test_interrupted_installation_is_repeated(place: Path) -> None:
    make_wheel(place)
    parts = place / "mpi" / ".mpich-9.9.9.part" / "bin"
    parts.mkdir(parents=True)
    (parts / "mpicc").write_text("half of it")
    assert obtain.locate(FAKE) is None
    assert "half" not in obtain.install(FAKE).cc.read_text()
    assert not parts.exists()


def test_failed_installation_leaves_nothing_behind(place: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"mpich-9\.9\.9 could not be installed with pip"):
        obtain.install(FAKE)
    left = [path.name for path in (place / "mpi").iterdir() if not path.name.endswith(".lock")]
    assert left == []


def test_installation_without_a_launcher_is_refused(place: Path) -> None:
    make_wheel(place, complete=False)
    with pytest.raises(EnvironmentProblem, match=r"mpiexec .* is missing"):
        obtain.install(FAKE)


def test_foreign_folder_of_that_name_is_not_overwritten(place: Path) -> None:
    make_wheel(place)
    mine = place / "mpi" / "mpich-9.9.9" / "mine"
    mine.parent.mkdir(parents=True)
    mine.write_text("precious")
    with pytest.raises(EnvironmentProblem, match="remove the folder and repeat"):
        obtain.install(FAKE)
    assert mine.read_text() == "precious"


def test_flags_become_wrappers_that_pass_them_on(place: Path) -> None:
    make_wheel(place)
    part = replace(FAKE, name="mpich-9.9.9-abi", wheels=(), part_of=FAKE.name, flags=("-mpi-abi",))
    found = obtain.install(part)
    native = place / "mpi" / "mpich-9.9.9" / "bin" / "mpicc"
    native.write_text('#!/bin/sh\necho "$I_MPI_ROOT" "$@"\n')
    native.chmod(0o755)
    done = subprocess.run(
        [str(found.cc), "a b", "-show"],
        capture_output=True,
        text=True,
        timeout=guard(20),
        check=True,
    )
    assert done.stdout.split("\n")[0] == f"{place / 'mpi' / 'mpich-9.9.9'} -mpi-abi a b -show"


def test_missing_mpi_is_named_with_the_command_that_gets_it(place: Path) -> None:
    with pytest.raises(EnvironmentProblem, match=r"install mpich-9\.9\.9"):
        obtain.installed(FAKE)


def test_packages_of_another_version_are_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(obtain, "_package_version", lambda _: "4.2.0-5build3")
    assert obtain.locate(matrix().get("mpich-4.0.2")) is None


def test_no_pip_is_one_sentence(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without_pip = place / "python"
    without_pip.write_text('#!/bin/sh\necho "python: No module named pip" >&2\nexit 1\n')
    without_pip.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(without_pip))
    with pytest.raises(EnvironmentProblem, match="No module named pip"):
        obtain.install(FAKE)


SCRIPT = Path(obtain.__file__).with_name("apt.sh")


def _apt(folder: Path, *packages: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(SCRIPT), *packages],
        env={"PATH": f"{folder}:/usr/bin:/bin", "HOME": str(folder), "TMPDIR": str(folder)},
        capture_output=True,
        text=True,
        timeout=guard(60),
        check=False,
    )


@pytest.fixture
def system(tmp_path: Path) -> Path:
    """A system of scripts: `gcc` 12.2.0 is installed; apt-get writes down how it is called."""
    scripts = {
        "dpkg-query": 'for one; do name=$one; done\n[ "$name" = gcc ] || exit 1\n'
        "printf 'installed 4:12.2.0-3'\n",
        "apt-get": f'echo "$@" >>{tmp_path}/calls\n[ ! -e {tmp_path}/broken ]\n',
        "id": "echo 0\n",
        "sleep": "",
    }
    for name, text in scripts.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{text}")
        (tmp_path / name).chmod(0o755)
    return tmp_path


def test_apt_is_left_alone_when_nothing_is_missing(system: Path) -> None:
    assert _apt(system, "gcc").returncode == 0
    assert not (system / "calls").exists()


def test_apt_installs_only_what_is_missing(system: Path) -> None:
    done = _apt(system, "gcc", "mpich=4.0.2")
    assert done.returncode == 0
    assert "installing packages: mpich=4.0.2*" in done.stderr
    asked = (system / "calls").read_text().splitlines()[-1].split()
    assert asked[-1] == "mpich=4.0.2*"
    assert "gcc" not in asked


def test_apt_is_asked_three_times_and_then_given_up(system: Path) -> None:
    (system / "broken").touch()
    done = _apt(system, "cmake")
    assert done.returncode == 3
    assert "apt-get could not install: cmake" in done.stderr
    assert (system / "calls").read_text().count(" install ") == 3


def test_without_rights_the_command_to_type_is_named(system: Path) -> None:
    (system / "id").write_text("#!/bin/sh\necho 1000\n")
    (system / "sudo").write_text("#!/bin/sh\nexit 1\n")
    (system / "sudo").chmod(0o755)
    done = _apt(system, "cmake")
    assert done.returncode == 3
    assert "Run as root: apt-get install cmake" in done.stderr
    assert not (system / "calls").exists()


def _package_of(folder: Path) -> str:
    """A shell command that leaves a Debian package with one header in the current folder."""
    (folder / "tree/DEBIAN").mkdir(parents=True)
    (folder / "tree/DEBIAN/control").write_text(
        "Package: some-dev\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: no\n"
    )
    (folder / "tree/usr/include").mkdir(parents=True)
    (folder / "tree/usr/include/some.hpp").write_text("// some\n")
    (folder / "tree/usr/other").write_text("not asked for")
    return f"dpkg-deb --root-owner-group --build {folder}/tree ./some-dev_1_all.deb >/dev/null"


def test_a_package_is_unpacked_without_being_installed(system: Path) -> None:
    fails_once = (
        f'[ -e {system}/failed ] || {{ touch {system}/failed; echo "no route"; exit 1; }}\n'
    )
    script = (
        f'#!/bin/sh\necho "$@" >>{system}/calls\ncase "$*" in *" download "*) ;; *) exit;; esac\n'
    )
    (system / "apt-get").write_text(script + fails_once + _package_of(system))
    target = system / "tools/some"
    done = _apt(system, "--unpack", str(target), "some-dev", "usr/include")
    assert done.returncode == 0, done.stderr
    assert [one.name for one in target.rglob("*") if one.is_file()] == ["some.hpp"]
    assert [one.name for one in target.parent.iterdir()] == ["some"]
    assert " install " not in (system / "calls").read_text()


def test_a_package_that_cannot_be_had_leaves_nothing_behind(system: Path) -> None:
    (system / "broken").touch()
    target = system / "tools/some"
    done = _apt(system, "--unpack", str(target), "some-dev", "usr/include")
    assert done.returncode == 3
    assert "apt-get could not download some-dev" in done.stderr
    assert list(target.parent.iterdir()) == []


def test_java_reads_the_certificates_the_system_trusts(tmp_path: Path) -> None:
    keytool = shutil.which("keytool")
    found = truststore.bundle({})
    if keytool is None or found is None:
        pytest.skip("no keytool or no certificates here")
    trusted = truststore.certificates(found.read_text(encoding="utf-8"))
    assert trusted
    store = tmp_path / "trusted.jks"
    store.write_bytes(truststore.keystore(trusted))
    command = [keytool, "-list", "-keystore", str(store), "-storepass", truststore.PASSWORD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=guard(60), check=True)
    assert f"contains {len(trusted)} entries" in done.stdout
