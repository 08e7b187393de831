"""Odd declarations: each is in three languages and compiles, or is left out with its reason."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from mpiglot.provision.toolchains import find_go, find_jdk
from tests.generators.test_subset import mpiglot, run
from tests.parser import fake_mpi

HEADER = (Path(__file__).parent / "odd" / "declarations.h").read_text(encoding="utf-8")
NAMES = sorted(set(re.findall(r"\b(MPIX_\w+)\(", HEADER)))
# How a generated file calls a function.
CALLED = {"cpp": r"\b(MPIX_\w+)\(", "go": r"\bmpg_(MPIX_\w+)\(", "java": r'"(MPIX_\w+)"'}


@pytest.fixture(scope="module")
def mpi(tmp_path_factory: pytest.TempPathFactory) -> fake_mpi.FakeMpi:
    """An MPI that has all of them; what they would do is nobody's business."""
    request = "typedef int MPI_Request;\n#define MPI_REQUEST_NULL ((MPI_Request)0)\n"
    begin = '#ifdef __cplusplus\nextern "C" {\n#endif\n'
    end = "#ifdef __cplusplus\n}\n#endif\n#endif\n"
    plain = fake_mpi.PLAIN_HEADER.rstrip().removesuffix("#endif")
    header = plain.replace("int MPI_Init(", f"{begin}int MPI_Init(", 1) + request + HEADER + end
    code = "".join(f'__asm__(".globl {n}\\n.type {n},@function\\n{n}: ret\\n");\n' for n in NAMES)
    folder = tmp_path_factory.mktemp("odd")
    return fake_mpi.build(folder / "odd", header, fake_mpi.PLAIN_LIBRARY + code)


def compile_cpp(out: Path, mpi: fake_mpi.FakeMpi) -> str:
    (out / "all.cpp").write_text("#include <mpiglot/mpi.hpp>\n", encoding="utf-8")
    done = run(
        "g++", "-std=c++20", "-fsyntax-only", f"-I{out}", f"-I{mpi.prefix}/include",
        out / "all.cpp",
    )  # fmt: skip
    return done.stderr


def compile_go(out: Path, mpi: fake_mpi.FakeMpi) -> str:
    go = find_go(os.environ)
    if go is None:
        pytest.skip("there is no Go of version 1.24 or later")
    return run(go, "vet", "-C", out, ".", CGO_ENABLED="1", GOTOOLCHAIN="local").stderr


def compile_java(out: Path, mpi: fake_mpi.FakeMpi) -> str:
    jdk = find_jdk(os.environ)
    if jdk is None:
        pytest.skip("there is no JDK of version 22 or later")
    files = [p for p in out.rglob("*.java") if p.parent.name == "low"]
    return run(jdk / "bin" / "javac", "-d", out / "classes", *files).stderr


COMPILE = {"cpp": compile_cpp, "go": compile_go, "java": compile_java}


@pytest.mark.parametrize("language", COMPILE)
def test_an_odd_declaration_compiles_or_is_left_out_with_its_reason(
    mpi: fake_mpi.FakeMpi, tmp_path: Path, language: str
) -> None:
    assert len(NAMES) > 130
    probed, out = tmp_path / "odd.json", tmp_path / "out"
    done = mpiglot(tmp_path, "probe", "--mpicc", mpi.mpicc, "-o", probed)
    assert done.returncode == 0, done.stderr
    done = mpiglot(tmp_path, "generate", language, "--blueprint", probed, "-o", out)
    assert done.returncode == 0, done.stderr
    text = "".join(p.read_text(encoding="utf-8") for p in out.rglob("extensions.*"))
    text += "".join(p.read_text(encoding="utf-8") for p in out.rglob("Extensions.java"))
    named = dict(re.findall(rf"{language}: (MPIX_\w+): (.+)", done.stderr))
    there = set(re.findall(CALLED[language], text))
    assert [n for n in NAMES if n not in there and n not in named] == []
    assert {"MPIX_Status_value", "MPIX_case", "MPIX_Case"} <= named.keys()
    assert COMPILE[language](out, mpi) == ""


def test_an_array_of_handles_is_no_reference_to_one(mpi: fake_mpi.FakeMpi, tmp_path: Path) -> None:
    probed, out = tmp_path / "odd.json", tmp_path / "out"
    assert mpiglot(tmp_path, "probe", "--mpicc", mpi.mpicc, "-o", probed).returncode == 0
    assert mpiglot(tmp_path, "generate", "cpp", "--blueprint", probed, "-o", out).returncode == 0
    text = (out / "mpiglot" / "mpi" / "extensions.hpp").read_text(encoding="utf-8")
    assert "inline void mpix_waits(const MPI_Request* r, int n)" in text
    assert "detail::as_is<int (*)(void *, int)> fn, void* state)" in text
