"""`generate --try`: compilers tell which unknown functions a layer cannot have."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mpiglot.blueprints.errors import EnvironmentProblem
from mpiglot.commands import _trial as trial
from mpiglot.provision.toolchains import find_go, find_jdk
from tests.generators.test_subset import mpiglot
from tests.parser import fake_mpi

# A C++ compiler does not see two of these, as no rule can know: they are there for C only.
HEADER = """\
int MPIX_First(int a);
#ifndef __cplusplus
int MPIX_Hidden(int a);
int MPIX_Hidden_too(int a);
#endif
int MPIX_Third(int a);
"""
Command = list[str | Path]
NAMES = ["MPIX_First", "MPIX_Hidden", "MPIX_Hidden_too", "MPIX_Third"]


@pytest.fixture(scope="module")
def probed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trial")
    plain = fake_mpi.PLAIN_HEADER.rstrip().removesuffix("#endif")
    plain = plain.replace("int MPI_Init(", 'extern "C" {\nint MPI_Init(', 1).replace(
        'extern "C" {', '#ifdef __cplusplus\nextern "C" {\n#endif'
    )
    header = plain + HEADER + "#ifdef __cplusplus\n}\n#endif\n#endif\n"
    code = "".join(f"int {name}(int a) {{ return 0; }}\n" for name in NAMES)
    made = fake_mpi.build(folder / "mpi", header, fake_mpi.PLAIN_LIBRARY + code)
    out = folder / "probed.json"
    done = mpiglot(folder, "probe", "--mpicc", made.mpicc, "-o", out)
    assert done.returncode == 0, done.stderr
    return out


def test_what_does_not_compile_is_named_and_may_be_left_out(probed: Path, tmp_path: Path) -> None:
    command: list[str | Path] = [
        "generate",
        "cpp",
        "--blueprint",
        probed,
        "-o",
        tmp_path / "out",
        "--try",
    ]
    done = mpiglot(tmp_path, *command)
    assert done.returncode == 1, done.stderr
    assert "cpp: MPIX_Hidden does not compile: " in done.stdout
    assert "error:" in done.stdout
    assert "cpp: 2 of 4 functions that the catalogue does not know compile" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last == "leave them out: --exclude MPIX_Hidden --exclude MPIX_Hidden_too"
    # What the last line says is what helps.
    done = mpiglot(tmp_path, *command, *last.partition(": ")[2].split())
    assert done.returncode == 0, done.stderr
    assert "cpp: 2 of 2 functions" in done.stdout
    assert "leave them out" not in done.stdout


def test_a_target_whose_header_is_elsewhere_is_refused(tmp_path: Path) -> None:
    command: list[str | Path] = [
        "generate",
        "cpp",
        "--target",
        "mpich-5.0.2",
        "-o",
        tmp_path,
        "--try",
    ]
    done = mpiglot(tmp_path, *command)
    assert done.returncode != 0
    assert "the blueprint of mpich-5.0.2 does not say where that is" in done.stderr
    assert "Traceback" not in done.stderr


def test_compilers_of_go_and_java_say_what_they_refuse(tmp_path: Path) -> None:
    go, java = tmp_path / "go", tmp_path / "java"
    (java / "low").mkdir(parents=True)
    go.mkdir()
    (go / "go.mod").write_text("module example.org/low\n\ngo 1.24\n", encoding="utf-8")
    for right in (True, False):
        what = "int x() { return 1; }" if right else "int x() { return y; }"
        (java / "low" / "A.java").write_text(f"class A {{ {what} }}\n", encoding="utf-8")
        value = "1" if right else "y"
        (go / "low.go").write_text(f"package low\n\nvar x = {value}\n", encoding="utf-8")
        if find_go(os.environ) is not None:
            assert trial._go()(go) == ("" if right else "./low.go:3:9: undefined: y")
        if find_jdk(os.environ) is not None:
            said = trial._java()(java)
            assert said == "" if right else "A.java:1: error: cannot find symbol" in said


def test_a_compiler_that_is_missing_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "find_go", lambda _: None)
    monkeypatch.setattr(trial, "find_jdk", lambda _: None)
    with pytest.raises(EnvironmentProblem, match="--try needs Go"):
        trial._go()
    with pytest.raises(EnvironmentProblem, match="--try needs a JDK"):
        trial._java()
