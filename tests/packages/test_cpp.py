"""A project outside the repository uses the C++ package, with the layer for the MPI it finds."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

import mpiglot
from mpiglot.exchange.output import MANIFEST
from tests.packages.outside import (
    COMMITTED,
    ROOT,
    Mpi,
    Tool,
    Words,
    environment,
    run,
    snippets,
    tree,
)
from tests.tiers import in_turn

pytestmark = pytest.mark.timeout(900)  # whoever comes first makes the package

CONSUMER = Path(__file__).parent / "consumers" / "cpp"
LAYERS = (*COMMITTED, "mpich-5.0.2-abi", "openmpi-4.1.4", "intelmpi-2021.18.1")
NO_TOOL = ("-DMPIGLOT_COMMAND=/bin/false", "-DMPIGLOT_PYTHON=/bin/false")
CHOSEN = re.compile(r"-- mpiglot: the C\+\+ layer (\S+) for (\S+)")


def _packaged(tool: Tool, folder: Path, *targets: str) -> Path:
    words = [word for target in targets for word in ("--target", target)]
    tool.run("package", "cpp", *words, "-o", folder, cwd=folder.parent)
    return folder


@pytest.fixture(scope="session")
def prefix(tool: Tool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, in a folder with a space in its name, moved after it was made."""
    folder = tmp_path_factory.mktemp("cpp")
    made = _packaged(tool, folder / "as made", *LAYERS)
    return made.rename(folder / "some where else")


def _project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(CONSUMER, tmp_path / "a project"))


def _configure(
    tmp_path: Path, mpi: Mpi, *options: str, code: int = 0, build: str = "build"
) -> subprocess.CompletedProcess[str]:
    env = mpi.environment(tmp_path / "home")
    words: Words = ["cmake", "-S", tmp_path / "a project", "-B", tmp_path / build, "-G", "Ninja"]
    words += [f"-DMPI_CXX_COMPILER={mpi.cxx}", f"-DMPIEXEC_EXECUTABLE={mpi.launcher}"]
    return run(*words, *options, cwd=tmp_path, env=env, code=code)


def _works(tmp_path: Path, mpi: Mpi, build: str = "build") -> None:
    """The project compiles, and runs on two ranks."""
    env = mpi.environment(tmp_path / "home")
    run("cmake", "--build", tmp_path / build, cwd=tmp_path, env=env)
    said = mpi.run(tmp_path / "home", tmp_path / build / "program")
    assert "the sum over 2 ranks is 3" in said


def _works_installed(tmp_path: Path, mpi: Mpi) -> None:
    """The same where the project installs it: elsewhere, with what it needs beside it."""
    env = mpi.environment(tmp_path / "home")
    to = tmp_path / "installed for good"
    run("cmake", "--install", tmp_path / "build", "--prefix", to, cwd=tmp_path, env=env)
    shutil.rmtree(tmp_path / "build")
    assert "the sum over 2 ranks is 3" in mpi.run(tmp_path / "home", to / "bin/program")


def _sentence(done: subprocess.CompletedProcess[str]) -> str:
    """What CMake says, in one line."""
    return " ".join(done.stderr.split())


def test_a_fresh_project_finds_the_package_and_the_layer_for_its_mpi(
    prefix: Path, tmp_path: Path, mpi: Mpi
) -> None:
    _project(tmp_path)
    said = _configure(tmp_path, mpi, f"-DCMAKE_PREFIX_PATH={prefix}", "-DWANTED=0.1").stdout
    assert CHOSEN.findall(said) == [(mpi.name, mpi.name)]
    _works(tmp_path, mpi)


@pytest.mark.parametrize(
    ("options", "libraries"),
    in_turn(
        [
            ([], ["libmpiglot_runtime.so"]),
            (["-DBUILD_SHARED_LIBS=OFF"], ["libmpiglot_runtime.a"]),
            (["-DMPIGLOT_HEADERS_ONLY=ON"], []),
        ]
    ),
)
def test_the_compiled_part_is_what_the_project_says(
    prefix: Path, tmp_path: Path, mpich: Mpi, options: list[str], libraries: list[str]
) -> None:
    _project(tmp_path)
    _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}", *options)
    _works(tmp_path, mpich)
    assert [file.name for file in (tmp_path / "build").glob("libmpiglot*")] == libraries
    _works_installed(tmp_path, mpich)


def test_a_library_that_uses_it_can_be_exported(prefix: Path, tmp_path: Path, mpich: Mpi) -> None:
    listing = _project(tmp_path) / "CMakeLists.txt"
    text = listing.read_text().replace("add_executable(program", "add_library(program")
    exported = "install(TARGETS program EXPORT all)\ninstall(EXPORT all DESTINATION cmake)\n"
    listing.write_text(text + exported)
    _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}")


def test_the_readme_of_the_package_is_right(prefix: Path, tmp_path: Path, mpich: Mpi) -> None:
    listing = _project(tmp_path) / "CMakeLists.txt"
    readme = prefix / "share/doc/mpiglot/README.md"
    (shown,) = snippets(readme, "cmake")
    listing.write_text(f"cmake_minimum_required(VERSION 3.22)\nproject(readme)\n{shown}")
    (program,) = snippets(readme, "cpp")
    listing.with_name("program.cpp").write_text(program)
    _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}")
    _works(tmp_path, mpich)


def test_the_choice_is_made_anew_when_the_mpi_changes(
    prefix: Path, tmp_path: Path, mpich: Mpi
) -> None:
    _project(tmp_path)
    other = Mpi.get("openmpi-4.1.4")
    first = _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}").stdout
    again = _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}").stdout
    changed = _configure(tmp_path, other, "-UMPI_*").stdout
    assert [CHOSEN.findall(said) for said in (first, again, changed)] == [
        [(mpich.name, mpich.name)],
        [],  # nothing has changed: not even asked
        [(other.name, other.name)],
    ]


def test_where_no_layer_fits_one_is_generated(tool: Tool, tmp_path: Path, mpich: Mpi) -> None:
    package = _packaged(tool, tmp_path / "package", "openmpi-4.1.4")
    _project(tmp_path)
    options = [f"-DCMAKE_PREFIX_PATH={package}", f"-DMPIGLOT_COMMAND={tool.command}"]
    said = _configure(tmp_path, mpich, *options).stdout
    assert (
        f"-- mpiglot: no C++ layer at hand fits mpich-4.0.2; generating one with {tool.command}"
        in said
    )
    assert (
        f"-- mpiglot: probed {Path('/usr/bin/mpicc.mpich')} and generated {tmp_path}/build/" in said
    )
    _works(tmp_path, mpich)


def test_a_python_that_has_mpiglot_generates_too(tool: Tool, tmp_path: Path) -> None:
    package = _packaged(tool, tmp_path / "package", "openmpi-4.1.4")
    _project(tmp_path)
    options = [f"-DCMAKE_PREFIX_PATH={package}", *NO_TOOL, f"-DMPIGLOT_PYTHON={tool.python}"]
    intel = Mpi.get("intelmpi-2021.18.1")  # for the standard ABI: the flag is the wrapper's
    said = _configure(tmp_path, intel, *options, "-DMPI_CXX_COMPILER_FLAGS=-mpi-abi").stdout
    assert f"fits abi-1; generating one with {tool.python} -m mpiglot" in said
    assert re.search(r"probed '.*/mpicc' -mpi-abi and generated", said)


def test_a_layer_of_another_mpi_is_never_taken(tool: Tool, tmp_path: Path, mpich: Mpi) -> None:
    package = _packaged(tool, tmp_path / "package", "openmpi-4.1.4", "mpich-4.1.3")
    _project(tmp_path)
    at = f"-DCMAKE_PREFIX_PATH={package}"
    sentence = _sentence(_configure(tmp_path, mpich, at, *NO_TOOL, code=1))
    assert (
        "there is no C++ layer for the MPI that CMake found, mpich-4.0.2 (at hand: mpich-4.1.3, "
        f"openmpi-4.1.4), and none could be generated: mpiglot {mpiglot.__version__} is needed"
    ) in sentence
    wrong = f"-DMPIGLOT_GENERATED={package}/share/mpiglot/layers/mpich-4.1.3"
    sentence = _sentence(_configure(tmp_path, mpich, at, wrong, code=1))
    assert "which does not fit the MPI that CMake found, mpich-4.0.2" in sentence
    assert "generated for MPICH 4.1.3, and <mpi.h> is of another series" in sentence


def test_a_mpiglot_of_another_version_generates_nothing(
    tool: Tool, tmp_path: Path, mpich: Mpi
) -> None:
    package = _packaged(tool, tmp_path / "package", "openmpi-4.1.4")
    other = tmp_path / "mpiglot"
    other.write_text("#!/bin/sh\necho mpiglot 99.1.2\n")
    other.chmod(0o755)
    _project(tmp_path)
    options = [f"-DCMAKE_PREFIX_PATH={package}", *NO_TOOL, f"-DMPIGLOT_COMMAND={other}"]
    sentence = _sentence(_configure(tmp_path, mpich, *options, code=1))
    assert f"was not found; {other} is mpiglot 99.1.2; pip install mpiglot==" in sentence


def test_where_the_wrapper_for_cpp_is_broken_the_one_for_c_is_used(
    prefix: Path, tmp_path: Path, mpich: Mpi
) -> None:
    listing = _project(tmp_path) / "CMakeLists.txt"
    listing.write_text(listing.read_text().replace("LANGUAGES CXX", "LANGUAGES C CXX"))
    wrappers = ["-DMPI_CXX_COMPILER=/bin/false", f"-DMPI_C_COMPILER={mpich.installation.cc}"]
    said = _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={prefix}", *wrappers).stdout
    assert CHOSEN.findall(said) == [(mpich.name, mpich.name)]


def test_the_nearest_older_release_of_the_series_is_taken_and_told(
    tool: Tool, tmp_path: Path, mpich: Mpi
) -> None:
    package = _packaged(tool, tmp_path / "package", "mpich-4.0.2")
    layers = package / "share/mpiglot/layers"
    for name in ("mpich-4.0.0", "mpich-4.0.1", "mpich-4.0.3"):  # as if these had been generated
        manifest = Path(shutil.copytree(layers / "mpich-4.0.2", layers / name)) / MANIFEST
        manifest.write_text(
            manifest.read_text().replace('"target": "mpich-4.0.2"', f'"target": "{name}"')
        )
    shutil.rmtree(layers / "mpich-4.0.2")
    _project(tmp_path)
    said = _configure(tmp_path, mpich, f"-DCMAKE_PREFIX_PATH={package}").stdout
    assert CHOSEN.findall(said) == [("mpich-4.0.1", "mpich-4.0.2")]


def test_a_version_or_a_component_that_the_package_is_not_is_refused(
    prefix: Path, tmp_path: Path, mpich: Mpi
) -> None:
    project = _project(tmp_path)
    at = f"-DCMAKE_PREFIX_PATH={prefix}"
    sentence = _sentence(_configure(tmp_path, mpich, at, "-DWANTED=99.0", code=1))
    assert f"version: {mpiglot.__version__}" in sentence
    listing = project / "CMakeLists.txt"
    listing.write_text(listing.read_text().replace("COMPONENTS mpi", "COMPONENTS fortran mpi"))
    sentence = _sentence(_configure(tmp_path, mpich, at, "-DWANTED=0.1", code=1))
    assert "components mpi, mpiglot and pmpi, and none called fortran" in sentence


def test_the_source_tree_is_fetched_and_works_the_same(tmp_path: Path, mpich: Mpi) -> None:
    archive = tmp_path / "tree.tar.gz"
    with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
        for name in ("CMakeLists.txt", "LICENSE", "mpiglot", "cpp_runtime", "generated/cpp"):
            tar.add(ROOT / name, f"mpiglot/{name}")
    _project(tmp_path)
    said = _configure(tmp_path, mpich, f"-DARCHIVE={archive}").stdout
    assert CHOSEN.findall(said) == [(mpich.name, mpich.name)]
    _works(tmp_path, mpich)
    _works_installed(tmp_path, mpich)


def test_cmake_installs_what_the_command_packages(tool: Tool, tmp_path: Path, mpich: Mpi) -> None:
    env = mpich.environment(tmp_path / "home")
    words: Words = [
        "cmake",
        "-S",
        ROOT,
        "-B",
        tmp_path / "build",
        "-G",
        "Ninja",
        "-DMPIGLOT_TESTS=OFF",
    ]
    run(*words, f"-DMPI_CXX_COMPILER={mpich.cxx}", cwd=tmp_path, env=env)
    installed = tmp_path / "installed"
    run("cmake", "--install", tmp_path / "build", "--prefix", installed, cwd=tmp_path, env=env)
    packaged = _packaged(tool, tmp_path / "package", *COMMITTED)
    for folder in (packaged, installed):  # the checkout has the layers without PMPI libraries
        for path in [*folder.glob("share/mpiglot/layers/*/pmpi/*"), *folder.rglob(MANIFEST)]:
            path.unlink()
    assert tree(installed) == tree(packaged)


def test_the_package_tells_what_it_was_generated_from(prefix: Path) -> None:
    told = json.loads((prefix / "share/mpiglot/mpiglot-package.json").read_text())
    assert (told["version"], told["licence"]) == (mpiglot.__version__, "BSD-3-Clause")
    for name in LAYERS:
        manifest = prefix / "share/mpiglot/layers" / name / "mpiglot-manifest.json"
        assert json.loads(manifest.read_text())["inputs"] == told["inputs"]
    readme = (prefix / "share/doc/mpiglot/README.md").read_text()
    assert f"find_package(mpiglot {mpiglot.__version__} REQUIRED)" in readme
    assert "@" not in readme.replace("@v", "")


def test_pkg_config_gives_both_include_folders(prefix: Path, tmp_path: Path, mpich: Mpi) -> None:
    program = shutil.which("pkg-config")
    if program is None:
        pytest.skip("there is no pkg-config")
    env = {**environment(tmp_path / "home"), "PKG_CONFIG_PATH": str(prefix / "share/pkgconfig")}
    flags = run(program, "--cflags", f"mpiglot-{mpich.name}", cwd=tmp_path, env=env).stdout.strip()
    command = f"'{mpich.cxx}' {flags} -fsyntax-only '{CONSUMER / 'program.cpp'}'"
    run("sh", "-c", command, cwd=tmp_path, env=env)
