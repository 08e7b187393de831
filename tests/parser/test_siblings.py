"""The C++ compiler that is found beside a C compiler."""

from __future__ import annotations

from pathlib import Path

import pytest

from mpiglot.parser.siblings import COMPILERS, WRAPPERS, cxx_beside

BESIDE = {
    "mpicc": "mpicxx", "mpicc.mpich": "mpicxx.mpich", "mpicc_abi": "mpicxx_abi",
    "mpiicx": "mpiicpx", "mpiicc": "mpiicpc", "mpigcc": "mpigxx", "smpicc": "smpicxx",
    "gcc": "g++", "x86_64-linux-gnu-gcc-12": "x86_64-linux-gnu-g++-12", "clang-19": "clang++-19",
    "icx": "icpx", "icc": "icpc", "nvc": "nvc++", "cc": "c++",
}  # fmt: skip


@pytest.mark.parametrize(("c", "cxx"), BESIDE.items())
def test_a_compiler_has_the_one_of_the_matching_name(
    c: str, cxx: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cxx_beside(tmp_path / c, (*WRAPPERS, *COMPILERS)) is None
    (tmp_path / cxx).write_text("")
    assert cxx_beside(tmp_path / c, (*WRAPPERS, *COMPILERS)) is None, "it cannot be executed"
    (tmp_path / cxx).chmod(0o755)
    assert cxx_beside(tmp_path / c, (*WRAPPERS, *COMPILERS)) == tmp_path / cxx
    assert (cxx_beside(tmp_path / c) is not None) == ("mpi" in c)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cxx_beside(c, (*WRAPPERS, *COMPILERS)) == tmp_path / cxx


def test_a_name_that_only_contains_one_has_none(tmp_path: Path) -> None:
    for name in ("mpiccx", "xmpicc", "accel", "tcc1"):
        assert cxx_beside(tmp_path / name, (*WRAPPERS, *COMPILERS)) is None
