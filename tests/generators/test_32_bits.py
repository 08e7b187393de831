"""A target with addresses of 32 bits: probed, generated in three languages, compiled as C++."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from mpiglot.blueprints.model import Blueprint, dumps
from mpiglot.commands._proof import prove
from mpiglot.exchange.produce import Unit
from mpiglot.generators.handwritten import CHECKOUT
from mpiglot.generators.inputs import Inputs, Named, of_text
from mpiglot.parser import choice
from mpiglot.parser.probe import probe
from tests.generators.test_subset import mpiglot
from tests.limits import guard
from tests.parser import fake_mpi, matrix

COMPILER = "i686-linux-gnu-gcc"
PACKAGE = "g++-i686-linux-gnu"
MPI = "openmpi-4.1.4"
ELSEWHERE = "-Wl,--dynamic-linker=/nowhere/ld.so"  # programs of 32 bits may start on this machine
REASON = "its addresses have 32 bits, and Go and Java are generated for 64"
# The library has every function by name; programs that are built with it are not started.
SYMBOL = '__asm__(".globl {0}\\n.type {0},@function\\n{0}: ret\\n");\n'
VARIABLE = (
    '__asm__(".globl {0}\\n.data\\n.type {0},@object\\n.size {0},4\\n{0}: .long 0\\n.text\\n");\n'
)

pytestmark = pytest.mark.skipif(
    not shutil.which(COMPILER),
    reason=f"no {COMPILER} here (Debian's package {PACKAGE})",
)


def blueprint_of(header: str, library: str, folder: Path) -> tuple[Blueprint, fake_mpi.FakeMpi]:
    made = fake_mpi.build(folder / "mpi", header, None, compiler=f"{COMPILER} {ELSEWHERE}")
    compile_library(library, made)
    return probe(choice.wrapper(str(made.mpicc))).blueprint, made


def compile_library(text: str, made: fake_mpi.FakeMpi) -> None:
    source = made.prefix / "lib" / "fake.c"
    source.write_text(text)
    command = [COMPILER, "-w", "-shared", "-fPIC", str(source)]
    command += ["-I", str(made.prefix / "include"), "-o", str(source.with_name("libfake.so"))]
    subprocess.run(command, check=True, timeout=guard(60))


@pytest.fixture(scope="module")
def open_mpi(tmp_path_factory: pytest.TempPathFactory) -> tuple[Blueprint, list[str]]:
    """Open MPI's header as it is for 32 bits, over a library that has its names."""
    real = matrix.wrapper(MPI)
    if real is None:
        pytest.skip(f"no {MPI} here")
    known = of_text((matrix.KNOWN / f"{MPI}.json").read_text(encoding="utf-8"), MPI).blueprint
    functions = [f.name for f in known.functions if f.status == "links"]
    functions += [f"P{name}" for name in functions]
    objects = {c.symbol for c in known.constants if c.symbol} - set(functions)
    folder = tmp_path_factory.mktemp("open_mpi")
    made = fake_mpi.build(
        folder, "", None, compiler=" ".join([COMPILER, ELSEWHERE, *real.compile_flags])
    )
    made.header.unlink()
    text = "".join(map(SYMBOL.format, functions)) + "".join(map(VARIABLE.format, sorted(objects)))
    compile_library(text, made)
    found = probe(choice.wrapper(str(made.mpicc))).blueprint
    return found, [flag for flag in real.compile_flags if flag.startswith("-I")]


def test_sizes_are_those_of_the_target(open_mpi: tuple[Blueprint, list[str]]) -> None:
    found, _ = open_mpi
    assert found.measured == "object"
    assert (found.platform.architecture, found.platform.data_model) == ("i686", "ILP32")
    sizes = {t.name: (t.size, t.alignment) for t in found.types}
    assert sizes["MPI_Aint"] == sizes["MPI_Comm"] == sizes["MPI_Datatype"] == (4, 4)
    assert sizes["MPI_Count"][0] == sizes["MPI_Offset"][0] == 8
    status = next(t for t in found.types if t.name == "MPI_Status")
    assert (status.size, [f.offset for f in status.fields][:3]) == (20, [0, 4, 8])


def test_cpp_with_its_operations_compiles(
    open_mpi: tuple[Blueprint, list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    found, include = open_mpi
    proof = prove(Unit("cpp", "own", tmp_path / "cpp"), Inputs([Named("own", found, "")]))
    assert proof.left_out == {}
    proof.product.write()
    tests = CHECKOUT / "tests"
    for source in [tests / "cpp" / "collectives.cpp", tests / "cpp_runtime" / "blocking.cpp"]:
        done = compiled(source, tmp_path / "cpp", *include)
        assert done.returncode == 0, done.stderr[:3000]


def compiled(source: Path, layer: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    command = [COMPILER.replace("gcc", "g++"), "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra"]
    command += ["-Werror", f"-I{layer}", f"-I{CHECKOUT / 'cpp_runtime' / 'include'}", *flags]
    command += [f"-I{CHECKOUT / 'tests' / 'cpp'}", str(source)]
    return subprocess.run(command, capture_output=True, text=True, timeout=guard(120), check=False)


def test_operations_refuse_a_count_of_32_bits_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    header = fake_mpi.PLAIN_HEADER.replace("#endif", "typedef int MPI_Count;\n#endif")
    found, made = blueprint_of(header, fake_mpi.PLAIN_LIBRARY, tmp_path)
    proof = prove(Unit("cpp", "own", tmp_path / "cpp"), Inputs([Named("own", found, "")]))
    proof.product.write()
    source = tmp_path / "one.cpp"
    include = f"-I{made.prefix / 'include'}"
    source.write_text("#include <mpiglot/mpi.hpp>\n")
    assert compiled(source, tmp_path / "cpp", include).returncode == 0
    source.write_text("#include <mpiglot/error.hpp>\n")
    first = next(
        line for line in compiled(source, tmp_path / "cpp", include).stderr.splitlines()
        if "error" in line
    )  # fmt: skip
    assert "the operations need an MPI_Count of 64 bits" in first


@pytest.mark.parametrize("language", ["go", "java"])
def test_go_and_java_say_that_they_leave_it_out(
    language: str, open_mpi: tuple[Blueprint, list[str]], tmp_path: Path
) -> None:
    """The known MPI of the same release stays."""
    path = tmp_path / "own.json"
    path.write_text(dumps(open_mpi[0]))
    done = mpiglot(tmp_path, "generate", language, "--blueprint", path, "-o", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    assert f"{language}: {MPI}-ilp32: {REASON}" in done.stderr
    assert f"{MPI}: " not in done.stderr
