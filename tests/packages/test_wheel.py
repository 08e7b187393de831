"""The wheel holds everything the command needs: it works where there is no checkout."""

from __future__ import annotations

import email
import json
import tarfile
import zipfile
from pathlib import Path

import pytest

import mpiglot
from mpiglot.exchange.produce import Unit, produce
from mpiglot.generators.inputs import Inputs
from mpiglot.packaging.contents import atlas_hash
from tests.packages.outside import ROOT, Tool, environment, run, tree

pytestmark = pytest.mark.timeout(900)  # whoever comes first makes the package

OF_THE_CHECKOUT = {
    "demo",
    "hosts",
    "lib.sh",
    "lint",
    "mpi",
    "mutate",
    "planted",
    "requirements.lock",
    "test",
}
RUNTIMES = (
    ("cpp_runtime/include", ".hpp"),
    ("cpp_runtime/include", ".ipp"),
    ("cpp_runtime/src", ".cpp"),
    ("cpp_runtime/cmake", ".cmake"),
    ("go_runtime", ".go"),
    ("java_runtime/junit/src", ".java"),
    ("java_runtime/low", ".java"),
    ("java_runtime/migration/src", ".java"),
    ("java_runtime/src/main", ".java"),
)


def has_code(path: Path) -> bool:
    return path.is_symlink() and (path / "__init__.py").is_file()


SCRIPT = f"mpiglot-{mpiglot.__version__}.data/scripts/mpiglot"  # the command


@pytest.fixture(scope="module")
def wheel(python_package: Path) -> zipfile.ZipFile:
    return zipfile.ZipFile(next(python_package.glob("mpiglot-*.whl")))


def test_every_file_of_the_packages_is_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    folders = (ROOT / "mpiglot", *(path for path in (ROOT / "mpiglot").iterdir() if has_code(path)))
    wanted = {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    wanted -= {f"mpiglot/ci/{name}" for name in OF_THE_CHECKOUT}
    wanted.discard("mpiglot/provision/yielding.c")  # of the gate
    wanted.remove("mpiglot/bin/mpiglot")
    wanted.add(SCRIPT)
    assert wanted - set(wheel.namelist()) == set()


def test_the_handwritten_halves_are_in_the_wheel(wheel: zipfile.ZipFile) -> None:
    wanted = {
        f"mpiglot/{path.relative_to(ROOT)}"
        for folder, suffix in RUNTIMES
        for path in (ROOT / folder).rglob(f"*{suffix}")
    }
    assert len(wanted) > 50
    assert wanted - set(wheel.namelist()) == set()


def test_the_source_distribution_holds_what_the_wheel_is_made_from(
    python_package: Path, wheel: zipfile.ZipFile
) -> None:
    with tarfile.open(next(python_package.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    held = ["mpiglot/bin/mpiglot" if name == SCRIPT else name for name in wheel.namelist()]
    missing = [name for name in held if ".dist-info/" not in name and name not in names]
    assert missing == []
    assert {"pyproject.toml", "LICENSE", "README.md"} <= names


def test_the_wheel_tells_its_version_its_licence_and_what_it_holds(wheel: zipfile.ZipFile) -> None:
    info = f"mpiglot-{mpiglot.__version__}.dist-info"
    told = email.message_from_bytes(wheel.read(f"{info}/METADATA"))
    assert told["Version"] == mpiglot.__version__
    assert told["License-Expression"] == "BSD-3-Clause"
    assert wheel.read(f"{info}/licenses/LICENSE") == (ROOT / "LICENSE").read_bytes()
    data = json.loads(wheel.read("mpiglot/mpiglot-package.json"))
    hashes = Inputs.of_known().hashes()
    assert data["inputs"] == hashes
    assert data["atlas"] == atlas_hash(hashes)


def test_the_installed_wheel_answers(tool: Tool, tmp_path: Path) -> None:
    assert tool.run("--version", cwd=tmp_path) == f"mpiglot {mpiglot.__version__}\n"
    assert "MPI_Send" in tool.run("show", "MPI_Send", cwd=tmp_path)
    assert "MPI_Session_init" in tool.run(
        "diff", "mpich-3.4.3", "mpich-5.0.2", cwd=tmp_path, code=1
    )


def test_the_installed_wheel_has_the_matrix(tool: Tool, tmp_path: Path) -> None:
    def answer(*words: str, code: int = 0) -> str:
        env = {**environment(tmp_path / "home"), "MPIGLOT_MPI_DIR": str(tmp_path / "mpi")}
        return run(tool.python, "-m", "mpiglot.ci", *words, cwd=tmp_path, env=env, code=code).stdout

    assert "mpich-5.0.2" in answer("list", "--names").splitlines()
    answer("path", "mpich-5.0.2", code=3)  # what the checkout has is not here
    assert answer("--help").startswith("Usage: python -m mpiglot.ci ")


@pytest.mark.parametrize("language", ["cpp", "go", "java", "pmpi"])
def test_the_installed_wheel_generates_what_the_checkout_does(
    tool: Tool, tmp_path: Path, language: str
) -> None:
    target = ["--target", "mpich-4.0.2"] if language in ("cpp", "pmpi") else []
    tool.run("generate", language, *target, "-o", tmp_path / "made", cwd=tmp_path)
    unit = Unit(language, target[-1] if target else None, tmp_path)
    wanted = produce(unit, Inputs.of_known()).contents()
    assert tree(tmp_path / "made") == {path: text.encode() for path, text in wanted.items()}
