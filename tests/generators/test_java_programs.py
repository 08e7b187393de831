"""The programs of examples give the same results in Java and in C of the same algorithm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.generators.java_programs import needs_gcc, needs_java
from tests.generators.programs import ROOT, run
from tests.tiers import in_turn

pytestmark = [needs_java, needs_gcc]

KERNELS = ("EP", "IS", "CG", "FT", "MG", "SP")


def in_c(name: str, folder: Path, ranks: int, *arguments: str | Path) -> str:
    source = ROOT / "benchmarks" / "programs" / f"{name}.c"
    program = folder / name
    made = run("mpicc.mpich", "-O2", source, "-o", program, "-lm", "-lpthread")
    assert made.returncode == 0, made.stderr
    return said(ranks, program, *arguments)


def said(ranks: int, *command: str | Path) -> str:
    done = run("mpiexec.mpich", "-n", str(ranks), *command)
    assert done.returncode == 0, done.stdout + done.stderr
    return re.sub(r"(?<=CPU seconds\t).*", "", done.stdout)


@pytest.mark.parametrize("name", in_turn(KERNELS, most=2))
def test_npb_is_right_in_both(jars: Path, tmp_path: Path, name: str) -> None:
    found = in_c(name.lower(), tmp_path, 2, "S")
    assert found == f"{name} S on 2 ranks: right, CPU seconds\t\n"
    assert said(2, jars / "npb", "S", name) == found


def test_npb_is_right_over_the_lower_layer(jars: Path) -> None:
    made = run(ROOT / "benchmarks/programs/build-over", jars / "generated here", jars)
    assert made.returncode == 0, made.stdout + made.stderr
    lines = [f"{name} S on 2 ranks: right, CPU seconds\t\n" for name in KERNELS]
    assert said(2, jars / "npb-low", "S") == "".join(lines)


def test_npb_refuses_more_ranks_than_planes(jars: Path) -> None:
    done = run("mpiexec.mpich", "-n", "7", jars / "npb", "S", "SP")
    assert done.returncode != 0
    assert "SP of this class needs at most 6 ranks." in done.stderr


def test_heat_has_the_same_bits_in_both(jars: Path, tmp_path: Path) -> None:
    assert said(2, jars / "heat", "S") == in_c("heat", tmp_path, 2, "S")


def test_words_are_the_same_in_both(jars: Path, tmp_path: Path) -> None:
    assert said(3, jars / "words") == in_c("words", tmp_path, 3)
    text = tmp_path / "text"
    text.write_text("One two,\n\ntwo\tTHREE_3 drei\nende, two", encoding="utf-8")
    found = said(3, tmp_path / "words", text)
    assert found.startswith("8 words, 6 different ones, in 4 lines, on 3 ranks\ntwo 3\n")
    assert said(3, jars / "words", text) == found


def test_workers_do_all_tasks_in_both(jars: Path, tmp_path: Path) -> None:
    for line in (said(2, jars / "workers"), in_c("workers", tmp_path, 2)):
        start, _, tasks = line.partition(":")
        assert start == "200 tasks are right; by process"
        assert len(tasks.split()) == 2
        assert sum(map(int, tasks.split())) == 200


def test_the_file_is_the_same_in_both(jars: Path, tmp_path: Path) -> None:
    line = "1200000 bytes are right: columns of 3 processes, read as rows\n"
    assert said(3, jars / "file", tmp_path / "new") == line
    assert in_c("file", tmp_path, 3, tmp_path / "new") == line
    assert not (tmp_path / "new").exists()
