"""A module outside the repository gets the Go module from a folder, and runs on every MPI."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

import mpiglot
from mpiglot.provision.toolchains import find_go
from tests.packages.outside import ROOT, Mpi, Tool, Words, environment, run, snippets, tree
from tests.tiers import matrix_run

pytestmark = pytest.mark.timeout(900)  # whoever comes first makes the package

CONSUMER = Path(__file__).parent / "consumers" / "go"
MODULE = "mpiglot.dev/mpi"
MODULES = ROOT / "build" / "packages" / "modules"
VERSION = f"v{mpiglot.__version__}"


@pytest.fixture(scope="module")
def proxy(tool: Tool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("go") / "a proxy"
    tool.run("package", "go", "-o", folder, cwd=folder.parent)
    return folder


def go_settings(proxy: Path) -> dict[str, str]:
    """At the gate the flags of the other builds: Go's build cache has what it needs.

    The folder of modules is named after what the module holds: Go indexes it once and for good.
    """
    modules = MODULES / hashlib.sha256((proxy / "go.sum").read_bytes()).hexdigest()[:16]
    return {
        "GOFLAGS": f"-mod=mod -modcacherw{'' if matrix_run() else ' -trimpath'}",
        "GOTOOLCHAIN": "local",
        "GOMODCACHE": str(modules),
        "GOCACHE": os.environ.get("GOCACHE", str(Path.home() / ".cache" / "go-build")),
    }


@pytest.fixture(scope="module")
def program(proxy: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A program in a fresh module that knows nothing but the proxy."""
    if find_go(os.environ) is None:
        pytest.skip("there is no Go of version 1.24 or later")
    folder = tmp_path_factory.mktemp("consumer")
    project = Path(shutil.copytree(CONSUMER, folder / "project"))
    shutil.rmtree(MODULES, ignore_errors=True)
    env = {
        **environment(folder / "home"),
        **go_settings(proxy),
        "GOPROXY": f"{proxy.as_uri()},off",
        "GONOSUMDB": "mpiglot.dev",
        "CGO_ENABLED": "1",
    }
    run("go", "mod", "init", "example.com/consumer", cwd=project, env=env)
    run("go", "get", f"{MODULE}@{VERSION}", cwd=project, env=env)
    said = run("go", "mod", "verify", cwd=project, env=env).stdout
    assert "all modules verified" in said
    readme = project / "readme"
    readme.mkdir()
    (readme / "main.go").write_text(snippets(proxy / "README.md", "go")[0])
    run("go", "build", "-o", folder, ".", "./readme", cwd=project, env=env, seconds=900)
    run("go", "vet", ".", cwd=project, env=env)
    said = run("go", "build", ".", cwd=project, env={**env, "CGO_ENABLED": "0"}, code=1).stderr
    assert "undefined: mpiglot_needs_cgo_set_CGO_ENABLED_1" in said and len(said.splitlines()) == 2
    run("go", "mod", "vendor", "-o", folder / "vendored", cwd=project, env=env)
    return folder / "consumer"


def test_one_program_runs_on_every_mpi(program: Path, tmp_path: Path, mpi: Mpi) -> None:
    assert "the sum over 2 ranks is 3" in mpi.run(tmp_path / "home", program)


def test_the_readme_of_the_package_is_right(program: Path, tmp_path: Path, mpich: Mpi) -> None:
    said = mpich.run(tmp_path / "home", program.with_name("readme"), ranks=3)
    assert "the ranks add up to 3" in said


def test_the_commands_of_the_modules_own_page_run_from_an_empty_folder(
    program: Path, proxy: Path, tmp_path: Path, mpich: Mpi
) -> None:
    page = ROOT / "go_runtime" / "README.md"
    project = tmp_path / "empty"
    project.mkdir()
    (project / "main.go").write_text(snippets(page, "go")[0])
    commands = snippets(page, "sh")[0].replace("file:///FOLDER", proxy.as_uri())
    assert "go mod init" in commands and "go get" in commands and "mpiexec" in commands
    env = {**mpich.with_names(tmp_path / "home"), **go_settings(proxy)}
    said = run("sh", "-ec", commands, cwd=project, env=env, seconds=900).stdout
    assert "the ranks add up to 6" in said


def test_go_computes_the_sums_that_the_package_tells(program: Path, proxy: Path) -> None:
    used = (program.parent / "project" / "go.sum").read_text().splitlines()
    assert used == (proxy / "go.sum").read_text().splitlines()


def test_vendoring_takes_all_that_cgo_needs(program: Path, proxy: Path) -> None:
    vendored = program.parent / "vendored" / MODULE / "low"
    with zipfile.ZipFile(proxy / MODULE / "@v" / f"{VERSION}.zip") as archive:
        inside = [Path(name) for name in archive.namelist()]
    needed = {p.name for p in inside if p.parent.name == "low" and p.suffix in (".go", ".c", ".h")}
    assert len(needed) > 50
    assert needed <= {p.name for p in vendored.iterdir()}


def test_the_newest_version_is_the_one_that_is_there(proxy: Path) -> None:
    versions = proxy / MODULE / "@v"
    assert (versions / "list").read_text() == f"{VERSION}\n"
    assert json.loads((versions / f"{VERSION}.info").read_text()) == {"Version": VERSION}
    assert (versions / f"{VERSION}.mod").read_text() == f"module {MODULE}\n\ngo 1.24\n"


def test_the_module_is_one_and_tells_what_it_was_generated_from(proxy: Path) -> None:
    with zipfile.ZipFile(proxy / MODULE / "@v" / f"{VERSION}.zip") as archive:
        names = [name.removeprefix(f"{MODULE}@{VERSION}/") for name in archive.namelist()]
        told = json.loads(archive.read(f"{MODULE}@{VERSION}/mpiglot-package.json"))
    assert [name for name in names if name.endswith("go.mod")] == ["go.mod"]
    assert {"LICENSE", "README.md", "mpi.go", "low/collectives.go"} <= set(names)
    assert all(not name.startswith(MODULE) for name in names)
    assert (told["version"], told["licence"]) == (mpiglot.__version__, "BSD-3-Clause")
    assert json.loads((proxy / "mpiglot-package.json").read_text()) == told


def test_checkout_and_wheel_make_the_same_bytes(proxy: Path, tmp_path: Path) -> None:
    words: Words = [sys.executable, "-m", "mpiglot", "package", "go", "-o", tmp_path / "again"]
    run(*words, cwd=ROOT, env=environment(tmp_path / "home"))
    assert tree(tmp_path / "again") == tree(proxy)
