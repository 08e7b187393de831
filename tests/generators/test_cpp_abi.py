"""One C++ program for every library of the standard ABI, though they disagree on some values."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from mpiglot.generators.cpp import generator as cpp
from mpiglot.generators.inputs import Inputs
from mpiglot.generators.model import (
    Atlas,
    AtlasConstant,
    ConstantValue,
    Request,
    Target,
)
from mpiglot.generators.target import Disputed, disputed
from tests.generators.programs import INSTALLED
from tests.limits import guard

ROOT = Path(__file__).parents[2]
MPICH = INSTALLED / "mpich-5.0.2"
INTEL = [INSTALLED / f"intelmpi-{version}" for version in ("2021.18.1", "2021.19.0")]


@pytest.fixture(scope="module")
def inputs() -> Inputs:
    return Inputs.of_known()


def toy(library: str, value: int) -> tuple[Target, ConstantValue]:
    name = library.split()[0].lower()
    target = Target(name, name, "1.0", "abi", "5.0", library_version=library)
    return target, ConstantValue(name, value, constant_expression=True)


def test_a_library_that_follows_the_standard_needs_no_values_of_its_own() -> None:
    (good, seven), (odd, eight) = toy("Good MPI 1", 7), toy("Odd MPI 2", 8)
    constants = [
        AtlasConstant("MPI_A", "integer", "int", abi_value=7, values=[seven, eight]),
        AtlasConstant("MPI_B", "integer", "int", abi_value=5, values=[ConstantValue("good", 5)]),
    ]
    atlas = Atlas("5.0", targets=[good, odd], constants=constants)
    assert disputed(atlas) == Disputed(["Odd"], {"MPI_A": [7, 8]})


def test_the_eight_values_come_from_the_library_that_is_loaded(inputs: Inputs) -> None:
    found = disputed(inputs.atlas)
    assert found.libraries == ["Intel(R)"]
    assert found.values == {  # of the standard, of Intel MPI
        "MPI_APPNUM": [505, 506],
        "MPI_ERRORS_ABORT": [0x142, 0x143],
        "MPI_ERRORS_RETURN": [0x143, 0x142],
        "MPI_LASTUSEDCODE": [506, 507],
        "MPI_SEEK_CUR": [401, 402],
        "MPI_SEEK_END": [402, 403],
        "MPI_SEEK_SET": [403, 401],
        "MPI_UNIVERSE_SIZE": [507, 505],
    }


def test_only_the_abi_pays_for_it(inputs: Inputs) -> None:
    def text(target: str) -> str:
        response = cpp.generate(Request("cpp", inputs.atlas, inputs.plan, target=target))
        return "\n".join(f.content for f in response.files)

    native, abi = text("mpich-5.0.2"), text("mpich-5.0.2-abi")
    assert "of_library" not in native and "to_library" not in native
    code = "\n".join(line for line in abi.splitlines() if not line.startswith("//"))
    assert code.count("MPI_SEEK_SET") == 2  # the enumerator's value and its name, nothing asserted
    assert re.search(r"MPI_File_seek\)\(fh\.native, offset, detail::to_library\(whence\)\)", abi)


def built(inputs: Inputs, folder: Path, wrapper: Path) -> Path:
    """The tests of errors, files and attributes, compiled with one ABI header."""
    if not wrapper.exists():
        pytest.skip(f"{wrapper.parents[1].name} is not installed")
    response = cpp.generate(Request("cpp", inputs.atlas, inputs.plan, target="mpich-5.0.2-abi"))
    for f in response.files:
        path = folder / f.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f.content, encoding="utf-8")
    sources = [ROOT / f"tests/cpp/{name}.cpp" for name in ("main", "errors", "files_and_windows")]
    program = folder / "tests"
    options = ["-std=c++20", "-O0", "-I", str(folder), "-I", str(ROOT / "cpp_runtime/include")]
    command = [str(wrapper), *options, *map(str, sources), "-o", str(program)]
    subprocess.run(command, check=True, timeout=guard(250))
    return program


def saying(text: str, folder: Path) -> Path:
    """A library that makes another one say that it is `text`."""
    source, library = folder / "say.c", folder / f"lib{text.split()[0]}.so"
    source.write_text(
        "#include <string.h>\n"
        "int MPI_Get_library_version(char *text, int *length)\n"
        f'{{ strcpy(text, "{text}"); *length = strlen(text); return 0; }}\n'
    )
    subprocess.run(
        ["gcc", "-shared", "-fPIC", str(source), "-o", str(library)], check=True, timeout=guard(60)
    )
    return library


@pytest.mark.timeout(500)
def test_a_program_built_with_one_header_runs_on_every_abi_library(
    inputs: Inputs, tmp_path: Path
) -> None:
    program = built(inputs, tmp_path, MPICH / "bin/mpicxx_abi")
    # What a library says does not decide: one that follows the standard may be Intel's.
    texts = {
        "MPICH": "MPICH Version: 5.0.2",
        "Intel": "Intel(R) MPI Library 2021.19.0 for Linux* OS",
    }
    ran = 0
    for prefix in (MPICH, *INTEL):
        if not prefix.exists():
            continue
        for vendor, text in texts.items():
            own = vendor == ("MPICH" if prefix == MPICH else "Intel")
            environment = {
                **os.environ,
                "LD_LIBRARY_PATH": str(prefix / "lib"),
                "I_MPI_ROOT": str(prefix),
                "LD_PRELOAD": "" if own else str(saying(text, tmp_path)),
            }
            done = subprocess.run(
                [str(prefix / "bin/mpiexec.hydra"), "-n", "2", str(program)],
                env=environment, capture_output=True, text=True, timeout=guard(100), check=False,
            )  # fmt: skip
            assert done.returncode == 0, f"{prefix.name} as {vendor}: {done.stderr[-2000:]}"
            loaded = re.search(r"\d+ tests passed on 2 ranks of (\w+)", done.stdout)
            assert loaded and loaded[1] == vendor, done.stdout
            ran += 1
    assert ran >= 1
